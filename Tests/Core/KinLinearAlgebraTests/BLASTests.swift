import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct BLASTests {
    private static let shapes = [(1, 1, 1), (2, 3, 4), (5, 1, 7), (16, 16, 1), (33, 17, 40), (10, 7, 130)]

    /// op(A) of an oracle matrix.
    private func apply(_ operation: MatrixOperation, _ a: WideMatrix) -> WideMatrix {
        operation == .none ? a : a.transposed
    }

    /// γ_k Σ|a||b| in double precision, with two more roundings for α and β.
    private func tolerance(_ terms: Int, _ ulp: Wide, _ magnitudes: WideMatrix) -> Wide {
        Wide(terms + 3) * ulp * magnitudes.largest
    }

    @Test func gemmAgreesWithPlainLoops() throws {
        var random = TestSeed().generator
        for (m, n, k) in Self.shapes {
            for operationA in [MatrixOperation.none, .transposed] {
                for operationB in [MatrixOperation.none, .transposed] {
                    let a: Matrix<Double> = random.gaussianMatrix(
                        rows: operationA == .none ? m : k, columns: operationA == .none ? k : m)
                    let b: Matrix<Double> = random.gaussianMatrix(
                        rows: operationB == .none ? k : n, columns: operationB == .none ? n : k)
                    let before: Matrix<Double> = random.gaussianMatrix(rows: m, columns: n)
                    var c = before
                    try BLAS.gemm(a, opA: operationA, b, opB: operationB, beta: -2, into: &c)
                    let (opA, opB) = (apply(operationA, WideMatrix(a)), apply(operationB, WideMatrix(b)))
                    let expected = opA * opB + -2 * WideMatrix(before)
                    let magnitudes = opA.magnitude * opB.magnitude + 2 * WideMatrix(before).magnitude
                    #expect(
                        expected.distance(to: c) <= tolerance(k, Wide(Double.ulpOfOne), magnitudes),
                        "\(m) × \(n) × \(k) \(operationA) \(operationB)")
                }
            }
        }
    }

    @Test func trmmAgreesWithPlainLoopsAndReadsTheUpperTriangleOnly() throws {
        var random = TestSeed().generator
        for (m, n, _) in Self.shapes {
            var triangle: Matrix<Double> = random.gaussianMatrix(rows: n, columns: n)
            let before: Matrix<Double> = random.gaussianMatrix(rows: m, columns: n)
            var upper = triangle
            for i in 0..<n {
                for j in 0..<i { (upper[i, j], triangle[i, j]) = (0, .nan) }
            }
            var product = before
            try BLAS.trmm(upper: triangle, into: &product)
            let expected = WideMatrix(before) * WideMatrix(upper)
            let magnitudes = WideMatrix(before).magnitude * WideMatrix(upper).magnitude
            #expect(
                expected.distance(to: product) <= tolerance(n, Wide(Double.ulpOfOne), magnitudes),
                "\(m) × \(n)")
        }
    }

    /// Every vector, including shapes with more rows than a block.
    @Test func gemvAgreesWithPlainLoops() throws {
        var random = TestSeed().generator
        for (m, n, sets) in Self.shapes + [(700, 70, 3)] {
            let a: Matrix<Double> = random.gaussianMatrix(rows: m, columns: n)
            let x: Matrix<Double> = random.gaussianMatrix(rows: sets, columns: n)
            let before: Matrix<Double> = random.gaussianMatrix(rows: sets, columns: m)
            var y = before
            try BLAS.gemv(a, vectors: x, beta: 0.25, into: &y)
            let expected = WideMatrix(x) * WideMatrix(a).transposed + 0.25 * WideMatrix(before)
            let magnitudes =
                WideMatrix(x).magnitude * WideMatrix(a).transposed.magnitude + 0.25 * WideMatrix(before).magnitude
            #expect(
                expected.distance(to: y) <= tolerance(n, Wide(Double.ulpOfOne), magnitudes),
                "\(m) × \(n), \(sets) vectors")
        }
    }

    @Test func betaZeroDoesNotReadTheOldResult() throws {
        let a = try Matrix<Double>(rows: [[1, 2], [3, 4]])
        var c = Matrix<Double>(rows: 2, columns: 2, repeating: .nan)
        try BLAS.gemm(a, a, into: &c)
        #expect(c.elements == [7, 10, 15, 22])
        var y = Matrix<Double>(rows: 1, columns: 2, repeating: .nan)
        try BLAS.gemv(a, vectors: Matrix(rows: [[1, 1]]), into: &y)
        #expect(y.elements == [3, 7])
    }

    @Test func aMatrixMayAppearOnBothSides() throws {
        var c = try Matrix<Double>(rows: [[1, 2], [3, 4]])
        try BLAS.gemm(c, c, into: &c)
        #expect(c.elements == [7, 10, 15, 22])
    }

    @Test func emptySumsScaleTheOldResult() throws {
        let (tall, wide) = (Matrix<Double>(rows: 2, columns: 0), Matrix<Double>(rows: 0, columns: 3))
        var c = Matrix<Double>(rows: 2, columns: 3, repeating: 4)
        try BLAS.gemm(tall, wide, beta: 0.5, into: &c)
        #expect(c == Matrix(rows: 2, columns: 3, repeating: 2))
        c = Matrix(rows: 2, columns: 3, repeating: .nan)
        try BLAS.gemm(tall, wide, into: &c)
        #expect(c == Matrix(rows: 2, columns: 3))
        var y = Matrix<Double>(rows: 1, columns: 2, repeating: .nan)
        try BLAS.gemv(tall, vectors: Matrix(rows: 1, columns: 0), into: &y)
        #expect(y.elements == [0, 0])
        var nothing = Matrix<Double>(rows: 0, columns: 3)
        try BLAS.gemm(Matrix<Double>(rows: 0, columns: 2), Matrix<Double>(rows: 2, columns: 3), into: &nothing)
        #expect(nothing.isEmpty)
    }

    @Test func wrongShapesAreRefused() {
        let a = Matrix<Double>(rows: 2, columns: 3)
        var c = Matrix<Double>(rows: 2, columns: 2)
        var y = Matrix<Double>(rows: 1, columns: 2)
        #expect(errorCode { try BLAS.gemm(a, a, into: &c) } == .dimensionMismatch)
        #expect(errorCode { try BLAS.gemm(a, opA: .transposed, a, into: &c) } == .dimensionMismatch)
        #expect(errorCode { try BLAS.gemm(a, a, opB: .transposed, into: &c) } == nil)
        var b = Matrix<Double>(rows: 2, columns: 3)
        #expect(errorCode { try BLAS.trmm(upper: Matrix(rows: 2, columns: 2), into: &b) } == .dimensionMismatch)
        #expect(errorCode { try BLAS.trmm(upper: Matrix(rows: 2, columns: 3), into: &b) } == .dimensionMismatch)
        #expect(errorCode { try BLAS.gemv(a, vectors: Matrix(rows: 1, columns: 2), into: &y) } == .dimensionMismatch)
        #expect(errorCode { try BLAS.gemv(a, vectors: Matrix(rows: 2, columns: 3), into: &y) } == .dimensionMismatch)
    }

    @Test func oneThreadScopesOverlapAndRestore() {
        var scopes = OneThreadScopes()
        var threads: Int32 = 8
        scopes.enter(threads: &threads)
        #expect(threads == 1)
        scopes.enter(threads: &threads)
        scopes.leave(threads: &threads)
        #expect(threads == 1)
        scopes.leave(threads: &threads)
        #expect(threads == 8)
    }

    @Test func oneThreadScopesPassResultsAndErrors() throws {
        #expect(BLAS.withOneThread { BLAS.withOneThread { 4 } } == 4)
        #expect(errorCode { try BLAS.withOneThread { throw KinError(.notFinite, "passes through") } } == .notFinite)
    }

    @Test(.enabled(if: BLAS.threadCount != nil, "the BLAS of this machine has no switch for its threads"))
    func theBLASUsesOneThread() {
        concurrently(4) { _ in
            for _ in 0..<100 { BLAS.withOneThread { #expect(BLAS.threadCount == 1) } }
        }
    }
}
