import KinClustering
import KinCore
import KinIndex
import KinLinearAlgebra
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The threads that a call may use.
///
/// The pool that runs parts of a call in parallel does not survive a fork: its threads exist in the parent only, and
/// a child that hands them work waits for ever. So the process that first asks for threads is noted, and its children
/// compute on the calling thread.
///
/// - Throws: `.invalidArgument` for less than one.
@inline(__always)
func threads(_ wanted: Int) throws(KinError) -> Int {
    guard wanted != 1 else { return 1 }
    guard wanted > 1, wanted <= mostThreads else {
        throw KinError(.invalidArgument, "threads is \(UInt(bitPattern: wanted)); it is 1 to \(mostThreads)")
    }
    return poolIsHere() ? wanted : 1
}

/// Whether this process may use the pool: it is the first to ask, or the one that was.
@inline(never)
private func poolIsHere() -> Bool {
    let process = getpid()
    let (first, owner) = poolOwner.compareExchange(expected: 0, desired: process, ordering: .relaxed)
    return first || owner == process
}

/// More than any machine has; a larger number is a mistake.
private let mostThreads = 1 << 16

/// The process whose threads the pool has; 0 before there are any.
private let poolOwner = Atomic<pid_t>(0)
