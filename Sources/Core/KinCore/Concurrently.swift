import Dispatch
import KinLibC
import Synchronization

/// Runs `work` for 0 ..< parts on the calling thread and ``HelperThreads``, and waits for all parts.
///
/// A single part runs on the calling thread, and so do all parts if the threads belong to a different process
/// (``canUseThreadPool()``) or cannot be started. A thread that came out of a fork only waits (``isForkedThread()``).
///
/// Parts must not depend on each other's progress. The caller guarantees that they do not share mutable memory. The
/// closure is not required to be `Sendable`, because the parts of a numeric job write to disjoint ranges of one buffer.
package func concurrently(_ parts: Int, _ work: (Int) -> Void) {
    guard parts > 1, canUseThreadPool() else {
        for part in 0..<max(0, parts) { work(part) }
        return
    }
    withoutActuallyEscaping(work) { work in
        let shared = SharedWork(parts, work)
        let onlyWaits = isForkedThread()
        let isOffered = HelperThreads.offer(shared, to: min(parts, HelperThreads.processors) - (onlyWaits ? 0 : 1))
        if !(onlyWaits && isOffered) { shared.run() }
        shared.wait()
    }
}

/// Runs `work` for 0 ..< count on at most `threads` threads and waits for all items. Each thread has its own memory and
/// takes the next item when it has finished the last. Items may share memory as in ``concurrently(_:_:)``.
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

/// Runs `other` on one of ``HelperThreads`` while `work` runs on the calling thread, and waits for both.
///
/// If no other thread has begun `other` when `work` ends, or if the threads belong to a different process, the calling
/// thread runs it. The caller guarantees that the two do not share mutable memory.
package func runInParallel(_ other: () -> Void, with work: () -> Void) {
    guard canUseThreadPool(), !isForkedThread() else {
        work()
        return other()
    }
    withoutActuallyEscaping(other) { other in
        let shared = SharedWork(1) { _ in other() }
        _ = HelperThreads.offer(shared, to: 1)
        work()
        shared.run()
        shared.wait()
    }
}

/// Parts of work that any number of threads run; each part runs once.
final class SharedWork: Sendable {
    private let parts: Int
    /// The work, until all parts have run; a thread reads it only for a part that it runs.
    nonisolated(unsafe) private var work: ((Int) -> Void)?
    private let next = Atomic(0)
    private let unfinished: Atomic<Int>
    private let end = DispatchSemaphore(value: 0)

    init(_ parts: Int, _ work: @escaping (Int) -> Void) {
        self.parts = parts
        unsafe self.work = work
        unfinished = Atomic(parts)
    }

    /// Runs parts until every part has begun on some thread.
    func run() {
        while true {
            let part = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard part < parts else { return }
            run(part)
            if unfinished.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 { end.signal() }
        }
    }

    @inline(never)
    private func run(_ part: Int) { unsafe work?(part) }

    /// Waits until all parts have run, and frees the work. Call it only on the thread that made the work.
    func wait() {
        end.wait()
        unsafe work = nil
    }
}
