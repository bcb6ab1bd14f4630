import KinLinearAlgebra

/// A partition of the space into inverted lists: assigns vectors to lists, and divides and dissolves lists.
///
/// Lists are numbered 0 ..< count without gaps. Searching does not depend on the partition, only its speed does: what
/// makes it exact are the boxes around what each list really holds.
protocol Partition: Sendable {
    /// The name of the partition in reports.
    var name: String { get }

    var listCount: Int { get }

    /// The list that a vector belongs to.
    ///
    /// - Parameter z: The vector's coordinates in the pruning frame.
    func list(of z: UnsafePointer<Float>) -> Int

    /// The lists that some vectors belong to.
    ///
    /// - Parameters:
    ///   - z: count × stride coordinates.
    func assign(_ z: UnsafePointer<Float>, count: Int, into labels: UnsafeMutablePointer<UInt32>)

    /// Divides a full list in two: it keeps its number for one half, the other half is list `listCount`.
    ///
    /// - Parameters:
    ///   - rows: The coordinates of the rows in the list, count × stride floats.
    ///   - isMoved: Receives for each row whether it belongs to the new list.
    ///
    /// There is always a row on each side: rows that are all equal are halved anyhow, and later ones like them
    /// then go to one of the two lists.
    mutating func split(
        _ list: Int, rows: UnsafePointer<Float>, count: Int, isMoved: UnsafeMutablePointer<Bool>
    )

    /// Adds a list, number `listCount`, for rows that lie far from all others.
    ///
    /// - Parameter z: The coordinates of one of them.
    mutating func addList(at z: UnsafePointer<Float>)

    /// Dissolves a list: vectors that belonged to it belong to others. The last list takes over its number.
    mutating func remove(_ list: Int)
}
