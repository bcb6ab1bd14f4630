import KinLibC
import Synchronization

/// True when this process may run work on ``HelperThreads`` and Dispatch's threads: the first process to call this, but not its forked
/// children.
///
/// Those threads do not survive a fork. They exist in the parent only, and a child that submits work to them waits for
/// ever. So the first process to call this is recorded, and its children get false.
package func canUseThreadPool() -> Bool {
    let process = getpid()
    let (first, owner) = threadOwner.compareExchange(expected: 0, desired: process, ordering: .relaxed)
    return first || owner == process
}

/// The id of the process that has the threads; 0 before the first call.
private let threadOwner = Atomic<pid_t>(0)

/// True on the thread of a child process that came out of the fork; always false on Apple's platforms.
///
/// Swift's runtime for Linux caches the id of each thread, and for this thread that is the id in the parent. The kernel refuses to wake
/// another thread for it, so that both would wait for ever if they came to the first use of a type at the same time.
package func isForkedThread() -> Bool {
    #if os(Linux)
        forkedThread.load(ordering: .relaxed) == pthread_self()
    #else
        false
    #endif
}

#if os(Linux)
    /// The thread that came out of the latest fork; 0 in a process that was not forked since the library was loaded.
    private let forkedThread = Atomic<pthread_t>(0)

    /// Called when the library is loaded: a parent that forks before its first call counts too.
    @section(".init_array") @used
    private let whenLoaded: @convention(c) () -> Void = {
        pthread_atfork(nil, nil) { forkedThread.store(pthread_self(), ordering: .relaxed) }
    }
#endif
