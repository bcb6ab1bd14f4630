import KinIndex
import KinTestSupport
import Testing

@Suite("Flat search equals a double-precision scan")
struct FlatIndexSearchTests {
    @Test(
        "single queries and batches of any dimension, size and k are exact",
        arguments: Metric.allCases, [1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 48, 130])
    func matchesScan(metric: Metric, dimension: Int) throws {
        var random = TestSeed().generator
        let sizes = [0, 1, 2, 63, 64, 65, 255, 256, 257, 700] + ([3, 16].contains(dimension) ? [9_000] : [])
        for n in sizes {
            let vectors: Matrix<Float> = random.uniformMatrix(rows: n, columns: dimension, in: -1...1)
            let queries: Matrix<Float> = random.uniformMatrix(rows: 5, columns: dimension, in: -1...1)
            let oracle = LaneOracle(vectors, metric: metric)
            var index = VectorIndex(dimension: dimension, metric: metric, layout: .flat)
            try index.append(vectors)
            let rankings = (0..<5).map { oracle.ranking(of: Array(queries.row($0))) }
            for k in [0, 1, 10, n / 2, n, n + 7] {
                let batch = try index.search(queries, k: k, options: .init(threads: 2))
                #expect(batch.count == 5)
                for q in 0..<5 {
                    let expected = Array(rankings[q].prefix(k))
                    let single = try index.search(Array(queries.row(q)), k: k)
                    expectSame(single, expected, "n \(n) k \(k)")
                    expectSame(batch[q], expected, "n \(n) k \(k)")
                }
            }
        }
    }

    @Test("the result does not depend on the number of threads", arguments: Metric.allCases)
    func threads(metric: Metric) throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 270_000, columns: 16)
        let queries: Matrix<Float> = random.gaussianMatrix(rows: 70, columns: 16)
        var index = VectorIndex(dimension: 16, metric: metric, layout: .flat)
        try index.append(vectors)
        let one = try index.search(queries, k: 10)
        #expect(try index.search(queries, k: 10, options: .init(threads: 2)) == one)
        #expect(try index.search(queries, k: 10, options: .init(threads: 7)) == one)
        let radii = one.map { $0.last!.distance }
        #expect(try index.search(queries, k: 20, options: .init(threads: 7, radii: radii)).elementsEqual(one))
        for q in 0..<4 {
            let query = Array(queries.row(q))
            expectSame(try index.search(query, k: 10, options: .init(threads: 3)), one[q], "query \(q)")
            let radius = one[q].last!.distance
            expectSame(try index.rangeSearch(query, radius: radius, threads: 2), one[q], "query \(q)")
        }
    }

    @Test("results are written to the caller's memory")
    func callersMemory() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 20_000, columns: 16)
        var index = VectorIndex(dimension: 16, layout: .flat)
        try index.append(vectors)
        let query = Array(vectors.row(17))
        var places = [Neighbor](repeating: Neighbor(id: .none, distance: -1), count: 12)
        var span = places.mutableSpan
        #expect(try index.search(query.span, into: &span) == 12)
        #expect(places == (try index.search(query, k: 12)))

        let untouched = places
        var again = places.mutableSpan
        #expect(errorCode { try index.search([Float](repeating: .nan, count: 16).span, into: &again) } == .notFinite)
        #expect(places == untouched)
    }

    @Test("range search finds every vector within the radius", arguments: Metric.allCases, [3, 16, 40])
    func radius(metric: Metric, dimension: Int) throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 5_000, columns: dimension)
        var index = VectorIndex(dimension: dimension, metric: metric, layout: .flat)
        try index.append(vectors)
        let oracle = LaneOracle(vectors, metric: metric)
        let query = Array(vectors.row(5))
        let ranking = oracle.ranking(of: query)
        for m in [0, 1, 40, 1_500, 4_999] {
            let radius = ranking[m].distance
            let expected = ranking.filter { $0.distance <= radius }
            expectSame(try index.rangeSearch(query, radius: radius), expected)
        }
        let below = ranking[0].distance.nextDown
        #expect(try index.rangeSearch(query, radius: below).isEmpty)
        expectSame(try index.rangeSearch(query, radius: .infinity), ranking)
        #expect(try index.rangeSearch(query, radius: -.infinity).isEmpty)
    }

    @Test("a report counts the work of the search")
    func report() throws {
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
}
