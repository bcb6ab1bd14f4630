// The calls of the system's BLAS and LAPACK; the only file that depends on the BLAS in use. `SystemBLAS` is a trait of
// the package, on by default.
//
// CBLAS is the same everywhere. LAPACK is column-major: it sees a row-major matrix as its transpose, so our lower
// triangle is its upper triangle, and its columns are our rows.

#if canImport(Accelerate)
    import Accelerate
#elseif SystemBLAS
    import CBLAS
#endif

#if canImport(Accelerate) || SystemBLAS
    extension MatrixOperand {
        fileprivate var transpose: CBLAS_TRANSPOSE { operation == .none ? CblasNoTrans : CblasTrans }
    }

    /// The routines of the system.
    enum SystemBLAS {
        /// Computes C ← op(A) op(B) + β C. For β = 0 the old C is not read.
        static func gemm(_ a: MatrixOperand, _ b: MatrixOperand, beta: Double, into c: MatrixTarget) {
            unsafe cblas_dgemm(
                CblasRowMajor, a.transpose, b.transpose, Int32(c.rows), Int32(c.columns), Int32(a.columns), 1,
                a.elements, Int32(a.stride), b.elements, Int32(b.stride), beta, c.elements, Int32(c.stride))
        }

        /// Computes the upper triangle of C ← op(A) op(A)ᵀ + β C.
        static func syrk(_ a: MatrixOperand, beta: Double, into c: MatrixTarget) {
            unsafe cblas_dsyrk(
                CblasRowMajor, CblasUpper, a.transpose, Int32(a.rows), Int32(a.columns), 1, a.elements,
                Int32(a.stride), beta, c.elements, Int32(c.stride))
        }

        /// Computes y ← A x + β y for an untransposed A.
        static func gemv(
            _ a: MatrixOperand, _ x: UnsafePointer<Double>, beta: Double, into y: UnsafeMutablePointer<Double>
        ) {
            unsafe cblas_dgemv(
                CblasRowMajor, CblasNoTrans, Int32(a.rows), Int32(a.columns), 1, a.elements, Int32(a.stride), x, 1,
                beta, y, 1)
        }

        /// Computes B ← B U for an upper triangle U; the part below its diagonal is not read.
        static func trmm(upper u: MatrixOperand, into b: MatrixTarget) {
            unsafe cblas_dtrmm(
                CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, Int32(b.rows), Int32(b.columns), 1,
                u.elements, Int32(u.stride), b.elements, Int32(b.stride))
        }

        /// Computes the eigenvalues and eigenvectors of a symmetric matrix by LAPACK's syevd: eigenvalues, ascending, to
        /// `values`, eigenvectors to the rows of `a`.
        ///
        /// - Parameters:
        ///   - n: The order, 1 to 32,766: the size of the work array, 1 + 6n + 2n² doubles, must fit in 32 bits.
        ///   - a: n × n; the lower triangle is read.
        ///   - values: Memory for n numbers.
        /// - Returns: Whether the iteration converged.
        static func decompose(
            order n: Int, _ a: UnsafeMutablePointer<Double>, values: UnsafeMutablePointer<Double>
        ) -> Bool {
            var work = [Double](repeating: 0, count: 1 + 6 * n + 2 * n * n)
            var integers = [Int32](repeating: 0, count: 3 + 5 * n)
            var (order, info, workCount, integerCount) = (Int32(n), Int32(0), Int32(work.count), Int32(integers.count))
            var (jobz, uplo) = (CChar(bitPattern: UInt8(ascii: "V")), upper)
            #if canImport(Accelerate)
                unsafe _ = dsyevd_(
                    &jobz, &uplo, &order, a, &order, values, &work, &workCount, &integers, &integerCount, &info)
            #else
                unsafe dsyevd_(
                    &jobz, &uplo, &order, a, &order, values, &work, &workCount, &integers, &integerCount, &info, 1, 1)
            #endif
            return info == 0
        }
    }

    /// The upper triangle in LAPACK's column-major order, which is the lower triangle of a row-major matrix.
    private let upper = CChar(bitPattern: UInt8(ascii: "U"))
#endif
