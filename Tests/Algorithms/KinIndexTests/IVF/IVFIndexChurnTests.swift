import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Updates of an inverted-file index")
struct IVFIndexChurnTests {
    @Test(
        "random changes leave the same contents as a dictionary", arguments: Metric.allCases,
        [IndexLayout.medianSplits, .centroids(6)])
    func churn(metric: Metric, partition: IndexLayout) throws {
        let seed = TestSeed()
        for shift in partition == .medianSplits ? [8, 9] : [8] {
            var churn = IVFChurn(
                index: VectorIndex(smallListsOf: 4, metric: metric, partition: partition, shift: shift),
                random: seed.generator, largest: 3_000)
            for step in 0..<48 {
                try churn.change()
                if step % 8 == 7 { try churn.check("\(seed) \(partition) shift \(shift) step \(step)") }
            }
            #expect(churn.mostLists >= 8, "\(seed): there was something to divide")
        }
    }

    @Test("copies stay unchanged while the index grows vector by vector")
    func growthBesideCopies() throws {
        let seed = TestSeed()
        var random = seed.generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 400, columns: 3)
        var index = VectorIndex(smallListsOf: 3, shift: 8)
        for i in 0..<vectors.rows {
            let copy = index
            try index.upsert(Array(vectors.row(i)), id: VectorID(UInt64(i)))
            #expect(copy.count == i && copy.brokenInvariant() == nil, "\(seed) \(i)")
            #expect(index.count == i + 1 && index.brokenInvariant() == nil, "\(seed) \(i)")
        }
    }

    @Test("an index grows from empty and shrinks to empty one vector at a time", arguments: DataShape.allCases)
    func oneByOne(shape: DataShape) throws {
        let seed = TestSeed()
        var random = seed.generator
        let n = 1_300
        let vectors = shape.matrix(rows: n, dimension: 3, random: &random)
        let queries = DataShape.queries(for: vectors, random: &random)
        var index = VectorIndex(smallListsOf: 3, shift: 8)
        var flat = VectorIndex(dimension: 3, layout: .flat)
        for i in 0..<n {
            try index.upsert(Array(vectors.row(i)), id: VectorID(UInt64(i)))
            try flat.upsert(Array(vectors.row(i)), id: VectorID(UInt64(i)))
            // Just before and after the first list is full, and every 300 changes.
            if [1, 64, 65, 255, 256, 257, 258].contains(i + 1) || i % 300 == 299 {
                try expectSameSearch(index, flat, queries, "\(seed) after \(i + 1)")
            }
        }
        #expect(index.listCount >= 5)
        for (step, i) in (0..<n).shuffled(using: &random).enumerated() {
            let wasThere = index.remove(VectorID(UInt64(i)))
            flat.remove(VectorID(UInt64(i)))
            #expect(wasThere, "\(seed)")
            if step % 200 == 199 || step > n - 4 {
                try expectSameSearch(index, flat, queries, "\(seed) less \(step + 1)")
            }
        }
        #expect(index.isEmpty && index.listCount == 1)
    }

    private func expectSameSearch(
        _ index: VectorIndex, _ flat: VectorIndex, _ queries: Matrix<Float>, _ note: String
    ) throws {
        let broken = index.brokenInvariant()
        #expect(broken == nil, "\(note)")
        let expected = try flat.search(queries, k: 7)
        let found = try index.search(queries, k: 7)
        for q in 0..<queries.rows { expectSame(found[q], expected[q], "\(note) query \(q)") }
    }

    @Test("new ids continue from the largest id ever used")
    func append() throws {
        var index = VectorIndex(dimension: 2)
        let two = try Matrix<Float>(rows: [[1, 2], [3, 4]])
        let first = try index.append(two)
        let second = try index.append(two)
        #expect([first, second] == [0, 2])
        try index.upsert([5, 6], id: 100)
        index.remove(100)
        let third = try index.append(two)
        #expect(third == 101)
        #expect(index.ids.sorted() == [0, 1, 2, 3, 101, 102])
        try index.upsert([5, 6], id: VectorID(UInt64.max - 1))
        #expect(errorCode { try index.append(two) } == .capacityExceeded)
    }

    @Test("a refused call changes nothing", arguments: Metric.allCases)
    func allOrNothing(metric: Metric) throws {
        var index = VectorIndex(dimension: 3, metric: metric)
        try index.upsert(Matrix(rows: [[1, 2, 3], [4, 5, 6]]), ids: [7, 9])
        let good: [[Float]] = [[1, 1, 1], [2, 2, 2]]
        let refused: [(KinError.Code, [[Float]], [VectorID])] = [
            (.duplicateID, good, [11, 11]),
            (.invalidArgument, good, [11]),
            (.invalidArgument, good, [11, .none]),
            (.notFinite, [[1, 1, 1], [2, .nan, 2]], [11, 12]),
            (.notFinite, [[1, 1, 1], [2, 2, -.infinity]], [7, 12]),
            (.dimensionMismatch, [[1, 1], [2, 2]], [11, 12]),
        ]
        for (code, vectors, ids) in refused {
            #expect(errorCode { try index.upsert(Matrix(rows: vectors), ids: ids) } == code)
        }
        #expect(errorCode { try index.upsert(Matrix(rows: good), ids: [1, 2], threads: 0) } == .invalidArgument)
        if metric == .cosine {
            #expect(
                errorCode { try index.upsert(Matrix(rows: [[1, 0, 0], [0, -0.0, 0]]), ids: [1, 2]) } == .zeroVector)
            #expect(errorCode { try index.search([0, 0, 0], k: 1) } == .zeroVector)
        }
        #expect(index.ids.sorted() == [7, 9])
        #expect(try index.vector(for: 7) == [1, 2, 3])
        #expect(try index.vector(for: 9) == [4, 5, 6])
        #expect(index.brokenInvariant() == nil)
    }

    @Test("invalid queries and modes are refused by code")
    func refusedQueries() throws {
        var index = VectorIndex(dimension: 2)
        try index.append(Matrix(rows: 3, columns: 2, repeating: 1))
        #expect(errorCode { try index.search([1, 2, 3], k: 1) } == .dimensionMismatch)
        #expect(errorCode { try index.search([1, .infinity], k: 1) } == .notFinite)
        #expect(errorCode { try index.search([1, 2], k: -1) } == .invalidArgument)
        let queries = Matrix<Float>(rows: 2, columns: 2)
        #expect(errorCode { try index.search(queries, k: 1, options: .init(threads: 0)) } == .invalidArgument)
        for mode in [SearchMode.recall(0), .recall(-1), .recall(1.1), .recall(.nan), .probes(0), .probes(-3)] {
            #expect(
                errorCode { try index.search([1, 2], k: 1, options: .init(mode: mode)) } == .invalidArgument,
                "\(mode)")
            #expect(
                errorCode { try index.search(queries, k: 1, options: .init(mode: mode)) } == .invalidArgument,
                "\(mode)")
            #expect(
                errorCode { try index.explain([1, 2], k: 1, options: .init(mode: mode)) } == .invalidArgument,
                "\(mode)")
        }
        let row = #expect(throws: KinError.self) { try index.search(Matrix(rows: [[1, 2], [.nan, 1]]), k: 1) }
        #expect(row?.code == .notFinite && row?.description.hasPrefix("row 1") == true)
    }

    @Test("merging adds all vectors or fails without a change", arguments: [IndexLayout.lists, .centroids(5)])
    func merge(partition: IndexLayout) throws {
        let seed = TestSeed()
        var random = seed.generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 3_000, columns: 4)
        var flat = VectorIndex(dimension: 4, layout: .flat)
        try flat.append(vectors)
        for split in [100, 1_500, 2_900] {
            var first = VectorIndex(smallListsOf: 4, partition: partition)
            var second = VectorIndex(smallListsOf: 4)
            for (index, range) in [(0, 0..<split), (1, split..<3_000)] {
                let rows = try Matrix(rows: range.map { Array(vectors.row($0)) })
                let ids = range.map { VectorID(UInt64($0)) }
                if index == 0 { try first.upsert(rows, ids: ids) } else { try second.upsert(rows, ids: ids) }
            }
            try first.merge(second)
            #expect(first.count == 3_000 && second.count == 3_000 - split)
            #expect(first.brokenInvariant() == nil, "\(seed)")
            let query = Array(vectors.row(7))
            expectSame(try first.search(query, k: 20), try flat.search(query, k: 20), "\(seed)")
            #expect(errorCode { try first.merge(second) } == .duplicateID)
            #expect(first.count == 3_000)
        }
        var index = VectorIndex(dimension: 4)
        #expect(errorCode { try index.merge(VectorIndex(dimension: 5)) } == .dimensionMismatch)
        #expect(errorCode { try index.merge(VectorIndex(dimension: 4, metric: .cosine)) } == .invalidArgument)
        try index.merge(VectorIndex(dimension: 4))
        #expect(index.isEmpty)
    }

    @Test("a copy and its original change independently", arguments: [IndexLayout.lists, .centroids(7)])
    func snapshots(partition: IndexLayout) throws {
        let seed = TestSeed()
        var random = seed.generator
        let vectors = DataShape.clustered.matrix(rows: 3_000, dimension: 5, random: &random)
        let queries = DataShape.queries(for: vectors, random: &random)
        var index = VectorIndex(smallListsOf: 5, partition: partition, shift: 8)
        try index.append(vectors)
        let before = try index.search(queries, k: 30)
        var snapshots: [(VectorIndex, NeighborTable)] = [(index, before)]
        for step in 0..<12 {
            let fresh = DataShape.clustered.matrix(rows: 150, dimension: 5, random: &random)
            try index.upsert(fresh, ids: (0..<150).map { VectorID(UInt64(step * 100 + $0)) })
            index.remove((0..<200).map { _ in VectorID(UInt64(random.below(3_000))) })
            snapshots.append((index, try index.search(queries, k: 30)))
        }
        for (snapshot, table) in snapshots {
            #expect(try snapshot.search(queries, k: 30) == table, "\(seed)")
            let broken = snapshot.brokenInvariant()
            #expect(broken == nil, "\(seed)")
        }
        var other = snapshots[0].0
        other.remove(other.ids)
        #expect(other.isEmpty && snapshots[0].0.count == 3_000)
        #expect(try snapshots[0].0.search(queries, k: 30) == before, "\(seed)")
    }
}
