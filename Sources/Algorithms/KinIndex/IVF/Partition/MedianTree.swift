/// A partition by repeated splits at the median of the coordinate that varies most: a k-d tree (Bentley 1975,
/// doi:10.1145/361002.361007; Friedman, Bentley and Finkel 1977, doi:10.1145/355744.355745).
///
/// It needs no training: an empty index is one list, and a full list splits at the median of its rows.
struct MedianTree: Sendable {
    /// A split of the space in two. Children are nodes, or the complements of lists.
    struct Node: BitwiseCopyable, Equatable {
        var axis: Int32
        /// Vectors with a coordinate below the threshold belong to the left child.
        var threshold: Float
        var left: Int32
        var right: Int32
    }

    let dimension: Int
    private(set) var nodes: [Node]
    private(set) var listCount: Int
    /// The parent node of each list; −1 for a list that is the root. Derived from `nodes`.
    private var parents: [Int32]

    var stride: Int { (dimension + 7) & ~7 }

    /// Creates a partition with one list.
    init(dimension: Int) {
        self.dimension = dimension
        nodes = []
        listCount = 1
        parents = [-1]
    }

    func list(of z: UnsafePointer<Float>) -> Int {
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

    mutating func split(
        _ list: Int, rows: UnsafePointer<Float>, count: Int, isMoved: UnsafeMutablePointer<Bool>
    ) {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { keys in
            let order = unsafe MedianSplit(
                coordinates: rows, stride: stride, dimension: dimension, rows: count, keys: keys.baseAddress!)
            let axis = order.widestAxis(0..<count)
            order.select(count / 2, of: 0..<count, along: axis)
            var threshold = order.coordinate(count / 2, axis)
            if !(0..<count).contains(where: { order.coordinate($0, axis) < threshold }) {
                // No row is below the median, so rows above it go to the right.
                let above = (0..<count).lazy.map { order.coordinate($0, axis) }.filter { $0 > threshold }.min()
                threshold = above ?? threshold
            }
            var moved = 0
            for r in 0..<count {
                unsafe isMoved[r] = rows[r * stride + axis] >= threshold
                moved += unsafe isMoved[r] ? 1 : 0
            }
            // All rows are equal. Later rows equal to them will go to the right, so half of these can stay.
            if moved == count { for r in 0..<count / 2 { unsafe isMoved[r] = false } }
            replace(
                list, by: Node(axis: Int32(axis), threshold: threshold, left: ~Int32(list), right: ~Int32(listCount)))
        }
    }

    /// Replaces a list by a split whose right child is a new list.
    private mutating func replace(_ list: Int, by node: Node) {
        let number = Int32(nodes.count)
        let parent = parents[list]
        nodes.append(node)
        if parent >= 0 { setChild(of: parent, from: ~Int32(list), to: number) }
        parents[list] = number
        parents.append(number)
        listCount += 1
    }

    private mutating func setChild(of node: Int32, from old: Int32, to new: Int32) {
        if nodes[Int(node)].left == old {
            nodes[Int(node)].left = new
        } else {
            nodes[Int(node)].right = new
        }
    }

    /// Adds a list to the left of −∞. No row belongs there by its coordinates; outliers are assigned to it directly.
    mutating func addList() {
        let list = Int32(listCount)
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
        listCount += 1
    }

    mutating func remove(_ list: Int) {
        precondition(listCount > 1, "the last list stays")
        let parent = parents[list]
        let node = nodes[Int(parent)]
        let sibling = node.left == ~Int32(list) ? node.right : node.left
        // The sibling takes the parent's position.
        if let grandparent = self.parent(ofNode: parent) {
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
        listCount -= 1
        if list != listCount {
            let last = parents[listCount]
            if last >= 0 { setChild(of: last, from: ~Int32(listCount), to: ~Int32(list)) }
            parents[list] = last
        }
        parents.removeLast()
    }

    /// The parent of a node; nil for the root. O(nodes).
    private func parent(ofNode node: Int32) -> Int32? {
        nodes.firstIndex { $0.left == node || $0.right == node }.map { Int32($0) }
    }

    /// Records a node as the parent of the lists among its children.
    private mutating func adoptChildren(of node: Int32) {
        for child in [nodes[Int(node)].left, nodes[Int(node)].right] where child < 0 { parents[Int(~child)] = node }
    }

    /// Removes an unreferenced node. The last node takes over its number.
    private mutating func removeNode(_ node: Int32) {
        // Its children already have a different parent. The root is not a child, so this node no longer appears as a
        // parent.
        nodes[Int(node)].left = 0
        nodes[Int(node)].right = 0
        let last = Int32(nodes.count - 1)
        if node != last {
            if let parent = parent(ofNode: last) { setChild(of: parent, from: last, to: node) }
            nodes[Int(node)] = nodes[Int(last)]
            adoptChildren(of: node)
        }
        nodes.removeLast()
    }
}

// MARK: - Building

extension MedianTree {
    /// Splits a sample until every list's share of all rows is at most `listRows`.
    ///
    /// - Parameters:
    ///   - sample: count × stride coordinates.
    ///   - rows: The number of rows that the sample represents.
    init(dimension: Int, sample: UnsafePointer<Float>, count: Int, rows: Int, listRows: Int) {
        self.dimension = dimension
        nodes = []
        listCount = 0
        parents = []
        let lists = max(1, (rows + listRows - 1) / listRows)
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: max(count, 1)) { keys in
            let order = unsafe MedianSplit(
                coordinates: sample, stride: stride, dimension: dimension, rows: count, keys: keys.baseAddress!)
            _ = addSubtree(of: -1, positions: 0..<count, lists: lists, order: order)
        }
    }

    /// Adds the subtree for part of the sample below a node. Lists are numbered from left to right, so lists with close
    /// numbers are close in space.
    ///
    /// - Returns: The root of the tree, as a child.
    private mutating func addSubtree(of parent: Int32, positions: Range<Int>, lists: Int, order: MedianSplit) -> Int32 {
        guard lists > 1, positions.count > 1 else { return addLeaf(of: parent) }
        let axis = order.widestAxis(positions)
        let middle = positions.lowerBound + positions.count * (lists / 2) / lists
        order.select(middle, of: positions, along: axis)
        let threshold = order.coordinate(middle, axis)
        // Equal coordinates go to the right together. If the left side would be empty, a split gains nothing.
        guard positions.contains(where: { order.coordinate($0, axis) < threshold }) else { return addLeaf(of: parent) }
        let node = Int32(nodes.count)
        nodes.append(Node(axis: Int32(axis), threshold: threshold, left: 0, right: 0))
        nodes[Int(node)].left = addSubtree(
            of: node, positions: positions.lowerBound..<middle, lists: lists / 2, order: order)
        nodes[Int(node)].right = addSubtree(
            of: node, positions: middle..<positions.upperBound, lists: lists - lists / 2, order: order)
        return node
    }

    private mutating func addLeaf(of parent: Int32) -> Int32 {
        parents.append(parent)
        listCount += 1
        return ~Int32(listCount - 1)
    }

    /// Creates a tree from the nodes in a file.
    ///
    /// - Returns: nil unless every list, and every node except the first, is the child of exactly one node.
    init?(dimension: Int, nodes: [Node]) {
        self.dimension = dimension
        self.nodes = nodes
        listCount = nodes.count + 1
        parents = [Int32](repeating: -1, count: listCount)
        var seen = Set<Int32>()
        for (n, node) in nodes.enumerated() {
            guard (0..<Int32(dimension)).contains(node.axis), !node.threshold.isNaN else { return nil }
            for child in [node.left, node.right] {
                // A child node may come before or after its parent, but never occurs twice, and is never the root.
                guard child != 0, child < Int32(nodes.count), child >= ~Int32(nodes.count) else { return nil }
                guard seen.insert(child).inserted else { return nil }
                if child < 0 { parents[Int(~child)] = Int32(n) }
            }
        }
        guard reachableLists == listCount else { return nil }
    }

    /// The number of lists that are reachable from the root; fewer than all if some nodes form a cycle apart from the
    /// root's tree.
    private var reachableLists: Int {
        guard !nodes.isEmpty else { return 1 }
        var open: [Int32] = [0]
        var lists = 0
        while let node = open.popLast() {
            for child in [nodes[Int(node)].left, nodes[Int(node)].right] {
                if child < 0 { lists += 1 } else { open.append(child) }
            }
        }
        return lists
    }
}
