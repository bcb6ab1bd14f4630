/// The mean and the squared deviations of points in every dimension, bit-identical to those of `Moments`, for all
/// dimensions at once.
struct PointMoments {
    /// The number of points added.
    private(set) var count = 0
    /// The arithmetic mean of each dimension.
    private(set) var mean = SIMD16<Double>.zero
    /// The sums of squared deviations from the means.
    private(set) var squaredDeviations = SIMD16<Double>.zero

    /// Adds a point to the sums of all dimensions.
    @inline(__always)
    mutating func add(_ point: Pleasure) {
        count += 1
        let x = SIMD16<Double>(point.coordinates)
        let delta = x - mean
        mean += delta / Double(count)
        squaredDeviations += delta * (x - mean)
    }
}
