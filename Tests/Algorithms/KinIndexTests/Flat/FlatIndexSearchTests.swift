import KinIndex
import KinTestSupport
import Testing

@Suite("Flat search equals a double-precision scan")
struct FlatIndexSearchTests {
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
