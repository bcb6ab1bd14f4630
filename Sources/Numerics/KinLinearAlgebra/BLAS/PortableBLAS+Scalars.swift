// What SystemBLAS.swift has, where there is no system's BLAS.

#if !canImport(Accelerate) && !SystemBLAS
    extension BLASScalar where Self: PortableScalar {
        package static func gemm(
            _ operationA: MatrixOperation, _ operationB: MatrixOperation, m: Int32, n: Int32, k: Int32,
            a: UnsafePointer<Self>, lda: Int32, b: UnsafePointer<Self>, ldb: Int32,
            beta: Self, c: UnsafeMutablePointer<Self>, ldc: Int32
        ) {
            unsafe PortableBLAS.gemm(
                MatrixOperand(operationA, a, rows: Int(m), columns: Int(k), stride: Int(lda)),
                MatrixOperand(operationB, b, rows: Int(k), columns: Int(n), stride: Int(ldb)), beta: beta,
                into: MatrixTarget(c, rows: Int(m), columns: Int(n), stride: Int(ldc)))
        }

        package static func syrk(
            _ operation: MatrixOperation, n: Int32, k: Int32, a: UnsafePointer<Self>, lda: Int32,
            beta: Self, c: UnsafeMutablePointer<Self>, ldc: Int32
        ) {
            unsafe PortableBLAS.syrk(
                MatrixOperand(operation, a, rows: Int(n), columns: Int(k), stride: Int(lda)), beta: beta,
                into: MatrixTarget(c, rows: Int(n), columns: Int(n), stride: Int(ldc)))
        }

        package static func gemv(
            m: Int32, n: Int32, a: UnsafePointer<Self>, lda: Int32, x: UnsafePointer<Self>, beta: Self,
            y: UnsafeMutablePointer<Self>
        ) {
            unsafe PortableBLAS.gemv(
                MatrixOperand(.none, a, rows: Int(m), columns: Int(n), stride: Int(lda)), x, beta: beta, into: y)
        }
    }

    extension Float: BLASScalar {}

    extension Double: BLASScalar {
        static func trmm(
            m: Int32, n: Int32, u: UnsafePointer<Double>, ldu: Int32, b: UnsafeMutablePointer<Double>, ldb: Int32
        ) {
            unsafe PortableBLAS.trmm(
                upper: MatrixOperand(.none, u, rows: Int(n), columns: Int(n), stride: Int(ldu)),
                into: MatrixTarget(b, rows: Int(m), columns: Int(n), stride: Int(ldb)))
        }
    }

    func solveSymmetricEigen(
        order n: Int, _ a: UnsafeMutablePointer<Double>, values: UnsafeMutablePointer<Double>
    ) -> Bool {
        unsafe PortableEigen.decompose(order: n, a, values: values)
    }
#endif
