import Dispatch
import KinLibC
import Synchronization

/// Requires at least one thread, of every public function that takes a number of threads.
package func requireThreads(_ threads: Int) throws(KinError) {
    guard threads >= 1 else { throw KinError(.invalidArgument, "threads must be 1 or more, not \(threads)") }
}

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
    concurrently(min(max(1, threads), count)) { _ in
        let memory = makeMemory()
        while true {
            let item = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard item < count else { break }
            work(item, memory)
        }
    }
}

/// The values of a function for 0 ..< count, in order, computed as ``concurrently(_:taking:memory:_:)`` does.
package func concurrentMap<Memory, Value>(
    _ threads: Int, _ count: Int, memory: () -> Memory, _ value: (Int, Memory) -> Value
) -> [Value] {
    unsafe [Value](unsafeUninitializedCapacity: count) { values, initialized in
        let base = values.baseAddress
        concurrently(threads, taking: count, memory: memory) { i, memory in
            unsafe (base! + i).initialize(to: value(i, memory))
        }
        initialized = count
    }
}

/// The values of a function for ranges that cover 0 ..< count, in order. A count below twice `least`, or a single
/// thread, has one range.
package func concurrentMap<Memory, Value>(
    _ threads: Int, rangesOf count: Int, atLeast least: Int, memory: () -> Memory,
    _ value: (Range<Int>, Memory) -> Value
) -> [Value] {
    let ranges = threads <= 1 ? 1 : max(1, min(4 * min(threads, 1 << 16), count / least))
    return concurrentMap(threads, ranges, memory: memory) { i, memory in
        value(count * i / ranges..<count * (i + 1) / ranges, memory)
    }
}

/// The values of a function for ranges of a count whose elements take a few nanoseconds each.
@discardableResult
package func concurrentMap<Value>(
    _ threads: Int, rangesOf count: Int, atLeast least: Int = 1 << 15, _ value: (Range<Int>) -> Value
) -> [Value] {
    concurrentMap(threads, rangesOf: count, atLeast: least, memory: {}) { range, _ in value(range) }
}

/// The values of a function for ranges of a count, combined in order. A single range allocates no memory.
package func concurrentReduce<Value>(
    _ threads: Int, rangesOf count: Int, _ value: (Range<Int>) -> Value, _ combine: (Value, Value) -> Value
) -> Value {
    guard threads > 1, count >= 1 << 16 else { return value(0..<count) }
    let values = concurrentMap(threads, rangesOf: count, value)
    return values.dropFirst().reduce(values[0], combine)
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

/// Gives other threads the processor until a condition is met, for at most about 30 µs.
///
/// - Returns: Whether the condition is met.
@discardableResult
func yieldUntil(_ isMet: () -> Bool) -> Bool {
    for _ in 0..<64 {
        if isMet() { return true }
        sched_yield()
    }
    return false
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
        yieldUntil { unfinished.load(ordering: .relaxed) == 0 }
        end.wait()
        unsafe work = nil
    }
}
