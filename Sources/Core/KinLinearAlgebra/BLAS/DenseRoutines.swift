/// The BLAS routines on raw memory: the system's, or those in plain loops. They check nothing: only ``BLAS`` and the
/// scatter accumulator call them, after checking that the shapes match and fit in 32 bits.
#if canImport(Accelerate) || SystemBLAS
    typealias DenseRoutines = SystemBLAS
    typealias EigenRoutine = SystemBLAS
#else
    typealias DenseRoutines = PortableBLAS
    typealias EigenRoutine = PortableEigen
#endif

/// The operation that a routine applies to a matrix before multiplication: op(A) is A or Aᵀ.
package enum MatrixOperation: Sendable {
    /// The matrix itself: op(A) = A.
    case none
    /// The transposed matrix: op(A) = Aᵀ.
    case transposed
}
