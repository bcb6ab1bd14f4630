import KinIndex
import KinTestSupport
import Testing

@Suite("Searches of a flat index")
struct FlatIndexSearchTests {
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
