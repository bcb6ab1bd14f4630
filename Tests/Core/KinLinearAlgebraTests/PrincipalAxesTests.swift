import KinCore
import KinTestSupport
import Testing

@testable import KinLinearAlgebra

@Suite("Principal axes by random subspaces")
struct PrincipalAxesTests {
    /// Rows whose variances along a random basis decay like 1 ∕ j.
    private static func decaying(rows n: Int, columns d: Int, using random: inout SeededGenerator) throws -> Matrix<
        Float
    > {
        let directions: Matrix<Double> = random.gaussianMatrix(rows: d, columns: d)
        let basis = try SymmetricEigen(
            Matrix(rows: (0..<d).map { i in (0..<d).map { directions[i, $0] + directions[$0, i] } })
        ).vectors
        let deviates: Matrix<Double> = random.matrix(rows: n, columns: d) { $0.gaussian() }
        var scaled = deviates
        for i in 0..<n { for j in 0..<d { scaled[i, j] /= Double(j + 1).squareRoot() } }
        var rows = Matrix<Double>(rows: n, columns: d)
        try BLAS.gemm(scaled, basis, into: &rows)
        return Matrix<Float>(rows)
    }

    @Test(
        "axes explain nearly as much variance as exact eigenvectors",
        arguments: [(600, 96, 32), (40, 96, 32), (300, 20, 20)])
    func explained(n: Int, d: Int, count: Int) throws {
        var random = TestSeed().generator
        let rows = try Self.decaying(rows: n, columns: d, using: &random)
        let axes = try #require(try PrincipalAxes(fitting: rows, count: count))
        let exact = try PCA(fitting: rows, components: min(n - 1, count)).explainedVarianceRatio
        var sum = 0.0
        for (i, share) in exact.enumerated() {
            sum += share
            #expect(axes.explained[i] <= sum + 1e-5)
            #expect(axes.explained[i] > 0.99 * sum, "axis \(i)")
        }
        #expect(axes.stretch < 1 + 1e-4)
        let first = try axes.prefix(8)
        #expect(first.count == 8 && first.explained == Array(axes.explained.prefix(8)))
    }

    @Test("constant rows have no axes, and axes beyond the rank are zero")
    func degenerate() throws {
        #expect(try PrincipalAxes(fitting: Matrix<Float>(rows: 9, columns: 8, repeating: 3), count: 4) == nil)
        var random = TestSeed().generator
        let line = (0..<50).map { _ in Float(random.gaussian()) }
        let rows = try Matrix<Float>(rows: line.map { x in (0..<16).map { x * Float($0) } })
        let axes = try #require(try PrincipalAxes(fitting: rows, count: 4))
        #expect(axes.explained[0] > 0.999_99)
        #expect(axes.axes.row(1).allSatisfy { $0 == 0 })
        #expect(axes.stretch < 1.000_1)
    }

    @Test(
        "axes never lengthen a distance beyond their stated uncertainty", arguments: Metric.allCases,
        [1.0, 1e-30, 1e30])
    func contraction(metric: Metric, size: Double) throws {
        var random = TestSeed().generator
        let (n, d) = (200, 72)
        let rows = try Self.decaying(rows: n, columns: d, using: &random)
        let fitted = metric == .cosine ? rows : try scaled(rows, by: size)
        let axes = try #require(try PrincipalAxes(fitting: fitted, count: 32))
        let vectors = try scaled(rows, by: size)
        var coordinates = [Float](repeating: 0, count: n * 32)
        var uncertainties = [Double](repeating: 0, count: n)
        unsafe coordinates.withUnsafeMutableBufferPointer { z in
            unsafe vectors.withUnsafeBufferPointer { x in
                unsafe axes.project(
                    PaddedRows(x.baseAddress!, count: n, stride: d, dimension: d), metric: metric,
                    into: z.baseAddress!
                ) { row, uncertainty, _ in uncertainties[row] = uncertainty }
            }
        }
        func point(_ i: Int) -> [Double] {
            let x = vectors.row(i).map { Double($0) }
            let norm = metric == .cosine ? x.reduce(0) { $0 + $1 * $1 }.squareRoot() : 1
            return x.map { $0 / norm }
        }
        for i in 0..<n {
            let (a, b) = (i, random.below(n))
            let true2 = zip(point(a), point(b)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
            let along2 = (0..<32).reduce(0.0) { sum, j in
                let difference = Double(coordinates[a * 32 + j]) - Double(coordinates[b * 32 + j])
                return sum + difference * difference
            }
            let most = (axes.stretch * true2).squareRoot() + uncertainties[a] + uncertainties[b]
            #expect(along2.squareRoot() <= most, "rows \(a), \(b)")
            // The uncertainties are useful: they are small compared with the distance.
            #expect(uncertainties[a] < 1e-2 * (metric == .cosine ? 1 : size))
        }
    }

    @Test("non-finite and overly long rows get infinite uncertainty")
    func notFinite() throws {
        var random = TestSeed().generator
        let rows: Matrix<Float> = random.gaussianMatrix(rows: 40, columns: 16)
        let axes = try #require(try PrincipalAxes(fitting: rows, count: 4))
        var bad = Matrix<Float>(rows: 4, columns: 16, repeating: 1)
        bad[0, 3] = .nan
        bad[1, 0] = .infinity
        for j in 0..<16 { bad[2, j] = .greatestFiniteMagnitude }
        var coordinates = [Float](repeating: 7, count: 16)
        var uncertainties = [Double](repeating: 0, count: 4)
        unsafe coordinates.withUnsafeMutableBufferPointer { z in
            unsafe bad.withUnsafeBufferPointer { x in
                unsafe axes.project(
                    PaddedRows(x.baseAddress!, count: 4, stride: 16, dimension: 16), metric: .squaredL2,
                    into: z.baseAddress!
                ) { row, uncertainty, _ in uncertainties[row] = uncertainty }
            }
        }
        #expect(uncertainties.prefix(3).allSatisfy { $0 == .infinity } && uncertainties[3] < 1e-3)
        #expect(coordinates.prefix(12).allSatisfy { $0 == 0 })
    }
}

/// A matrix times a factor.
private func scaled(_ matrix: Matrix<Float>, by factor: Double) throws -> Matrix<Float> {
    try Matrix(rows: matrix.rows, columns: matrix.columns, elements: matrix.elements.map { Float(Double($0) * factor) })
}
