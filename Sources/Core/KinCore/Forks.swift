import KinLibC
import Synchronization

/// Whether this process may run work on ``HelperThreads`` and Dispatch's threads: true for the first process to call
/// this function, false for its forked children.
///
/// Those threads do not survive a fork: they exist only in the parent, and a child would wait forever for work given to
/// them. So the first process to call this function is recorded.
package func canUseThreadPool() -> Bool {
    let process = getpid()
    let (first, owner) = threadOwner.compareExchange(expected: 0, desired: process, ordering: .relaxed)
    return first || owner == process
}

/// The id of the process that owns the threads; 0 before the first call.
private let threadOwner = Atomic<pid_t>(0)

/// Whether this is the thread of a child process that came out of the fork; always false on Apple's platforms.
///
/// Swift's runtime for Linux caches the id of each thread; for this thread the cached id is the id in the parent. The
/// kernel refuses to wake a different thread for it, so both would wait forever if they reached the first use of a type
/// at the same time.
package func isForkedThread() -> Bool {
    #if os(Linux)
        forkedThread.load(ordering: .relaxed) == pthread_self()
    #else
        false
    #endif
}

#if os(Linux)
    /// The thread that came out of the latest fork; 0 in a process that has not been forked since the library was
    /// loaded.
    private let forkedThread = Atomic<pthread_t>(0)

    /// Called when the library is loaded, so that a parent that forks before its first call is also covered.
    @section(".init_array") @used
    private let whenLoaded: @convention(c) () -> Void = {
        pthread_atfork(nil, nil) { forkedThread.store(pthread_self(), ordering: .relaxed) }
    }
#endif
