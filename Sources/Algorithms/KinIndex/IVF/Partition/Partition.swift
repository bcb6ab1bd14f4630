/// A partition of the space into inverted lists: assigns vectors to lists, and divides and dissolves lists.
///
/// Lists are numbered 0 ..< count without gaps. The partition affects only the speed of searches, not their results:
/// the boxes around the actual rows of each list make a search exact.
enum Partition: Sendable {
    /// Lists from median splits.
    case medianTree(MedianTree)
    /// Lists around k-means centroids.
    case centroidLists(CentroidLists)

    /// A placeholder for a partition while its payload is being changed.
    private static let vacant = Partition.medianTree(MedianTree(dimension: 1))

    /// The name of the partition in reports.
    var name: String {
        switch self {
        case .medianTree: "median splits"
        case .centroidLists: "k-means lists"
        }
    }

    /// The number of lists, at least 1.
    var listCount: Int {
        switch self {
        case .medianTree(let tree): tree.listCount
        case .centroidLists(let lists): lists.listCount
        }
    }

    /// The list of a vector.
    ///
    /// - Parameter z: The vector's coordinates in the pruning frame.
    func list(of z: UnsafePointer<Float>) -> Int {
        switch self {
        case .medianTree(let tree): unsafe tree.list(of: z)
        case .centroidLists(let lists): unsafe lists.list(of: z)
        }
    }

    /// Finds the lists of several vectors.
    ///
    /// - Parameters:
    ///   - z: count × stride coordinates.
    func assign(_ z: UnsafePointer<Float>, count: Int, into labels: UnsafeMutablePointer<UInt32>) {
        switch self {
        case .medianTree(let tree):
            for r in 0..<count { unsafe labels[r] = UInt32(tree.list(of: z + r * tree.stride)) }
        case .centroidLists(let lists): unsafe lists.assign(z, count: count, into: labels)
        }
    }

    /// Divides a full list in two. One half has the list's old number, and the other half is list `listCount`.
    ///
    /// - Parameters:
    ///   - rows: The coordinates of the rows in the list, count × stride floats.
    ///   - isMoved: Receives for each row whether it belongs to the new list.
    ///
    /// Each side has at least one row. Rows that are all equal are simply halved, and later equal rows go to one of the
    /// two lists.
    mutating func split(
        _ list: Int, rows: UnsafePointer<Float>, count: Int, isMoved: UnsafeMutablePointer<Bool>
    ) {
        change(
            { tree in unsafe tree.split(list, rows: rows, count: count, isMoved: isMoved) },
            { lists in unsafe lists.split(list, rows: rows, count: count, isMoved: isMoved) })
    }

    /// Adds a list, number `listCount`, for rows that are far from all others.
    ///
    /// - Parameter z: The coordinates of one of these rows.
    mutating func addList(at z: UnsafePointer<Float>) {
        change({ tree in tree.addList() }, { lists in unsafe lists.addList(at: z) })
    }

    /// Dissolves a list: its vectors now belong to other lists. The last list takes over its number.
    mutating func remove(_ list: Int) {
        change({ tree in tree.remove(list) }, { lists in lists.remove(list) })
    }

    /// Changes the payload outside the enum, which is `vacant` during the change: a second reference would cause its
    /// arrays to be copied.
    private mutating func change(_ tree: (inout MedianTree) -> Void, _ lists: (inout CentroidLists) -> Void) {
        switch self {
        case .medianTree(var payload):
            self = Self.vacant
            tree(&payload)
            self = .medianTree(payload)
        case .centroidLists(var payload):
            self = Self.vacant
            lists(&payload)
            self = .centroidLists(payload)
        }
    }
}
