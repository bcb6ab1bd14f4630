/// A floating-point type for which there are BLAS routines: the system's, or ``PortableBLAS``.
///
/// The requirements are the routines themselves, on raw memory, without any check: only ``BLAS`` and the scatter
/// accumulator call them, after they have checked the shapes, which fit in 32 bits.
package protocol BLASScalar: MatrixScalar {
    /// Computes C ← op(A) op(B) + β C; with β = 0 the old C is not read.
    static func gemm(
        _ a: MatrixOperand<Self>, _ b: MatrixOperand<Self>, beta: Self, into c: MatrixTarget<Self>)

    /// Computes the upper triangle of C ← op(A) op(A)ᵀ + β C.
    static func syrk(_ a: MatrixOperand<Self>, beta: Self, into c: MatrixTarget<Self>)

    /// Computes y ← A x + β y, for an A that is not transposed.
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
