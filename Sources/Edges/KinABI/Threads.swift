import KinClustering
import KinCore
import KinIndex
import KinLinearAlgebra

/// The threads that a call may use. In a child of a process that has used several, `concurrently` computes on one.
///
/// - Throws: `.invalidArgument` for less than one.
@inline(__always)
func threads(_ wanted: Int) throws(KinError) -> Int {
    guard wanted != 1 else { return 1 }
    guard wanted > 1, wanted <= mostThreads else {
        throw KinError(.invalidArgument, "threads is \(UInt(bitPattern: wanted)); it is 1 to \(mostThreads)")
    }
    return wanted
}

/// More than any machine has; a larger number is a mistake.
private let mostThreads = 1 << 16
