import KinLibC
import Synchronization

/// Threads of this process that run parts of a caller's work.
///
/// A thread starts when work arrives and all others are busy, at most one per processor, and then waits for more work.
/// If the system refuses to start a thread, Dispatch would retry forever; here the caller does the work alone.
package enum HelperThreads {
    private struct State {
        var queue: [SharedWork] = []
        /// The number of threads without work.
        var idle = 0
        var count = 0
    }

    /// The length of the queue, for threads without the lock.
    private static let queued = Atomic(0)
    /// Guarded by the lock.
    nonisolated(unsafe) private static var state = State()
    nonisolated(unsafe) private static let lock = {
        let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
        return unsafe lock
    }()
    nonisolated(unsafe) private static let arrived = {
        let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        unsafe pthread_cond_init(condition, nil)
        return unsafe condition
    }()
    /// The number of processors that this process may use; a container or `taskset` may allow fewer than the machine
    /// has.
    static let processors: Int = {
        let online = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        #if os(Linux)
            // Swift does not import the declaration, which has a macro's type.
            typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
            guard let function = unsafe dlsym(nil, "sched_getaffinity") else { return online }
            var mask = [UInt64](repeating: 0, count: 128)
            let status = unsafe mask.withUnsafeMutableBytes { bytes in
                unsafe unsafeBitCast(function, to: Affinity.self)(0, bytes.count, bytes.baseAddress!)
            }
            let allowed = mask.reduce(0) { $0 + $1.nonzeroBitCount }
            return status == 0 && allowed > 0 ? min(online, allowed) : online
        #else
            return online
        #endif
    }()

    /// Offers work to a number of threads; a thread may take it up after the work has ended.
    ///
    /// - Returns: Whether a thread will take it up. If there is no thread, or all have far too much to do, the caller
    ///   must run the work alone.
    static func offer(_ work: SharedWork, to helpers: Int) -> Bool {
        unsafe pthread_mutex_lock(lock)
        var offers = 0
        while offers < helpers, unsafe state.queue.count < 4 * processors {
            if unsafe state.queue.count >= state.idle, unsafe state.count < processors, start() {
                unsafe state.count += 1
                unsafe state.idle += 1
            }
            guard unsafe state.count > 0 else { break }
            unsafe state.queue.append(work)
            queued.add(1, ordering: .relaxed)
            offers += 1
        }
        unsafe pthread_mutex_unlock(lock)
        for _ in 0..<offers { unsafe pthread_cond_signal(arrived) }
        return offers > 0
    }

    private static func start() -> Bool { unsafe startThread { _ in HelperThreads.serve() } != nil }

    private static func serve() -> Never {
        unsafe pthread_mutex_lock(lock)
        while true {
            guard unsafe !state.queue.isEmpty else {
                // Iterative work soon has a next part, and waking a sleeping thread takes about 50 µs.
                unsafe pthread_mutex_unlock(lock)
                let isOffered = yieldUntil { queued.load(ordering: .relaxed) > 0 }
                unsafe pthread_mutex_lock(lock)
                if !isOffered, unsafe state.queue.isEmpty { unsafe pthread_cond_wait(arrived, lock) }
                continue
            }
            let work = unsafe state.queue.removeFirst()
            queued.subtract(1, ordering: .relaxed)
            unsafe state.idle -= 1
            unsafe pthread_mutex_unlock(lock)
            work.run()
            unsafe pthread_mutex_lock(lock)
            unsafe state.idle += 1
        }
    }

    #if canImport(Darwin)
        typealias Body = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
    #else
        typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    #endif

    /// Starts a thread that handles none of the process's signals; nil if the system refuses.
    private static func startThread(_ body: Body) -> pthread_t? {
        var (all, before) = (sigset_t(), sigset_t())
        unsafe sigfillset(&all)
        // Signals for a thread's own faults.
        for signal in [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS] { unsafe sigdelset(&all, signal) }
        unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        guard unsafe pthread_create(&thread, nil, body, nil) == 0 else { return nil }
        return thread
    }

    /// Whether the system can start a thread now.
    package static var canStart: Bool {
        guard let thread = unsafe startThread({ _ in nil }) else { return false }
        return pthread_join(thread, nil) == 0
    }
}
