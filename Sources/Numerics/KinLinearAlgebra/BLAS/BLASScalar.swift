/// A floating-point type for which the system has BLAS and LAPACK routines.
///
/// The requirements are the routines themselves, row-major, on raw memory, without any check: only ``BLAS``,
/// ``SymmetricEigen`` and the scatter accumulator call them, after they have checked the shapes.
package protocol BLASScalar: MatrixScalar {
    /// Computes C ← op(A) op(B) + β C, with op(A) m × k and op(B) k × n.
    static func gemm(
        _ operationA: MatrixOperation, _ operationB: MatrixOperation, m: Int32, n: Int32, k: Int32,
        a: UnsafePointer<Self>, lda: Int32, b: UnsafePointer<Self>, ldb: Int32,
        beta: Self, c: UnsafeMutablePointer<Self>, ldc: Int32
    )

    /// Computes the upper triangle of C ← op(A) op(A)ᵀ + β C, with op(A) n × k.
    static func syrk(
        _ operation: MatrixOperation, n: Int32, k: Int32, a: UnsafePointer<Self>, lda: Int32,
        beta: Self, c: UnsafeMutablePointer<Self>, ldc: Int32
    )

    /// Computes y ← A x + β y, with A m × n.
    static func gemv(
        m: Int32, n: Int32, a: UnsafePointer<Self>, lda: Int32, x: UnsafePointer<Self>, beta: Self,
        y: UnsafeMutablePointer<Self>
    )
}

/// The operation that a routine applies to a matrix before multiplication: op(A) is A or Aᵀ.
package enum MatrixOperation: Sendable {
    /// The matrix itself: op(A) = A.
    case none
    /// The transposed matrix: op(A) = Aᵀ.
    case transposed
}
