import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs `work` for 0 ..< parts on the threads of the process's pool and waits for all; one part runs on the calling
/// thread without using the pool, and so do all where the pool is another process's (``threadsAreHere()``).
///
/// Parts must not depend on each other's progress. The caller guarantees that they do not share mutable memory: the
/// closure is not required to be `Sendable`, because the parts of a numeric job write to disjoint ranges of one buffer.
package func concurrently(_ parts: Int, _ work: (Int) -> Void) {
    guard parts > 1, threadsAreHere() else {
        for part in 0..<max(0, parts) { work(part) }
        return
    }
    withoutActuallyEscaping(work) { work in
        nonisolated(unsafe) let shared = work
        DispatchQueue.concurrentPerform(iterations: parts) { unsafe shared($0) }
    }
}

/// Whether this process may hand work to threads of Dispatch: it is the first to ask, or the one that was.
///
/// Those threads do not survive a fork: they exist in the parent only, and a child that hands them work waits for ever. So
/// the process that asks first is noted, and its children learn here that they have none.
package func threadsAreHere() -> Bool {
    let process = getpid()
    let (first, owner) = threadOwner.compareExchange(expected: 0, desired: process, ordering: .relaxed)
    return first || owner == process
}

/// The process that has the threads; 0 before there are any.
private let threadOwner = Atomic<pid_t>(0)
