import Dispatch

/// Runs `work` for 0 ..< parts, each part on a thread of the process's one pool, and waits for all; one part runs on the
/// calling thread without touching the pool.
///
/// Parts must not depend on each other's progress. Whether they may share memory is for the caller to prove: the closure
/// is not required to be `Sendable`, because the parts of a numeric job write to disjoint places of one buffer.
package func concurrently(_ parts: Int, _ work: (Int) -> Void) {
    guard parts > 1 else {
        if parts == 1 { work(0) }
        return
    }
    withoutActuallyEscaping(work) { work in
        nonisolated(unsafe) let shared = work
        DispatchQueue.concurrentPerform(iterations: parts) { unsafe shared($0) }
    }
}
