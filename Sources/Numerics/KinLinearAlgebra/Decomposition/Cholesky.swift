package import KinCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A symmetric positive definite matrix as A = L Lᵀ, ready to solve A x = b.
///
/// LAPACK's potrf and potrs. Factoring costs n³ ∕ 3 multiplications, solving 2n² a vector, and neither needs pivoting:
/// the solution is that of a matrix within about n · ε · ‖A‖ of A (Higham, "Accuracy and Stability of Numerical
/// Algorithms", 2nd ed., theorem 10.4). A change of A by x xᵀ is followed in O(n²), see ``update(_:)``.
package struct Cholesky<Scalar: BLASScalar>: Sendable, Equatable {
    /// L, n × n, row-major: positive on the diagonal, 0 above it.
    package internal(set) var factor: Matrix<Scalar>

    /// n, the number of rows of A.
    package var order: Int { factor.rows }

    /// - Parameter matrix: n × n and symmetric; only its lower triangle is read.
    /// - Throws: ``KinError/Code/dimensionMismatch`` for a matrix that is not square, ``KinError/Code/notFinite`` for a
    ///   NaN or an infinity in it, ``KinError/Code/numericalFailure`` for one that is not positive definite.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    package init(_ matrix: Matrix<Scalar>) throws(KinError) {
        try matrix.checkSymmetricInput(for: "a Cholesky factorisation")
        let n = try BLAS.size(matrix.rows)
        factor = matrix
        guard n > 0 else { return }
        let info = unsafe factor.withUnsafeMutableBufferPointer { unsafe Scalar.potrf(order: n, a: $0.baseAddress!) }
        guard info == 0 else {
            throw KinError(
                .numericalFailure,
                "the matrix is not positive definite: its leading \(info) × \(info) block is singular or indefinite; "
                    + "a larger diagonal (a stronger prior) makes it so"
            )
        }
        for i in 0..<matrix.rows {
            for j in (i + 1)..<matrix.rows { factor[i, j] = 0 }
        }
    }

    /// The factor of `scale` times the identity, the usual start before updates. O(n²).
    ///
    /// - Throws: ``KinError/Code/invalidArgument`` unless `scale` is positive and finite, and `order` not negative.
    package init(identityOfOrder order: Int, scaledBy scale: Scalar = 1) throws(KinError) {
        guard order >= 0, scale > 0, scale.isFinite else {
            throw KinError(.invalidArgument, "\(scale) times the identity of order \(order) is not positive definite")
        }
        factor = Matrix(rows: order, columns: order)
        for i in 0..<order { factor[i, i] = scale.squareRoot() }
    }

    /// x with A x = b.
    ///
    /// - Throws: ``KinError/Code/dimensionMismatch`` unless b has n elements.
    package func solve(_ b: [Scalar]) throws(KinError) -> [Scalar] {
        guard b.count == order else {
            throw KinError(.dimensionMismatch, "a system of order \(order) has no right-hand side of \(b.count)")
        }
        var x = b
        unsafe x.withUnsafeMutableBufferPointer { unsafe solve(inPlace: $0, count: 1) }
        return x
    }

    /// The solutions x of A x = b for every row b of a matrix, in its rows.
    ///
    /// - Throws: ``KinError/Code/dimensionMismatch`` unless the rows have n elements,
    ///   ``KinError/Code/capacityExceeded`` beyond 2³¹ − 1 rows.
    package func solve(rows b: Matrix<Scalar>) throws(KinError) -> Matrix<Scalar> {
        guard b.columns == order else {
            throw KinError(.dimensionMismatch, "a system of order \(order) has no right-hand sides of \(b.columns)")
        }
        let count = try BLAS.size(b.rows)
        var x = b
        unsafe x.withUnsafeMutableBufferPointer { unsafe solve(inPlace: $0, count: count) }
        return x
    }

    private func solve(inPlace b: UnsafeMutableBufferPointer<Scalar>, count: Int32) {
        guard !b.isEmpty else { return }
        unsafe factor.withUnsafeBufferPointer { l in
            unsafe Scalar.potrs(order: Int32(order), count: count, factor: l.baseAddress!, b: b.baseAddress!)
        }
    }

    /// log det A = 2 Σ log Lᵢᵢ, without the overflow of the determinant itself.
    package var logDeterminant: Double {
        (0..<order).reduce(0) { $0 + 2 * log(Double(factor[$1, $1])) }
    }
}
