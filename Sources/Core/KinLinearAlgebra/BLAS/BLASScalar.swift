/// A floating-point type with BLAS routines, either the system's or those of ``PortableBLAS``.
///
/// The requirements are the routines themselves, on raw memory, without any check. Only ``BLAS`` and the scatter
/// accumulator call them, after checking that the shapes match and fit in 32 bits.
package protocol BLASScalar: MatrixScalar {
    /// Computes C ← op(A) op(B) + β C. For β = 0 the old C is not read.
    static func gemm(
        _ a: MatrixOperand<Self>, _ b: MatrixOperand<Self>, beta: Self, into c: MatrixTarget<Self>)

    /// Computes the upper triangle of C ← op(A) op(A)ᵀ + β C.
    static func syrk(_ a: MatrixOperand<Self>, beta: Self, into c: MatrixTarget<Self>)

    /// Computes y ← A x + β y for an untransposed A.
    static func gemv(
        _ a: MatrixOperand<Self>, _ x: UnsafePointer<Self>, beta: Self, into y: UnsafeMutablePointer<Self>)
}

/// The operation that a routine applies to a matrix before multiplication: op(A) is A or Aᵀ.
package enum MatrixOperation: Sendable {
    /// The matrix itself: op(A) = A.
    case none
    /// The transposed matrix: op(A) = Aᵀ.
    case transposed
}
