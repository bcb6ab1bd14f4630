public import KinCore

/// Brings every column of a table to mean 0 and variance 1: z = (x − mean) ∕ scale.
///
/// So that a column measured in thousands does not drown one measured in tenths. The scale is the standard deviation of
/// the rows it was fitted to (divided by n, as scikit-learn does). A column that is constant there has no spread to
/// divide by: its scale is 1, so its own value becomes 0 and no number becomes infinite.
public struct Standardization: Sendable, Hashable {
    /// The mean of each column.
    public let mean: [Double]

    /// The standard deviation of each column, 1 for a constant one.
    public let scale: [Double]

    /// Learns mean and scale of each column, in double precision, O(n d).
    ///
    /// - Parameter data: n × d, one vector per row.
    /// - Throws: `KinError.Code.invalidArgument` for no rows, `KinError.Code.notFinite` for a NaN or an infinity.
    public init(fitting data: Matrix<Float>) throws(KinError) {
        guard data.rows > 0 else { throw KinError(.invalidArgument, "standardisation needs at least one row to fit") }
        let columns = try data.columnMoments()
        mean = columns.map(\.mean)
        // Sums of equal floats are exact in double precision (up to 2²⁹ of them in a block), so that the variance of a
        // constant column is 0, not merely small, and that of any other one is not.
        scale = columns.map { $0.squaredDeviations > 0 ? $0.populationVariance.squareRoot() : 1 }
    }

    /// z = (x − mean) ∕ scale for every row, computed in double precision and rounded once. O(n d).
    ///
    /// - Throws: `KinError.Code.dimensionMismatch` unless the data has as many columns as the fit,
    ///   `KinError.Code.notFinite` when a result is beyond the range of a float (or x was not finite).
    public func transform(_ data: Matrix<Float>) throws(KinError) -> Matrix<Float> {
        try map(data) { x, mean, scale in (x - mean) / scale }
    }

    /// x = z · scale + mean for every row: the inverse of ``transform(_:)``, to rounding. O(n d).
    ///
    /// - Throws: As ``transform(_:)``.
    public func inverseTransform(_ data: Matrix<Float>) throws(KinError) -> Matrix<Float> {
        try map(data) { z, mean, scale in z * scale + mean }
    }

    @inline(__always)
    private func map(
        _ data: Matrix<Float>,
        _ element: (_ x: Double, _ mean: Double, _ scale: Double) -> Double
    ) throws(KinError) -> Matrix<Float> {
        let d = data.columns
        guard d == mean.count else {
            throw KinError(.dimensionMismatch, "the data has \(d) columns, and the fit was on \(mean.count)")
        }
        let result = unsafe Matrix<Float>(rows: data.rows, columns: d) { places in
            guard !data.isEmpty else { return }
            unsafe data.withUnsafeBufferPointer { x in
                unsafe mean.withUnsafeBufferPointer { mean in
                    unsafe scale.withUnsafeBufferPointer { scale in
                        let (mean, scale) = (mean.baseAddress!, scale.baseAddress!)
                        for i in 0..<data.rows {
                            let (x, z) = unsafe (x.baseAddress! + i * d, places.baseAddress! + i * d)
                            for j in 0..<d { unsafe z[j] = Float(element(Double(x[j]), mean[j], scale[j])) }
                        }
                    }
                }
            }
        }
        try result.checkFinite()
        return result
    }
}
