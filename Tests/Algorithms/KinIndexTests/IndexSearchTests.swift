import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Searches of an index")
struct IndexSearchTests {
    /// Both ways to divide vectors, for lists of at most 512.
    static let partitionings: [IndexLayout] = [.medianSplits, .centroids(6)]

    @Test("any search equals a scan in double precision", arguments: DataShape.allCases, Metric.allCases)
    func matchesScan(shape: DataShape, metric: Metric) throws {
        for layouts in [[.flat], [.lists] + Self.partitionings] { try SearchTrial.run(shape, metric, layouts) }
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

    @Test("a report counts the work of a flat search")
    func flatReport() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 50_000, columns: 16)
        var index = VectorIndex(dimension: 16, layout: .flat)
        try index.append(vectors)
        let query = Array(vectors.row(0))
        let report = try index.explain(query, k: 10)
        #expect(report.neighbors == (try index.search(query, k: 10)))
        #expect(report.rows == 50_000)
        #expect(report.blocksScreened == (50_000 + 63) / 64)
        #expect((10...5_000).contains(report.survivors))
        #expect(report.exactDistances >= report.survivors)
        let few = try index.explain(query, k: 10, options: .init(where: .ids([1, 2, 3])))
        #expect(few.blocksScreened == 0 && few.exactDistances == 3)
    }

    @Test("a report counts the work of a search of lists")
    func listReport() throws {
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
