// The counterparts of SystemBLAS.swift for systems without a BLAS.

#if !canImport(Accelerate) && !SystemBLAS
    extension BLASScalar where Self: PortableScalar {
        package static func gemm(
            _ a: MatrixOperand<Self>, _ b: MatrixOperand<Self>, beta: Self, into c: MatrixTarget<Self>
        ) { PortableBLAS.gemm(a, b, beta: beta, into: c) }

        package static func syrk(_ a: MatrixOperand<Self>, beta: Self, into c: MatrixTarget<Self>) {
            PortableBLAS.syrk(a, beta: beta, into: c)
        }

        package static func gemv(
            _ a: MatrixOperand<Self>, _ x: UnsafePointer<Self>, beta: Self, into y: UnsafeMutablePointer<Self>
        ) { unsafe PortableBLAS.gemv(a, x, beta: beta, into: y) }
    }

    extension Float: BLASScalar {}

    extension Double: BLASScalar {
        static func trmm(upper u: MatrixOperand<Double>, into b: MatrixTarget<Double>) {
            PortableBLAS.trmm(upper: u, into: b)
        }
    }

    func solveSymmetricEigen(
        order n: Int, _ a: UnsafeMutablePointer<Double>, values: UnsafeMutablePointer<Double>
    ) -> Bool {
        unsafe PortableEigen.decompose(order: n, a, values: values)
    }
#endif
