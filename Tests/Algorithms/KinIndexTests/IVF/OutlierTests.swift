import KinTestSupport
import Testing

@testable import KinIndex

/// Rows far from all others add almost nothing to the cost of a search for the others. The tests count lists and
/// blocks, not time.
@Suite("Outliers in an inverted-file index")
struct OutlierTests {
    enum Kind: String, CaseIterable, Sendable { case one, ten, hundred, huge, inOneDimension, opposite }

    static let partitionings: [IndexLayout] = [.medianSplits, .centroids(12)]
    private let rows = 6_000
    private let dimension = 8

    private func outliers(_ kind: Kind, random: inout SeededGenerator) -> [[Float]] {
        func far(_ scale: Float) -> [Float] {
            (0..<dimension).map { _ in scale * Float(random.gaussian()) }
        }
        switch kind {
        case .one: return [[Float](repeating: -999, count: dimension)]
        case .ten: return (0..<10).map { _ in far(1_000) }
        case .hundred: return (0..<100).map { _ in far(1_000) }
        case .huge: return [far(1e30), far(1e30), far(1e10), far(1e37)]
        case .inOneDimension:
            return (0..<5).map { i in (0..<dimension).map { $0 == i ? 5_000 : Float(random.uniform()) } }
        case .opposite: return [-1e4, 1e4].map { [Float](repeating: $0, count: dimension) }
        }
    }

    /// The lists visited and blocks screened by searches, and the mean number of ten neighbours that 8 probes find.
    private func work(_ index: VectorIndex, _ queries: Matrix<Float>) throws -> (
        lists: Int, blocks: Int, recall: Double
    ) {
        var (lists, blocks, found) = (0, 0, 0)
        for q in 0..<queries.rows {
            let query = Array(queries.row(q))
            let report = try index.explain(query, k: 10)
            lists += report.lists?.visited ?? 0
            blocks += report.blocksScreened
            let nearest = Set(report.neighbors.map(\.id))
            found += try index.search(query, k: 10, options: .init(mode: .probes(8))).count {
                nearest.contains($0.id)
            }
        }
        return (lists, blocks, Double(found) / Double(10 * queries.rows))
    }

    @Test(
        "outliers barely change the work and the recall of a search", arguments: Kind.allCases)
    func work(kind: Kind) throws {
        var random = TestSeed().generator
        let vectors = DataShape.clustered.matrix(rows: rows + 25, dimension: dimension, random: &random)
        let clean = Matrix(rows: (0..<rows).map { Array(vectors.row($0)) }, columns: dimension)
        let queries = Matrix(rows: (rows..<rows + 25).map { Array(vectors.row($0)) }, columns: dimension)
        let far = outliers(kind, random: &random)
        for partition in Self.partitionings {
            let note = "\(partition)"
            var index = VectorIndex(smallListsOf: dimension, partition: partition, shift: 8)
            try index.append(clean)
            let expected = try work(index, queries)
            let lists = index.listCount
            if kind == .one {
                try index.upsert(far[0], id: 1_099_511_627_776)
                #expect(index.listCount == lists + 1 && index.lists.store.outliers.lists == [lists], "\(note)")
                index.remove(1_099_511_627_776)
                #expect(index.listCount == lists && index.lists.store.outliers.isEmpty, "\(note)")
            }
            var built = VectorIndex(smallListsOf: dimension, partition: partition, shift: 8)
            try built.append(Matrix(rows: far + (0..<rows).map { Array(vectors.row($0)) }))
            for row in far { try index.append(Matrix(rows: [row])) }
            for (index, how) in [(built, "built"), (index, "grown")] {
                #expect(index.brokenInvariant() == nil, "\(note) \(how)")
                let found = try work(index, queries)
                // The outliers' list is visited if its box spans the data.
                #expect(found.lists <= expected.lists * 11 / 10 + 2 * queries.rows, "\(note) \(how)")
                #expect(found.blocks <= expected.blocks * 11 / 10 + 3 * queries.rows, "\(note) \(how)")
                #expect(found.recall >= 0.99 * expected.recall, "\(note) \(how)")
            }
        }
    }

    @Test("a saved index with outliers is searched with the same work and can change")
    func files() throws {
        var random = TestSeed().generator
        let folder = TemporaryFolder()
        let vectors = DataShape.clustered.matrix(rows: rows, dimension: dimension, random: &random)
        var index = VectorIndex(smallListsOf: dimension)
        try index.append(vectors)
        for row in outliers(.ten, random: &random) { try index.append(Matrix(rows: [row])) }
        #expect(!index.lists.store.outliers.isEmpty)
        try index.save(to: folder.path("far.kin"))
        #expect(try VectorIndex.verify(folder.path("far.kin")).isIntact)
        var opened = try VectorIndex(opening: folder.path("far.kin"))
        #expect(opened.brokenInvariant() == nil)
        let queries = Matrix(rows: (0..<30).map { Array(vectors.row($0 * 50)) }, columns: dimension)
        let (before, after) = (try work(index, queries), try work(opened, queries))
        #expect(after.lists <= before.lists + queries.rows && after.blocks <= before.blocks + queries.rows)
        try opened.save(to: folder.path("again.kin"))
        let first = try SectionFile(mapping: folder.path("far.kin")).sections.map(\.name)
        #expect(try SectionFile(mapping: folder.path("again.kin")).sections.map(\.name) == first)
        for row in outliers(.hundred, random: &random) { try opened.append(Matrix(rows: [row])) }
        #expect(opened.brokenInvariant() == nil)
    }

    @Test("outliers that become common lose their status")
    func drift() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 3, shift: 8)
        try index.append(random.gaussianMatrix(rows: 3_000, columns: 3))
        var next: UInt64 = 10_000
        for step in 0..<40 {
            // All rows move away from their earlier positions.
            for _ in 0..<100 {
                let row = (0..<3).map { _ in Float(30 * step) + Float(random.gaussian()) }
                try index.upsert(row, id: VectorID(next))
                next += 1
            }
        }
        #expect(index.brokenInvariant() == nil)
        #expect(index.lists.store.outliers.lists.count <= max(1, index.listCount / 16))
        let visited = try index.explain([600, 600, 600], k: 5).lists?.visited ?? 0
        #expect(visited <= 3, "\(visited) of \(index.listCount)")
        index.remove(index.ids)
        #expect(index.brokenInvariant() == nil && index.isEmpty)
    }
}
