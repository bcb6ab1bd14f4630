import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct ScatterTests {
    /// Mean and S by the definition, in wide precision.
    private func exact(_ data: Matrix<Float>) -> (mean: [Wide], scatter: WideMatrix) {
        let (n, d) = (data.rows, data.columns)
        var centred = WideMatrix(data)
        var mean: [Wide] = []
        for j in 0..<d {
            let m = (0..<n).reduce(Wide(0)) { $0 + centred[$1, j] } / Wide(n)
            for i in 0..<n { centred[i, j] -= m }
            mean.append(m)
        }
        return (mean, centred.transposed * centred)
    }

    private func expect(_ scatter: Scatter, describes data: Matrix<Float>) {
        let (mean, expected) = exact(data)
        #expect(scatter.count == data.rows)
        for (a, b) in zip(scatter.mean, mean) {
            #expect((Wide(a) - b).magnitude <= 1e-13 * b.magnitude + 1e-15)
        }
        let difference = expected.distance(to: scatter.matrix)
        #expect(difference <= 1e-12 * expected.largest, "\(data.rows) × \(data.columns)")
    }

    @Test func agreesWithTheDefinition() throws {
        var random = TestSeed().generator
        // One row; fewer rows than columns; several blocks of one and of several runs, the last one short.
        for (n, d) in [(1, 1), (1, 5), (2, 3), (7, 20), (2_500, 16), (300, 70)] {
            let data: Matrix<Float> = random.uniformMatrix(rows: n, columns: d, in: -1...2)
            expect(try Scatter(rows: data), describes: data)
        }
    }

    /// Spread 1 around a million, which floats store in exact steps of 1/16, and a mean that moves over the rows.
    @Test func aLargeOrMovingMeanCostsNoDigits() throws {
        var random = TestSeed().generator
        for mean in [{ _ in 1_000_000 }, { Float($0) }] as [(Int) -> Float] {
            var data: Matrix<Float> = random.gaussianMatrix(rows: 5_000, columns: 2)
            for i in 0..<5_000 { data[i, 0] += mean(i) }
            expect(try Scatter(rows: data), describes: data)
        }
    }

    @Test func anyNumberOfThreadsGivesTheSameBits() throws {
        var random = TestSeed().generator
        let data: Matrix<Float> = random.gaussianMatrix(rows: 9_000, columns: 17)
        let one = try Scatter(rows: data)
        for threads in [2, 3, 64, 1000] { #expect(try Scatter(rows: data, threads: threads) == one) }
    }

    @Test func mergingPartsEqualsTheWhole() throws {
        var random = TestSeed().generator
        let data: Matrix<Float> = random.uniformMatrix(rows: 200, columns: 4)
        for split in [0, 1, 77, 200] {
            let (head, tail) = (data.elements[..<(split * 4)], data.elements[(split * 4)...])
            var merged = try Scatter(rows: Matrix(rows: split, columns: 4, elements: Array(head)))
            merged.merge(try Scatter(rows: Matrix(rows: 200 - split, columns: 4, elements: Array(tail))))
            expect(merged, describes: data)
        }
    }

    @Test func covarianceAndCorrelationEqualKnownValues() throws {
        // y = −2 x, z constant.
        let scatter = try Scatter(rows: Matrix(rows: [[1, -2, 5], [1, -2, 5], [3, -6, 5], [3, -6, 5]]))
        #expect(scatter.mean == [2, -4, 5])
        #expect(scatter.matrix.elements == [4, -8, 0, -8, 16, 0, 0, 0, 0])
        #expect(scatter.covariance?.elements == scatter.matrix.elements.map { $0 / 3 })
        #expect(try Scatter(rows: Matrix(rows: [[1, 2]])).covariance == nil)
        #expect(Scatter(dimension: 2, count: 0).covariance == nil)
    }

    @Test func emptyTablesAreAccepted() throws {
        #expect(try Scatter(rows: Matrix(rows: 0, columns: 3)) == Scatter(dimension: 3, count: 0))
        #expect(try Scatter(rows: Matrix(rows: 4, columns: 0)).count == 4)
    }

    @Test func aNumberThatIsNotFiniteIsNamed() {
        for bad in [Float.nan, .infinity, -.infinity] {
            var data = Matrix<Float>(rows: 2_000, columns: 16, repeating: 1)
            data[1_500, 9] = bad
            let error = kinError { try Scatter(rows: data, threads: 2) }
            #expect(error.says("row 1500, column 9: ", code: .notFinite))
        }
    }

    @Test func theLargestFloatsDoNotOverflow() throws {
        let huge = Float.greatestFiniteMagnitude
        let scatter = try Scatter(rows: Matrix(rows: [[huge], [-huge]]))
        #expect(scatter.mean == [0])
        #expect(scatter.matrix[0, 0] == 2 * Double(huge) * Double(huge))
    }
}
