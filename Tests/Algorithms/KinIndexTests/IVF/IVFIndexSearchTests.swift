import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Exact inverted-file search equals flat search")
struct IVFIndexSearchTests {
    /// Both ways to divide vectors, for lists of at most 512.
    static let partitionings: [IndexLayout] = [.medianSplits, .centroids(6)]

    @Test(
        "results are equal for any data, metric, dimension and partition", arguments: DataShape.allCases,
        Metric.allCases)
    func matchesFlat(shape: DataShape, metric: Metric) throws {
        var random = TestSeed().generator
        for dimension in [1, 3, 7, 16, 48, 130] {
            let n = dimension < 48 ? 900 : 600
            let vectors = shape.matrix(rows: n, dimension: dimension, random: &random)
            let queries = DataShape.queries(for: vectors, random: &random)
            let ids = (0..<n).map { VectorID(UInt64($0) * 3 + 1) }.shuffled(using: &random)
            var flat = VectorIndex(dimension: dimension, metric: metric, layout: .flat)
            try flat.upsert(vectors, ids: ids)
            // In 7 dimensions one search asks for more than all vectors. K-means lists take longest to build, so only
            // three dimensions have them.
            let widths = dimension == 7 ? [1, 10, n + 7] : [1, 10]
            let expected = try widths.map { try flat.search(queries, k: $0) }
            for partition in Self.partitionings where partition == .medianSplits || [3, 16, 130].contains(dimension) {
                var index = VectorIndex(smallListsOf: dimension, metric: metric, partition: partition)
                try index.upsert(vectors, ids: ids)
                let note = "dimension \(dimension) \(partition)"
                #expect(index.count == n && index.listCount > 1, "\(note)")
                for (table, k) in zip(expected, widths) {
                    let found = try index.search(queries, k: k)
                    for q in 0..<queries.rows { expectSame(found[q], table[q], "\(note) k \(k) query \(q)") }
                }
            }
        }
    }

    @Test(
        "every row is within its boxes, whether loaded or added singly", arguments: DataShape.allCases, Metric.allCases)
    func invariants(shape: DataShape, metric: Metric) throws {
        var random = TestSeed().generator
        let vectors = shape.matrix(rows: 1_400, dimension: 5, random: &random)
        for partition in Self.partitionings {
            var index = VectorIndex(smallListsOf: 5, metric: metric, partition: partition, shift: 8)
            try index.append(Matrix(rows: (0..<1_100).map { Array(vectors.row($0)) }))
            #expect(index.brokenInvariant() == nil, "\(partition)")
            for i in 1_100..<1_400 { try index.upsert(Array(vectors.row(i)), id: VectorID(UInt64(i * 2))) }
            #expect(index.brokenInvariant() == nil, "\(partition)")
        }
    }

    @Test("only correlated data are searched in a rotated frame", arguments: Metric.allCases)
    func frames(metric: Metric) throws {
        var random = TestSeed().generator
        for (shape, isRotated) in [(DataShape.correlated, metric != .innerProduct), (.uniform, false)] {
            var index = VectorIndex(smallListsOf: 16, metric: metric)
            try index.append(shape.matrix(rows: 6_000, dimension: 16, random: &random))
            #expect(index.lists.store.frame.isRotated == isRotated, "\(shape)")
        }
    }

    @Test("a report counts the work of the search")
    func report() throws {
        var random = TestSeed().generator
        let vectors = DataShape.clustered.matrix(rows: 9_000, dimension: 16, random: &random)
        var index = VectorIndex(smallListsOf: 16)
        try index.append(vectors)
        let query = Array(vectors.row(3))
        let report = try index.explain(query, k: 10)
        let lists = try #require(report.lists)
        #expect(report.neighbors == (try index.search(query, k: 10)))
        #expect(report.rows == 9_000 && lists.all == index.listCount)
        #expect((1..<lists.all / 2).contains(lists.visited), "clusters apart from each other are passed over")
        #expect(report.exactDistances >= 10 && report.exactDistances < 3_000)
        let probes = try index.explain(query, k: 10, options: .init(mode: .probes(2)))
        #expect(probes.lists?.visited ?? 0 <= 2 && probes.neighbors.count == 10)
    }

    @Test("an empty index and k = 0 give no neighbours")
    func nothing() throws {
        var index = VectorIndex(dimension: 3)
        #expect(try index.search([1, 2, 3], k: 5).isEmpty)
        #expect(try index.search(Matrix(rows: 2, columns: 3, repeating: 1), k: 5).map(\.count) == [0, 0])
        #expect(try index.explain([1, 2, 3], k: 5).neighbors.isEmpty)
        try index.append(Matrix(rows: 4, columns: 3, repeating: 1))
        #expect(try index.search([1, 2, 3], k: 0).isEmpty)
        #expect(try index.search(Matrix<Float>(rows: 0, columns: 3), k: 5).isEmpty)
        index.remove(index.ids)
        #expect(index.isEmpty)
        #expect(try index.search([1, 2, 3], k: 5, options: .init(mode: .recall(0.9))).isEmpty)
    }
}
