import Dispatch
import KinLibC
import Synchronization

/// Runs `work` for 0 ..< parts on the calling thread and the threads of the process's pool, and waits for all parts.
///
/// The calling thread runs a single part, and all parts if the pool belongs to a different process (``canUseThreadPool()``). The thread
/// that forked this process only waits (``isForkedThread()``).
///
/// Parts must not depend on each other's progress. The caller guarantees that they do not share mutable memory: the
/// closure is not required to be `Sendable`, because the parts of a numeric job write to disjoint ranges of one buffer.
package func concurrently(_ parts: Int, _ work: (Int) -> Void) {
    guard parts > 1, canUseThreadPool() else {
        for part in 0..<max(0, parts) { work(part) }
        return
    }
    withoutActuallyEscaping(work) { work in
        nonisolated(unsafe) let shared = work
        awayFromForkedThread { DispatchQueue.concurrentPerform(iterations: parts) { unsafe shared($0) } }
    }
}

/// Runs `work` for 0 ..< count on at most `threads` threads, each of which takes the next item when it is done with the last and has memory
/// of its own; waits for all. As in ``concurrently(_:_:)`` for what the items may share.
package func concurrently<Memory>(
    _ threads: Int, taking count: Int, memory makeMemory: () -> Memory, _ work: (Int, Memory) -> Void
) {
    let next = Atomic(0)
    concurrently(min(threads, count)) { _ in
        let memory = makeMemory()
        while true {
            let item = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard item < count else { break }
            work(item, memory)
        }
    }
}

/// Runs `other` on a thread of the process's pool while `work` runs on the calling thread, and waits for both.
///
/// If no thread of the pool has begun `other` when `work` has ended, the calling thread runs it, as it does where the pool is another process's:
/// nobody waits for threads that all wait. The caller guarantees that the two do not share mutable memory.
package func runInParallel(_ other: () -> Void, with work: () -> Void) {
    guard canUseThreadPool(), !isForkedThread() else {
        work()
        return other()
    }
    withoutActuallyEscaping(other) { other in
        let job = SharedJob(other)
        DispatchQueue.global().async { job.runUnlessTaken() }
        work()
        job.finish()
    }
}

/// A piece of work that whichever of two threads comes first runs.
final class SharedJob: Sendable {
    /// The work, until it has run; only the thread that took it reads it.
    nonisolated(unsafe) private var work: (() -> Void)?
    private let isTaken = Atomic(false)
    private let end = DispatchSemaphore(value: 0)

    init(_ work: @escaping () -> Void) { unsafe self.work = work }

    /// Runs the work unless the other thread does.
    ///
    /// - Returns: Whether this thread ran it.
    @discardableResult
    func runUnlessTaken() -> Bool {
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        unsafe work?()
        unsafe work = nil
        end.signal()
        return true
    }

    /// Runs the work, or waits until the other thread has run it.
    func finish() {
        if !runUnlessTaken() { wait() }
    }

    /// Waits until the other thread has run the work, and let go of it.
    func wait() { end.wait() }
}
