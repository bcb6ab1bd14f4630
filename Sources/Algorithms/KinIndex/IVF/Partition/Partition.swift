/// A partition of the space into inverted lists: assigns vectors to lists, and divides and dissolves lists.
///
/// Lists are numbered 0 ..< count without gaps. Searching does not depend on the partition, only its speed does: what
/// makes it exact are the boxes around what each list really holds.
enum Partition: Sendable {
    /// Lists by median splits.
    case medianTree(MedianTree)
    /// Lists around centroids of k-means.
    case centroidLists(CentroidLists)

    /// The value that stands in for a partition while its payload is being changed.
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

    /// The list that a vector belongs to.
    ///
    /// - Parameter z: The vector's coordinates in the pruning frame.
    func list(of z: UnsafePointer<Float>) -> Int {
        switch self {
        case .medianTree(let tree): unsafe tree.list(of: z)
        case .centroidLists(let lists): unsafe lists.list(of: z)
        }
    }

    /// The lists that some vectors belong to.
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
    ) {
        change(
            { tree in unsafe tree.split(list, rows: rows, count: count, isMoved: isMoved) },
            { lists in unsafe lists.split(list, rows: rows, count: count, isMoved: isMoved) })
    }

    /// Adds a list, number `listCount`, for rows that lie far from all others.
    ///
    /// - Parameter z: The coordinates of one of them.
    mutating func addList(at z: UnsafePointer<Float>) {
        change({ tree in tree.addList() }, { lists in unsafe lists.addList(at: z) })
    }

    /// Dissolves a list: vectors that belonged to it belong to others. The last list takes over its number.
    mutating func remove(_ list: Int) {
        change({ tree in tree.remove(list) }, { lists in lists.remove(list) })
    }

    /// Changes the payload outside the enum, which is `vacant` meanwhile: with a second reference its arrays would be copied.
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
