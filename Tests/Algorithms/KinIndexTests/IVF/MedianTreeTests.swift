import KinTestSupport
import Testing

@testable import KinIndex

@Suite("The tree of median splits")
struct MedianTreeTests {
    /// The same tree as nested values.
    private indirect enum Model: Equatable {
        case list(Int)
        case split(MedianTree.Node.Plane, Model, Model)

        /// Reads the nodes from the root; nil if they form a cycle or refer to a missing node.
        init?(_ nodes: [MedianTree.Node], from number: Int32 = 0, depth: Int = 0) {
            if nodes.isEmpty || number < 0 {
                self = .list(nodes.isEmpty ? 0 : Int(~number))
                return
            }
            guard depth <= nodes.count, Int(number) < nodes.count else { return nil }
            let node = nodes[Int(number)]
            guard let left = Model(nodes, from: node.left, depth: depth + 1),
                let right = Model(nodes, from: node.right, depth: depth + 1)
            else { return nil }
            self = .split(node.plane, left, right)
        }

        var lists: [Int] {
            switch self {
            case .list(let c): [c]
            case .split(_, let left, let right): left.lists + right.lists
            }
        }

        func list(of z: [Float]) -> Int {
            switch self {
            case .list(let c): c
            case .split(let plane, let left, let right):
                (z[plane.axis] < plane.threshold ? left : right).list(of: z)
            }
        }

        func replacing(_ c: Int, by part: Model) -> Model {
            switch self {
            case .list(let own): own == c ? part : self
            case .split(let plane, let left, let right):
                .split(plane, left.replacing(c, by: part), right.replacing(c, by: part))
            }
        }

        /// The model without a list: its sibling replaces their parent.
        func removing(_ c: Int) -> Model {
            switch self {
            case .list: self
            case .split(_, .list(c), let other), .split(_, let other, .list(c)): other
            case .split(let plane, let left, let right): .split(plane, left.removing(c), right.removing(c))
            }
        }
    }

    @Test("splits and removals in any order match a naive tree", arguments: 0..<12)
    func model(round: Int) throws {
        var random = SeededGenerator.stream(UInt64(round), of: TestSeed.value)
        var tree = MedianTree(dimension: 3)
        var model = Model.list(0)
        for step in 0..<150 {
            let note = "round \(round) step \(step)"
            // Grows to a few dozen lists and shrinks again, several times.
            if tree.listCount == 1 || random.below(40) < (step / 50 % 2 == 0 ? 26 : 14) {
                let list = random.below(tree.listCount)
                let new = tree.listCount
                let rows = (0..<20).map { _ in (0..<3).map { _ in Float(random.below(9)) } }
                let isMoved = split(&tree, list, rows)
                #expect(Set(isMoved).count == 2, "\(note)")
                let node = try #require(tree.nodes.last)
                model = model.replacing(list, by: .split(node.plane, .list(list), .list(new)))
                #expect(
                    zip(rows, isMoved).allSatisfy { ($0[node.plane.axis] >= node.threshold) == $1 }
                        || Set(rows).count == 1, "\(note)")
            } else {
                let list = random.below(tree.listCount)
                let last = tree.listCount - 1
                tree.remove(list)
                model = model.removing(list)
                if list != last { model = model.replacing(last, by: .list(list)) }
            }
            try #require(Model(tree.nodes) == model, "\(note)")
            #expect(model.lists.sorted() == Array(0..<tree.listCount), "\(note)")
            #expect(tree.nodes.count == tree.listCount - 1, "\(note)")
            for _ in 0..<10 {
                let z = (0..<3).map { _ in Float(random.below(10)) - 0.5 }
                #expect(list(of: z, in: tree) == model.list(of: z), "\(note)")
            }
            if step % 20 == 19 {
                // A tree read from a file continues as if it had never been saved.
                tree = try #require(MedianTree(dimension: 3, nodes: tree.nodes), "\(note)")
            }
        }
    }

    @Test("equal rows are halved, and other splits leave both sides non-empty")
    func equalRows() {
        var tree = MedianTree(dimension: 2)
        let equal = split(&tree, 0, Array(repeating: [3, 3], count: 10))
        #expect(equal.filter { $0 }.count == 5)
        let one = split(&tree, 1, Array(repeating: [3, 3], count: 9) + [[3, 2]])
        #expect(one.filter { !$0 } == [false] && one.last == false)
        let other = split(&tree, 2, Array(repeating: [3, 3], count: 9) + [[4, 3]])
        #expect(other.filter { $0 } == [true] && other.last == true)
    }

    @Test("nodes that form no tree are refused", arguments: 0..<4)
    func hostileNodes(round: Int) {
        var random = SeededGenerator.stream(UInt64(round), of: TestSeed.value)
        var accepted = 0
        for _ in 0..<4_000 {
            let n = random.below(4) + 1
            let children = (-Int32(n) - 2...Int32(n) + 1).map { $0 }
            let nodes = (0..<n).map { _ in
                MedianTree.Node(
                    axis: Int32(random.below(3)), threshold: 1, left: children[random.below(children.count)],
                    right: children[random.below(children.count)])
            }
            let model = Model(nodes)
            let isTree = model.map { $0.lists.sorted() == Array(0...n) } ?? false
            let tree = MedianTree(dimension: 3, nodes: nodes)
            #expect((tree != nil) == isTree, "\(nodes)")
            accepted += isTree ? 1 : 0
        }
        #expect(accepted > 3, "the nodes tried are not all nonsense")
        let leaf = MedianTree.Node(axis: 0, threshold: 1, left: -1, right: -2)
        for bad in [
            MedianTree.Node(axis: 3, threshold: 1, left: -1, right: -2),
            MedianTree.Node(axis: -1, threshold: 1, left: -1, right: -2),
            MedianTree.Node(axis: 0, threshold: .nan, left: -1, right: -2),
            MedianTree.Node(axis: 0, threshold: 1, left: .min, right: .max),
        ] {
            #expect(MedianTree(dimension: 3, nodes: [leaf]) != nil && MedianTree(dimension: 3, nodes: [bad]) == nil)
        }
        #expect(MedianTree(dimension: 3, nodes: [])?.listCount == 1)
    }

    private func split(_ tree: inout MedianTree, _ list: Int, _ rows: [[Float]]) -> [Bool] {
        let stride = (tree.dimension + 7) & ~7
        let padded = rows.flatMap { $0 + Array(repeating: 0, count: stride - $0.count) }
        var isMoved = [Bool](repeating: false, count: rows.count)
        unsafe padded.withUnsafeBufferPointer { z in
            unsafe isMoved.withUnsafeMutableBufferPointer { isMoved in
                unsafe tree.split(list, rows: z.baseAddress!, count: rows.count, isMoved: isMoved.baseAddress!)
            }
        }
        return isMoved
    }

    private func list(of z: [Float], in tree: MedianTree) -> Int {
        unsafe z.withUnsafeBufferPointer { unsafe tree.list(of: $0.baseAddress!) }
    }
}

extension MedianTree.Node {
    /// The plane that divides a node.
    fileprivate struct Plane: Equatable {
        var axis: Int
        var threshold: Float
    }

    fileprivate var plane: Plane { Plane(axis: Int(axis), threshold: threshold) }
}
