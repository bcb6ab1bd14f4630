import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct PCATests {
    /// Floats far from zero, with the same differences as floats near zero.
    @Test func findsTheSameFarFromZero() throws {
        var random = TestSeed().generator
        var (near, far) = (Matrix<Float>(rows: 500, columns: 4), Matrix<Float>(rows: 500, columns: 4))
        for i in 0..<500 {
            for j in 0..<4 {
                // Whole numbers below 2²⁴ are exact as floats.
                let value = (random.gaussian() * Double(10 * (j + 1))).rounded()
                near[i, j] = Float(value)
                far[i, j] = Float(value + 0x1p23 + Double(j))
            }
        }
        let (a, b) = (try PCA(fitting: near), try PCA(fitting: far))
        for (x, y) in zip(a.explainedVariance, b.explainedVariance) { #expect(abs(x - y) <= 1e-9 * x) }
        for (x, y) in zip(a.components.elements, b.components.elements) { #expect(abs(x - y) <= 1e-9) }
        for (x, y) in zip(try a.transform(near).elements, try b.transform(far).elements) {
            #expect(abs(x - y) <= 1e-4)
        }
    }

    @Test func eigenpairsMatchTheExactCovariance() throws {
        var random = TestSeed().generator
        for (n, d) in [(2, 1), (2, 2), (50, 6), (600, 16), (3, 8), (2, 9), (5, 40), (20, 90)] {
            try expectEigenpairs(of: random.uniformMatrix(rows: n, columns: d, in: 5...6))
        }
    }

    /// Some variances are far smaller than others, and some are zero. Only the first columns vary.
    @Test func eigenpairsOfAnyRankMatchTheExactCovariance() throws {
        var random = TestSeed().generator
        let full = [(1, 60, 60), (2, 60, 60), (4, 60, 60), (6, 60, 60), (4, 9, 9)]
        for (rank, varying, columns) in full + [(1, 1, 60), (1, 2, 60), (2, 2, 60), (2, 3, 60), (3, 3, 60)] {
            let factors: Matrix<Float> = random.gaussianMatrix(rows: 6, columns: rank)
            let directions: Matrix<Float> = random.gaussianMatrix(rows: rank, columns: columns)
            // Each row occurs twice.
            var data = Matrix<Float>(rows: 12, columns: columns)
            for i in 0..<12 {
                for j in 0..<varying {
                    for r in 0..<rank {
                        let scale = Float(sign: .plus, exponent: -6 * r, significand: 1)
                        data[i, j] += scale * factors[i / 2, r] * directions[r, j]
                    }
                }
            }
            try expectEigenpairs(of: data)
        }
    }

    /// Compares all components with the covariance in higher precision.
    private func expectEigenpairs(of data: Matrix<Float>) throws {
        let (n, d) = (data.rows, data.columns)
        let pca = try PCA(fitting: data)
        let k = min(n, d)
        #expect(pca.components.rows == k && pca.explainedVariance.count == k)

        var centred = WideMatrix(data)
        for j in 0..<d {
            let mean = (0..<n).reduce(Wide(0)) { $0 + centred[$1, j] } / Wide(n)
            #expect((Wide(pca.mean[j]) - mean).magnitude < 1e-13)
            for i in 0..<n { centred[i, j] -= mean }
        }
        let covariance = (1 / Wide(n - 1)) * (centred.transposed * centred)
        let w = WideMatrix(pca.components)
        var scaled = w
        for i in 0..<k {
            for j in 0..<d { scaled[i, j] *= Wide(pca.explainedVariance[i]) }
        }
        #expect((w * covariance + -1 * scaled).largest <= 1e-13 * covariance.largest * Wide(d), "\(n) × \(d)")
        var identity = Matrix<Double>(rows: k, columns: k)
        for i in 0..<k { identity[i, i] = 1 }
        #expect((w * w.transposed).distance(to: identity) < 1e-13, "\(n) × \(d)")
        for component in 0..<k {
            #expect(pca.components.row(component).max { $0.magnitude < $1.magnitude }! > 0)
        }
        let trace = (0..<d).reduce(Wide(0)) { $0 + covariance[$1, $1] }
        #expect((Wide(pca.totalVariance) - trace).magnitude <= 1e-13 * trace)
        #expect(abs(pca.explainedVarianceRatio.reduce(0, +) - 1) < 1e-12, "all components explain all")
        #expect(zip(pca.explainedVariance, pca.explainedVariance.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test func coordinatesAreTheInnerProductsToFloatPrecision() throws {
        var random = TestSeed().generator
        var data: Matrix<Float> = random.gaussianMatrix(rows: 700, columns: 9)
        for i in 0..<700 { data[i, 4] += 100_000 }
        let pca = try PCA(fitting: data, components: 5)
        let coordinates = try pca.transform(data)
        for i in 0..<700 {
            for c in 0..<5 {
                let expected = (0..<9).reduce(Wide(0)) {
                    $0 + Wide(pca.components[c, $1]) * (Wide(data[i, $1]) - Wide(pca.mean[$1]))
                }
                let error = (Wide(coordinates[i, c]) - expected).magnitude
                #expect(error <= 0x1p-24 * expected.magnitude + 1e-9)
            }
        }
    }

    @Test func allComponentsRebuildTheData() throws {
        var random = TestSeed().generator
        for (n, d) in [(2, 1), (9, 4), (2_000, 16)] {
            let data: Matrix<Float> = random.uniformMatrix(rows: n, columns: d, in: -3...3)
            let pca = try PCA(fitting: data)
            let back = try pca.inverseTransform(pca.transform(data))
            #expect(WideMatrix(data).distance(to: back) < 2e-6, "\(n) × \(d)")
        }
    }

    @Test func duplicatesAndConstantColumnsAreHandled() throws {
        let pca = try PCA(fitting: Matrix(rows: [[1, 7], [1, 7], [3, 7], [3, 7]]))
        #expect(pca.mean == [2, 7])
        #expect(pca.components.elements == [1, 0, 0, 1])
        #expect(abs(pca.explainedVariance[0] - 4.0 / 3) < 1e-15 && pca.explainedVariance[1] == 0)
        #expect(pca.explainedVarianceRatio == [1, 0])
    }

    @Test(arguments: [(5, 3), (3, 20)]) func constantDataHasNoVariance(rows: Int, columns: Int) throws {
        let data = Matrix<Float>(rows: rows, columns: columns, repeating: 0.1)
        let pca = try PCA(fitting: data)
        #expect(pca.totalVariance == 0 && pca.explainedVarianceRatio.allSatisfy { $0 == 0 })
        #expect(try pca.transform(data) == Matrix(rows: rows, columns: 3))
        #expect(try pca.inverseTransform(pca.transform(data)) == data)
    }

    @Test func noRowsMapToNoRows() throws {
        let pca = try PCA(fitting: Matrix(rows: [[1, 2, 3], [4, 5, 7]]), components: 1)
        #expect(try pca.transform(Matrix(rows: 0, columns: 3)) == Matrix(rows: 0, columns: 1))
        #expect(try pca.inverseTransform(Matrix(rows: 0, columns: 1)) == Matrix(rows: 0, columns: 3))
    }

    @Test func badInputIsRefused() throws {
        let data = try Matrix<Float>(rows: [[1, 2, 3], [4, 5, 7]])
        #expect(errorCode { try PCA(fitting: Matrix(rows: 1, columns: 3)) } == .invalidArgument)
        #expect(errorCode { try PCA(fitting: Matrix(rows: 0, columns: 3)) } == .invalidArgument)
        #expect(errorCode { try PCA(fitting: Matrix(rows: 3, columns: 0)) } == .invalidArgument)
        #expect(errorCode { try PCA(fitting: data, components: 0) } == .invalidArgument)
        #expect(errorCode { try PCA(fitting: data, components: 3) } == .invalidArgument)
        #expect(errorCode { try PCA(fitting: data, threads: 0) } == .invalidArgument)
        #expect(errorCode { try PCA(fitting: Matrix(rows: [[1], [.infinity]])) } == .notFinite)
        let wide = try Matrix<Float>(rows: [[1, 2, 3, 4, 5, 6, 7], [1, 2, .nan, 4, 5, 6, 7]])
        #expect(errorCode { try PCA(fitting: wide, components: 1) } == .notFinite)
        let pca = try PCA(fitting: data, components: 1)
        #expect(errorCode { try pca.transform(Matrix(rows: 1, columns: 2)) } == .dimensionMismatch)
        #expect(errorCode { try pca.transform(Matrix(rows: [[1, .nan, 2]])) } == .notFinite)
        #expect(errorCode { try pca.inverseTransform(data) } == .dimensionMismatch)
    }
}
