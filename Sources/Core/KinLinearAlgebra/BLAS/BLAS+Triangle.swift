extension BLAS {
    /// Computes B ← B U for an upper triangle U, in half the operations of ``gemm``.
    ///
    /// - Parameters:
    ///   - u: n × n; the part below its diagonal is not read.
    ///   - b: m × n.
    /// - Throws: As ``gemm``.
    /// - Complexity: O(m n²).
    package static func trmm(upper u: Matrix<Double>, into b: inout Matrix<Double>) throws(KinError) {
        let (m, n) = (b.rows, b.columns)
        guard u.rows == n, u.columns == n else {
            throw KinError(
                .dimensionMismatch,
                "a \(m) × \(n) matrix cannot be multiplied by a triangle of \(u.rows) × \(u.columns)")
        }
        try check(m, n)
        guard !b.isEmpty else { return }
        u.withOperand { u in b.withTarget { DenseRoutines.trmm(upper: u, into: $0) } }
    }
}
