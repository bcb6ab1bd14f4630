import KinLinearAlgebra

/// Divides the space into cells: says where a vector belongs, and how to divide or dissolve a cell.
///
/// Cells are numbered 0 ..< count without gaps. Searching does not depend on the partition, only its speed does: what
/// makes it exact are the boxes around what each cell really holds.
protocol Partition: Sendable {
    /// What it is called in reports.
    var name: String { get }

    var cellCount: Int { get }

    /// The cell that a vector belongs to.
    ///
    /// - Parameter z: The vector's coordinates in the pruning frame.
    func cell(of z: UnsafePointer<Float>) -> Int

    /// The cells that some vectors belong to.
    ///
    /// - Parameters:
    ///   - z: count × stride coordinates.
    func assign(_ z: UnsafePointer<Float>, count: Int, into labels: UnsafeMutablePointer<UInt32>)

    /// Divides a full cell in two: it keeps its number for one half, the other half is cell `cellCount`.
    ///
    /// - Parameters:
    ///   - rows: The coordinates of the rows in the cell, count × stride floats.
    ///   - isMoved: Receives for each row whether it belongs to the new cell.
    ///
    /// There is always a row on each side: rows that are all equal are halved anyhow, and later ones like them
    /// then go to one of the two cells.
    mutating func split(
        _ cell: Int, rows: UnsafePointer<Float>, count: Int, isMoved: UnsafeMutablePointer<Bool>
    )

    /// Adds a list, number `cellCount`, for rows that lie far from all others.
    ///
    /// - Parameter z: The coordinates of one of them.
    mutating func addList(at z: UnsafePointer<Float>)

    /// Dissolves a cell: vectors that belonged to it belong to others. The last cell takes over its number.
    mutating func remove(_ cell: Int)
}
