// The calls of the system's BLAS and LAPACK, the only file that depends on which one it is. `SystemBLAS` is a trait of the package, on by default.
//
// CBLAS is the same everywhere. LAPACK is column-major: it sees a row-major matrix as its transpose, so the lower
// triangle of ours is the upper one of its, and the columns of its are the rows of ours.

#if canImport(Accelerate)
    import Accelerate
#elseif SystemBLAS
    import CBLAS
#endif

#if canImport(Accelerate) || SystemBLAS
    extension MatrixOperation {
        fileprivate var cblas: CBLAS_TRANSPOSE { self == .none ? CblasNoTrans : CblasTrans }
    }

    extension Float: BLASScalar {
        package static func gemm(
            _ operationA: MatrixOperation, _ operationB: MatrixOperation, m: Int32, n: Int32, k: Int32,
            a: UnsafePointer<Float>, lda: Int32, b: UnsafePointer<Float>, ldb: Int32,
            beta: Float, c: UnsafeMutablePointer<Float>, ldc: Int32
        ) {
            unsafe cblas_sgemm(
                CblasRowMajor, operationA.cblas, operationB.cblas, m, n, k, 1, a, lda, b, ldb, beta, c, ldc)
        }

        package static func syrk(
            _ operation: MatrixOperation, n: Int32, k: Int32, a: UnsafePointer<Float>, lda: Int32,
            beta: Float, c: UnsafeMutablePointer<Float>, ldc: Int32
        ) {
            unsafe cblas_ssyrk(CblasRowMajor, CblasUpper, operation.cblas, n, k, 1, a, lda, beta, c, ldc)
        }

        package static func gemv(
            m: Int32, n: Int32, a: UnsafePointer<Float>, lda: Int32, x: UnsafePointer<Float>, beta: Float,
            y: UnsafeMutablePointer<Float>
        ) {
            unsafe cblas_sgemv(CblasRowMajor, CblasNoTrans, m, n, 1, a, lda, x, 1, beta, y, 1)
        }
    }

    extension Double: BLASScalar {
        package static func gemm(
            _ operationA: MatrixOperation, _ operationB: MatrixOperation, m: Int32, n: Int32, k: Int32,
            a: UnsafePointer<Double>, lda: Int32, b: UnsafePointer<Double>, ldb: Int32,
            beta: Double, c: UnsafeMutablePointer<Double>, ldc: Int32
        ) {
            unsafe cblas_dgemm(
                CblasRowMajor, operationA.cblas, operationB.cblas, m, n, k, 1, a, lda, b, ldb, beta, c, ldc)
        }

        package static func syrk(
            _ operation: MatrixOperation, n: Int32, k: Int32, a: UnsafePointer<Double>, lda: Int32,
            beta: Double, c: UnsafeMutablePointer<Double>, ldc: Int32
        ) {
            unsafe cblas_dsyrk(CblasRowMajor, CblasUpper, operation.cblas, n, k, 1, a, lda, beta, c, ldc)
        }

        package static func gemv(
            m: Int32, n: Int32, a: UnsafePointer<Double>, lda: Int32, x: UnsafePointer<Double>, beta: Double,
            y: UnsafeMutablePointer<Double>
        ) {
            unsafe cblas_dgemv(CblasRowMajor, CblasNoTrans, m, n, 1, a, lda, x, 1, beta, y, 1)
        }

        /// Computes B ← B U, with B m × n and U an upper triangle of order n, whose lower part is not read.
        static func trmm(
            m: Int32, n: Int32, u: UnsafePointer<Double>, ldu: Int32, b: UnsafeMutablePointer<Double>, ldb: Int32
        ) {
            unsafe cblas_dtrmm(
                CblasRowMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, m, n, 1, u, ldu, b, ldb)
        }
    }

    /// Writes the eigenvalues of a symmetric matrix, ascending, to `values`, and its eigenvectors to the rows of `a`, by LAPACK's syevd.
    ///
    /// - Parameters:
    ///   - n: The order, 1 to 32,766: the work array of 1 + 6n + 2n² doubles is counted in 32 bits.
    ///   - a: n × n; the lower triangle is read.
    ///   - values: Room for n numbers.
    /// - Returns: Whether the iteration converged.
    func solveSymmetricEigen(
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

    /// The upper triangle in LAPACK's column-major order, the lower one of a row-major matrix.
    private let upper = CChar(bitPattern: UInt8(ascii: "U"))
#endif
