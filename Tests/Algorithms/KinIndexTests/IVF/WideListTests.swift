import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Lists of wide vectors")
struct WideListTests {
    @Test(
        "codes exclude nearly all rows, in lists of few rows too",
        arguments: [
            (256, IndexLayout.centroids(30)), (1_024, .lists), (1_025, .lists), (3_072, .lists),
        ])
    func screens(dimension: Int, layout: IndexLayout) throws {
        var random = TestSeed().generator
        let (n, queries) = (3_000, 20)
        let centres: Matrix<Float> = random.gaussianMatrix(rows: 3, columns: dimension)
        let axes = (0..<4).map { _ in (0..<dimension).map { _ in Float(random.gaussian()) } }
        let rows = (0..<n + queries).map { i in
            var row = Array(centres.row(i % 3))
            for axis in axes {
                let factor = Float(random.gaussian())
                // Without optimisation, `while` is much faster than `for`.
                var j = 0
                while j < dimension {
                    row[j] += factor * axis[j] + 0.01 * Float(random.gaussian())
                    j += 1
                }
            }
            return row
        }
        let vectors = Matrix(rows: Array(rows[..<n]), columns: dimension)
        var lists = VectorIndex(dimension: dimension, layout: layout)
        try lists.append(vectors, threads: 2)
        let flat = try VectorIndex(flat: vectors)
        var compared = 0
        for query in rows[n...] {
            let report = try lists.explain(query, k: 10)
            #expect(try report.neighbors == flat.search(query, k: 10))
            compared += report.exactDistances
        }
        // Without codes, the lists within the radius have 600 to 1,400 rows.
        #expect(compared < 100 * queries, "\(compared / queries) of \(n) rows")
    }

    @Test(
        "few rows of a flat index are coded if they are wide",
        arguments: [
            (64, 255, false), (64, 256, true),
            (256, 63, false), (256, 64, true), (2_000, 64, true),
        ])
    func coded(dimension: Int, rows: Int, isCoded: Bool) throws {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: dimension, layout: .flat)
        try index.append(random.gaussianMatrix(rows: rows, columns: dimension))
        #expect((index.flat.store.chunks[0].coding != nil) == isCoded)
    }
}
