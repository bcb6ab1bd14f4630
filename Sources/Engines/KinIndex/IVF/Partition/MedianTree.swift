import KinLinearAlgebra

/// A partition by repeated splits at the median of the coordinate that varies most: a k-d tree (Bentley 1975,
/// doi:10.1145/361002.361007; Friedman, Bentley and Finkel 1977, doi:10.1145/355744.355745).
///
/// It needs no training: an empty index is one cell, and a full cell splits at the median of what it holds.
struct MedianTree: Partition {
    /// A split. Children are nodes, or the complements of cells.
    struct Node: BitwiseCopyable, Equatable {
        var axis: Int32
        /// Coordinates below it are on the left.
        var threshold: Float
        var left: Int32
        var right: Int32
    }

    let dimension: Int
    private(set) var nodes: [Node]
    private(set) var cellCount: Int
    /// The node whose child a cell is, −1 for the root's own; derived from `nodes`.
    private var parents: [Int32]

    var name: String { "median splits" }
    private var stride: Int { (dimension + 7) & ~7 }

    /// One cell for everything.
    init(dimension: Int) {
        self.dimension = dimension
        nodes = []
        cellCount = 1
        parents = [-1]
    }

    func cell(of z: UnsafePointer<Float>) -> Int {
        unsafe nodes.withUnsafeBufferPointer { nodes in
            guard !nodes.isEmpty else { return 0 }
            var next: Int32 = 0
            repeat {
                let node = unsafe nodes[Int(next)]
                next = unsafe z[Int(node.axis)] < node.threshold ? node.left : node.right
            } while next >= 0
            return Int(~next)
        }
    }

    func assign(_ z: UnsafePointer<Float>, count: Int, into labels: UnsafeMutablePointer<UInt32>) {
        for r in 0..<count { unsafe labels[r] = UInt32(cell(of: z + r * stride)) }
    }

    mutating func split(
        _ cell: Int, rows: UnsafePointer<Float>, count: Int, isMoved: UnsafeMutablePointer<Bool>
    ) {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { keys in
            let order = unsafe MedianSplit(
                coordinates: rows, stride: stride, dimension: dimension, rows: count, keys: keys.baseAddress!)
            let axis = order.widestAxis(0..<count)
            order.select(count / 2, of: 0..<count, along: axis)
            var threshold = order.coordinate(count / 2, axis)
            if !(0..<count).contains(where: { order.coordinate($0, axis) < threshold }) {
                // Nothing is below the median: what is above it goes to the right.
                let above = (0..<count).lazy.map { order.coordinate($0, axis) }.filter { $0 > threshold }.min()
                threshold = above ?? threshold
            }
            var moved = 0
            for r in 0..<count {
                unsafe isMoved[r] = rows[r * stride + axis] >= threshold
                moved += unsafe isMoved[r] ? 1 : 0
            }
            // All equal: later ones like them will go to the right, so that half of these may stay.
            if moved == count { for r in 0..<count / 2 { unsafe isMoved[r] = false } }
            replace(
                cell, by: Node(axis: Int32(axis), threshold: threshold, left: ~Int32(cell), right: ~Int32(cellCount)))
        }
    }

    /// Puts a split in the place of a cell; its right child is a new cell.
    private mutating func replace(_ cell: Int, by node: Node) {
        let number = Int32(nodes.count)
        let parent = parents[cell]
        nodes.append(node)
        if parent >= 0 { setChild(of: parent, from: ~Int32(cell), to: number) }
        parents[cell] = number
        parents.append(number)
        cellCount += 1
    }

    private mutating func setChild(of node: Int32, from old: Int32, to new: Int32) {
        if nodes[Int(node)].left == old {
            nodes[Int(node)].left = new
        } else {
            nodes[Int(node)].right = new
        }
    }

    /// The list is to the left of −∞: no row belongs there by its coordinates, and the rows that are put there by name are apart
    /// from those that the tree divides.
    mutating func addList(at z: UnsafePointer<Float>) {
        let list = Int32(cellCount)
        var rest = ~Int32(0)
        if let root = nodes.first {
            rest = Int32(nodes.count)
            nodes.append(root)
            adoptChildren(of: rest)
        }
        let node = Node(axis: 0, threshold: -.infinity, left: ~list, right: rest)
        if nodes.isEmpty { nodes.append(node) } else { nodes[0] = node }
        parents.append(0)
        if rest < 0 { parents[0] = 0 }
        cellCount += 1
    }

    mutating func remove(_ cell: Int) {
        precondition(cellCount > 1, "the last cell stays")
        let parent = parents[cell]
        let node = nodes[Int(parent)]
        let sibling = node.left == ~Int32(cell) ? node.right : node.left
        // The sibling takes the parent's place.
        if let (grandparent, _) = link(to: parent) {
            setChild(of: grandparent, from: parent, to: sibling)
            if sibling < 0 { parents[Int(~sibling)] = grandparent }
            removeNode(parent)
        } else if sibling >= 0 {
            // The parent is the root, which is node 0: the sibling's node moves there.
            nodes[0] = nodes[Int(sibling)]
            adoptChildren(of: 0)
            removeNode(sibling)
        } else {
            nodes = []
            parents[Int(~sibling)] = -1
        }
        cellCount -= 1
        if cell != cellCount {
            let last = parents[cellCount]
            if last >= 0 { setChild(of: last, from: ~Int32(cellCount), to: ~Int32(cell)) }
            parents[cell] = last
        }
        parents.removeLast()
    }

    /// The node that has another one as its child.
    private func link(to node: Int32) -> (Int32, isLeft: Bool)? {
        guard let parent = nodes.firstIndex(where: { $0.left == node || $0.right == node }) else { return nil }
        return (Int32(parent), nodes[parent].left == node)
    }

    /// Notes a node as the parent of the cells among its children.
    private mutating func adoptChildren(of node: Int32) {
        for child in [nodes[Int(node)].left, nodes[Int(node)].right] where child < 0 { parents[Int(~child)] = node }
    }

    /// Takes away a node that nothing refers to; the last node takes over its number.
    private mutating func removeNode(_ node: Int32) {
        // What were its children are another's by now; the root is nobody's child, so nothing is found here any more.
        nodes[Int(node)].left = 0
        nodes[Int(node)].right = 0
        let last = Int32(nodes.count - 1)
        if node != last {
            if let (parent, _) = link(to: last) { setChild(of: parent, from: last, to: node) }
            nodes[Int(node)] = nodes[Int(last)]
            adoptChildren(of: node)
        }
        nodes.removeLast()
    }
}

// MARK: - Building

extension MedianTree {
    /// Splits a sample until every cell's share of all rows is at most `cellRows`.
    ///
    /// - Parameters:
    ///   - sample: count × stride coordinates.
    ///   - rows: How many rows the sample stands for.
    init(dimension: Int, sample: UnsafePointer<Float>, count: Int, rows: Int, cellRows: Int) {
        self.init(dimension: dimension)
        let cells = max(1, (rows + cellRows - 1) / cellRows)
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(count, 1)) { keys in
            let order = unsafe MedianSplit(
                coordinates: sample, stride: stride, dimension: dimension, rows: count, keys: keys.baseAddress!)
            split(0, places: 0..<count, cells: cells, order: order)
        }
    }

    private mutating func split(_ cell: Int, places: Range<Int>, cells: Int, order: MedianSplit) {
        guard cells > 1, places.count > 1 else { return }
        let axis = order.widestAxis(places)
        let middle = places.lowerBound + places.count * (cells / 2) / cells
        order.select(middle, of: places, along: axis)
        let threshold = order.coordinate(middle, axis)
        // Equal coordinates fall on the right together; where the left would stay empty there is nothing to gain.
        guard places.contains(where: { order.coordinate($0, axis) < threshold }) else { return }
        let right = cellCount
        replace(
            cell, by: Node(axis: Int32(axis), threshold: threshold, left: ~Int32(cell), right: ~Int32(right)))
        split(cell, places: places.lowerBound..<middle, cells: cells / 2, order: order)
        split(right, places: middle..<places.upperBound, cells: cells - cells / 2, order: order)
    }

    /// A tree read from a file.
    ///
    /// - Returns: nil unless every cell and every node but the first is the child of just one node.
    init?(dimension: Int, nodes: [Node]) {
        self.dimension = dimension
        self.nodes = nodes
        cellCount = nodes.count + 1
        parents = [Int32](repeating: -1, count: cellCount)
        var seen = Set<Int32>()
        for (n, node) in nodes.enumerated() {
            guard (0..<Int32(dimension)).contains(node.axis), !node.threshold.isNaN else { return nil }
            for child in [node.left, node.right] {
                // A child node comes after its parent or before it, but never twice, and never is it the root.
                guard child != 0, child < Int32(nodes.count), child >= ~Int32(nodes.count) else { return nil }
                guard seen.insert(child).inserted else { return nil }
                if child < 0 { parents[Int(~child)] = Int32(n) }
            }
        }
        guard reachableCells == cellCount else { return nil }
    }

    /// How many cells a walk from the root meets; a cycle apart from the root's tree leaves some out.
    private var reachableCells: Int {
        guard !nodes.isEmpty else { return 1 }
        var open: [Int32] = [0]
        var cells = 0
        while let node = open.popLast() {
            for child in [nodes[Int(node)].left, nodes[Int(node)].right] {
                if child < 0 { cells += 1 } else { open.append(child) }
            }
        }
        return cells
    }
}
