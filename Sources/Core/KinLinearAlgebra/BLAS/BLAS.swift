/// The matrix products of the system's BLAS, with their shapes checked.
///
/// Dongarra et al. 1990, "A set of level 3 basic linear algebra subprograms", ACM TOMS 16(1), doi:10.1145/77626.79170.
/// The BLAS chooses the order of summation. Results agree with a plain loop to rounding, |error| ≤ γ_k Σ|a||b| with γ_k
/// = k u ∕ (1 − k u). They are identical for the same BLAS, CPU and number of BLAS threads.
package enum BLAS {
    /// Computes C ← op(A) op(B) + β C. With β = 0 the old C is not read.
    ///
    /// - Throws: ``KinError/Code/dimensionMismatch`` unless op(A) is m × k, op(B) k × n and C m × n,
    ///   ``KinError/Code/capacityExceeded`` if a size exceeds the BLAS's 32 bits.
    /// - Complexity: O(m n k).
    package static func gemm(
        _ a: Matrix<Double>, opA operationA: MatrixOperation = .none, _ b: Matrix<Double>,
        opB operationB: MatrixOperation = .none, beta: Double = 0, into c: inout Matrix<Double>
    ) throws(KinError) {
        let (m, k) = operationA.shape(of: a)
        let (innerB, n) = operationB.shape(of: b)
        guard k == innerB, c.rows == m, c.columns == n else {
            throw KinError(
                .dimensionMismatch,
                "a \(m) × \(k) matrix times a \(innerB) × \(n) matrix does not give a \(c.rows) × \(c.columns) matrix"
            )
        }
        try check(m, n, k)
        guard !c.isEmpty else { return }
        guard k > 0 else { return c.scale(by: beta) }
        a.withOperand(operationA) { a in
            b.withOperand(operationB) { b in c.withTarget { DenseRoutines.gemm(a, b, beta: beta, into: $0) } }
        }
    }

    /// Requires that sizes fit in the BLAS's 32-bit integers.
    ///
    /// - Throws: ``KinError/Code/capacityExceeded`` for a size beyond 32 bits.
    static func check(_ sizes: Int...) throws(KinError) {
        if let size = sizes.first(where: { $0 > Int32.max }) {
            throw KinError(.capacityExceeded, "the BLAS takes sizes up to \(Int32.max), not \(size); split the matrix")
        }
    }
}

extension MatrixOperation {
    /// The numbers of rows and columns of op(A).
    func shape(of a: Matrix<Double>) -> (rows: Int, columns: Int) {
        self == .none ? (a.rows, a.columns) : (a.columns, a.rows)
    }
}

extension Matrix<Double> {
    /// Computes C ← β C. β = 0 clears even NaN, as in the BLAS.
    mutating func scale(by beta: Double) {
        var all = mutableSpan
        for i in all.indices { all[i] = beta == 0 ? 0 : beta * all[i] }
    }
}

/// Copies the upper triangle of a square row-major matrix to its lower triangle.
func mirrorUpperTriangle(of c: UnsafeMutableBufferPointer<Double>, order n: Int) {
    for i in 0..<n {
        for j in 0..<i { unsafe c[i * n + j] = c[j * n + i] }
    }
}
