import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Search within radii equals the double-precision ranking cut at each radius")
struct SearchRadiusTests {
    /// Radii of every kind for one ranking: exactly at a vector's distance, just below and above it, wide, and
    /// unlimited.
    private static func radii(for ranking: [Neighbor], random: inout SeededGenerator) -> [Double] {
        let places = [0, 9, 10].map { $0 % ranking.count } + [random.below(ranking.count)]
        return places.flatMap { place in
            let distance = ranking[place].distance
            return [distance, distance.nextDown, distance.nextUp]
        } + [.infinity, -.infinity, .greatestFiniteMagnitude, -1, 0]
    }

    private static func cut(_ ranking: [Neighbor], _ k: Int, at radius: Double) -> [Neighbor] {
        Array(ranking.prefix { $0.distance <= radius }.prefix(k))
    }

    /// A flat index and one with lists of the same vectors.
    private static func indexes(
        _ vectors: Matrix<Float>, ids: [VectorID], metric: Metric = .squaredL2
    ) throws -> [VectorIndex] {
        var flat = VectorIndex(dimension: vectors.columns, metric: metric, layout: .flat)
        try flat.upsert(vectors, ids: ids)
        var lists = VectorIndex(smallListsOf: vectors.columns, metric: metric)
        try lists.upsert(vectors, ids: ids)
        return [flat, lists]
    }

    @Test(
        "results are exact for any data, metric and layout, single and in batches", arguments: DataShape.allCases,
        Metric.allCases)
    func matchesScan(shape: DataShape, metric: Metric) throws {
        var random = TestSeed().generator
        for dimension in [3, 16] {
            let vectors = shape.matrix(rows: 400, dimension: dimension, random: &random)
            let ids = (0..<400).map { VectorID(UInt64($0) * 3 + 1) }.shuffled(using: &random)
            let oracle = LaneOracle(vectors, ids: ids, metric: metric)
            let indexes = try Self.indexes(vectors, ids: ids, metric: metric)
            let points = DataShape.queries(for: vectors, random: &random)
            // Every query with every radius, in one batch whose tiles are full.
            var queries: [[Float]] = []
            var radii: [Double] = []
            var rankings: [[Neighbor]] = []
            for q in 0..<points.rows {
                let ranking = oracle.ranking(of: Array(points.row(q)))
                for radius in Self.radii(for: ranking, random: &random) {
                    queries.append(Array(points.row(q)))
                    radii.append(radius)
                    rankings.append(ranking)
                }
            }
            let batch = Matrix(rows: queries, columns: dimension)
            for (k, threads) in [(0, 1), (1, 1), (10, 3), (407, 1)] {
                for index in indexes {
                    let found = try index.search(batch, k: k, options: .init(threads: threads, radii: radii))
                    for q in queries.indices {
                        let expected = Self.cut(rankings[q], k, at: radii[q])
                        let note = "\(index.layout) dimension \(dimension) k \(k) radius \(radii[q]) query \(q)"
                        expectSame(found[q], expected, note)
                        guard k == 10 else { continue }
                        let single = try index.search(queries[q], k: k, options: .init(radius: radii[q]))
                        expectSame(single, expected, note)
                    }
                }
            }
        }
    }

    @Test("results are exact with many ties, some of them at the radius", arguments: Metric.allCases)
    func ties(metric: Metric) throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.matrix(rows: 10_000, columns: 8) { Double($0.below(3)) + 1 }
        let ids = (0..<10_000).map { VectorID(UInt64($0)) }.shuffled(using: &random)
        let oracle = LaneOracle(vectors, ids: ids, metric: metric)
        let queries: Matrix<Float> = random.matrix(rows: 40, columns: 8) { Double($0.below(3)) + 1 }
        let rankings = (0..<40).map { oracle.ranking(of: Array(queries.row($0))) }
        let radii = rankings.map { random.below(4) == 0 ? .infinity : $0[random.below(40)].distance }
        for index in try Self.indexes(vectors, ids: ids, metric: metric) {
            for k in [5, 30, 500] {
                let found = try index.search(queries, k: k, options: .init(radii: radii))
                for q in 0..<40 {
                    let expected = Self.cut(rankings[q], k, at: radii[q])
                    let note = "\(index.layout) k \(k) query \(q)"
                    expectSame(found[q], expected, note)
                    var places = [Neighbor](repeating: Neighbor(id: .none, distance: -1), count: k)
                    var span = places.mutableSpan
                    let query = Array(queries.row(q))
                    let count = try index.search(query.span, into: &span, options: .init(radius: radii[q]))
                    #expect(Array(places.prefix(count)) == expected, "\(note)")
                }
            }
        }
    }

    @Test("a radius never makes a search with recall miss nearer vectors")
    func recall() throws {
        var random = TestSeed().generator
        let vectors = DataShape.uniform.matrix(rows: 20_000, dimension: 8, random: &random)
        let queries = DataShape.uniform.matrix(rows: 100, dimension: 8, random: &random)
        var index = VectorIndex(dimension: 8)
        try index.append(vectors)
        let plain = try index.search(queries, k: 10, options: .init(mode: .recall(0.8)))
        let radii = plain.map { Array($0)[6].distance }
        let found = try index.search(queries, k: 10, options: .init(mode: .recall(0.8), radii: radii))
        for q in 0..<100 {
            #expect(found[q].allSatisfy { $0.distance <= radii[q] }, "query \(q)")
            #expect(found[q].count >= 7, "query \(q)")
            // The search may find more vectors; then the seventh is nearer.
            #expect(zip(found[q], plain[q].prefix(7)).allSatisfy { $0.distance <= $1.distance }, "query \(q)")
        }
        let unlimited = [Double](repeating: .infinity, count: 100)
        for mode in [SearchMode.recall(0.8), .probes(2)] {
            let (with, without) = try (
                index.search(queries, k: 10, options: .init(mode: mode, radii: unlimited)),
                index.search(queries, k: 10, options: .init(mode: mode))
            )
            #expect(with == without)
        }
    }

    @Test("a radius shorter than the distance to the nearest box reads no list")
    func savedWork() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 4)
        try index.append(DataShape.uniform.matrix(rows: 3_000, dimension: 4, random: &random))
        let far: [Float] = [9, 9, 9, 9]
        #expect(try index.explain(far, k: 3).lists?.visited != 0)
        let report = try index.explain(far, k: 3, options: .init(radius: 1))
        #expect(report.lists?.visited == 0 && report.neighbors.isEmpty)
    }

    @Test("a NaN radius and a wrong number of radii are refused")
    func refusals() throws {
        let two = Matrix<Float>(rows: [[1], [2]], columns: 1)
        var places = [Neighbor](repeating: Neighbor(id: .none, distance: -1), count: 1)
        var span = places.mutableSpan
        for index in try Self.indexes(two, ids: [0, 1]) {
            let options = SearchOptions(radius: .nan)
            #expect(errorCode { try index.search([1], k: 1, options: options) } == .notFinite)
            #expect(errorCode { try index.search([Float(1)].span, into: &span, options: options) } == .notFinite)
            #expect(errorCode { try index.explain([1], k: 1, options: options) } == .notFinite)
            #expect(errorCode { try index.search(two, k: 1, options: .init(radii: [1, .nan])) } == .notFinite)
            for radii in [[], [1], [1, 2, 3]] as [[Double]] {
                #expect(errorCode { try index.search(two, k: 1, options: .init(radii: radii)) } == .invalidArgument)
            }
        }
    }
}
