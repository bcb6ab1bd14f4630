import CKinKernels

extension Kernels {
    /// Codes rows in 16 bits and computes their norms times a coded triangle, as `triangle_norms` in `kin_kernels.h` says.
    ///
    /// - Parameters:
    ///   - rows: `lengths.count` rows of `factors.count` numbers.
    ///   - last: The last number of each row times its factor.
    ///   - weights: The triangle in the layout there.
    ///   - lengths: Receives the length of each row.
    ///   - squares: Receives as many sums of squares.
    package func triangleNorms(
        _ rows: UnsafePointer<Double>, factors: UnsafeBufferPointer<Double>, last: Double,
        weights: UnsafePointer<Int16>, lengths: UnsafeMutableBufferPointer<Double>,
        squares: UnsafeMutablePointer<Float>
    ) {
        guard let first = lengths.baseAddress else { return }
        let scratch = Int(KIN_TRIANGLE_ROWS) * 2 * (factors.count / 2 + 1)
        unsafe withUnsafeTemporaryAllocation(of: Int16.self, capacity: scratch) { codes in
            var job = unsafe kin_triangle_job(
                weights: weights, factors: factors.baseAddress, last: last, columns: factors.count,
                codes: codes.baseAddress)
            unsafe table.pointee.triangle_norms(&job, rows, lengths.count, first, squares)
        }
    }
}
