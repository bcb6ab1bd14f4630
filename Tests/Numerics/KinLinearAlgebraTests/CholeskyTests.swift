import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@Suite struct CholeskyTests {
    /// Positive definite with a moderate condition: X Xᵀ ∕ n + I.
    private func definite<Scalar: BLASScalar>(_ n: Int, _ random: inout SeededGenerator) throws -> Matrix<Scalar> {
        let x: Matrix<Scalar> = random.gaussianMatrix(rows: n, columns: n)
        var a = Matrix<Scalar>(rows: n, columns: n)
        for i in 0..<n { a[i, i] = 1 }
        try BLAS.syrk(alpha: 1 / Scalar(n), x, beta: 1, into: &a)
        return a
    }

    private func vector<Scalar: BLASScalar>(_ n: Int, _ random: inout SeededGenerator) -> [Scalar] {
        let x: Matrix<Scalar> = random.gaussianMatrix(rows: 1, columns: n)
        return x.elements
    }

    /// A + sign · x xᵀ in wide precision.
    private func changed<Scalar: BLASScalar>(_ a: WideMatrix, by x: [Scalar], sign: Wide) -> WideMatrix {
        var result = a
        for i in x.indices {
            for j in x.indices { result[i, j] += sign * Wide(x[i]) * Wide(x[j]) }
        }
        return result
    }

    private func product<Scalar: BLASScalar>(_ cholesky: Cholesky<Scalar>) -> WideMatrix {
        let l = WideMatrix(cholesky.factor)
        return l * l.transposed
    }

    /// Both triangles of the difference count, so this also checks that L is lower triangular in what it gives.
    private func expect<Scalar: BLASScalar>(
        _ cholesky: Cholesky<Scalar>,
        factors a: WideMatrix,
        within factor: Wide = 10,
        _ seed: TestSeed
    ) {
        let n = a.rows
        let difference = (product(cholesky) + -1 * a).largest
        #expect(difference <= factor * Wide(n) * Wide(Scalar.ulpOfOne) * a.largest, "order \(n), \(seed)")
        for i in 0..<n {
            #expect(cholesky.factor[i, i] > 0, "\(seed)")
            for j in (i + 1)..<n { #expect(cholesky.factor[i, j] == 0, "\(seed)") }
        }
    }

    private func checkFactorAndSolve<Scalar: BLASScalar>(_ type: Scalar.Type, seed: TestSeed) throws {
        var random = seed.generator
        for n in [1, 2, 3, 17, 40] {
            let a: Matrix<Scalar> = try definite(n, &random)
            let cholesky = try Cholesky(a)
            #expect(cholesky.order == n)
            expect(cholesky, factors: WideMatrix(a), seed)

            let b: [Scalar] = vector(n, &random)
            let x = try cholesky.solve(b)
            let residual = WideMatrix(a) * WideMatrix(try Matrix(rows: n, columns: 1, elements: x))
            let tolerance = 40 * Wide(n) * Wide(Scalar.ulpOfOne) * WideMatrix(a).largest
            #expect(residual.distance(to: try Matrix(rows: n, columns: 1, elements: b)) <= tolerance, "\(seed)")

            let many: Matrix<Scalar> = random.gaussianMatrix(rows: 5, columns: n)
            let solutions = try cholesky.solve(rows: many)
            #expect((WideMatrix(solutions) * WideMatrix(a)).distance(to: many) <= tolerance, "\(seed)")
        }
    }

    @Test func factorsAndSolves() throws {
        try checkFactorAndSolve(Float.self, seed: TestSeed())
        try checkFactorAndSolve(Double.self, seed: TestSeed())
    }

    private func checkRankOne<Scalar: BLASScalar>(_ type: Scalar.Type, seed: TestSeed) throws {
        var random = seed.generator
        for n in [1, 2, 3, 17, 30] {
            let a: Matrix<Scalar> = try definite(n, &random)
            var exact = WideMatrix(a)
            var cholesky = try Cholesky(a)
            var added: [[Scalar]] = []
            for _ in 0..<8 {
                let x: [Scalar] = vector(n, &random)
                try cholesky.update(x)
                exact = changed(exact, by: x, sign: 1)
                expect(cholesky, factors: exact, within: 100, seed)
                added.append(x)
            }
            let refactored = try Cholesky(rounded(exact, as: type))
            let tolerance = 1000 * Wide(n) * Wide(Scalar.ulpOfOne) * WideMatrix(refactored.factor).largest
            #expect(WideMatrix(cholesky.factor).distance(to: refactored.factor) <= tolerance, "\(seed)")

            // Errors scale with the largest matrix on the way, which is the one before any downdate.
            let largest = exact.largest
            for x in added {
                try cholesky.downdate(x)
                exact = changed(exact, by: x, sign: -1)
                let difference = (product(cholesky) + -1 * exact).largest
                #expect(difference <= 100 * Wide(n) * Wide(Scalar.ulpOfOne) * largest, "\(seed)")
            }
        }
    }

    private func rounded<Scalar: BLASScalar>(_ wide: WideMatrix, as type: Scalar.Type) -> Matrix<Scalar> {
        var result = Matrix<Scalar>(rows: wide.rows, columns: wide.columns)
        for i in 0..<wide.rows {
            for j in 0..<wide.columns { result[i, j] = Scalar(wide[i, j]) }
        }
        return result
    }

    @Test func updatesAndDowndatesAgreeWithRefactoring() throws {
        try checkRankOne(Float.self, seed: TestSeed())
        try checkRankOne(Double.self, seed: TestSeed())
    }

    @Test func aScaledIdentityEqualsItsFactorisation() throws {
        let direct = try Cholesky<Double>(identityOfOrder: 3, scaledBy: 4)
        #expect(try direct == Cholesky(Matrix(rows: [[4, 0, 0], [0, 4, 0], [0, 0, 4]])))
        #expect(errorCode { try Cholesky<Double>(identityOfOrder: 3, scaledBy: 0) } == .invalidArgument)
        #expect(errorCode { try Cholesky<Double>(identityOfOrder: 3, scaledBy: .nan) } == .invalidArgument)
        #expect(errorCode { try Cholesky<Double>(identityOfOrder: 3, scaledBy: .infinity) } == .invalidArgument)
        #expect(errorCode { try Cholesky<Double>(identityOfOrder: -1) } == .invalidArgument)
    }

    @Test func logDeterminantDoesNotOverflow() throws {
        #expect(
            try Cholesky<Double>(Matrix(rows: [[4, 2], [2, 3]])).logDeterminant.isApproximately(2.0794415416798357))
        // det = 10²⁰⁰⁰⁰ is no double, its logarithm is.
        let large = try Cholesky<Double>(identityOfOrder: 100, scaledBy: 1e200)
        #expect(large.logDeterminant.isApproximately(46051.701859880914))
        #expect(try Cholesky<Double>(Matrix(rows: 0, columns: 0)).logDeterminant == 0)
    }

    @Test func anIndefiniteMatrixIsRefusedWithTheBlockNamed() {
        let error = #expect(throws: KinError.self) {
            try Cholesky<Double>(Matrix(rows: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]))
        }
        #expect(error?.code == .numericalFailure)
        #expect(error?.message.contains("leading 2 × 2 block") == true)
        #expect(errorCode { try Cholesky<Float>(Matrix(rows: 2, columns: 2)) } == .numericalFailure)
    }

    @Test func badInputIsRefusedAndChangesNothing() throws {
        #expect(errorCode { try Cholesky<Float>(Matrix(rows: 2, columns: 3)) } == .dimensionMismatch)
        #expect(errorCode { try Cholesky<Float>(Matrix(rows: [[1, 0], [.infinity, 1]])) } == .notFinite)
        var cholesky = try Cholesky<Float>(Matrix(rows: [[4, 1], [1, 3]]))
        let before = cholesky
        #expect(errorCode { try cholesky.solve([1]) } == .dimensionMismatch)
        #expect(errorCode { try cholesky.solve(rows: Matrix(rows: 1, columns: 3)) } == .dimensionMismatch)
        #expect(errorCode { try cholesky.update([1]) } == .dimensionMismatch)
        #expect(errorCode { try cholesky.update([1, .nan]) } == .notFinite)
        #expect(errorCode { try cholesky.downdate([1, 2, 3]) } == .dimensionMismatch)
        #expect(errorCode { try cholesky.downdate([0, 5]) } == .numericalFailure)
        #expect(errorCode { try cholesky.downdate([2, 0.5]) } == .numericalFailure)  // singular, exactly
        #expect(cholesky == before)
    }

    @Test func anOverflowIsRefusedAndChangesNothing() throws {
        var cholesky = try Cholesky<Float>(identityOfOrder: 2)
        let huge = [Float.greatestFiniteMagnitude, .greatestFiniteMagnitude]
        try cholesky.update(huge)
        let before = cholesky
        #expect(errorCode { try cholesky.update(huge) } == .numericalFailure)
        #expect(cholesky == before)
    }
}

extension Double {
    fileprivate func isApproximately(_ other: Double) -> Bool { (self - other).magnitude <= 1e-14 * other.magnitude }
}
