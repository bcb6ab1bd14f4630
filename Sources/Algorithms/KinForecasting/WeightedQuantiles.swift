/// Quantiles of weighted numbers in ascending order: linear between the midpoints of the weights, constant beyond the
/// outer midpoints.
enum WeightedQuantiles {
    /// The quantile at a level among sorted numbers. O(log n).
    ///
    /// - Parameters:
    ///   - level: The level, from 0 to 1.
    ///   - sums: The running sums of the weights, the last one positive.
    static func value(
        _ level: Float, of numbers: UnsafeBufferPointer<Float>, weights: UnsafeBufferPointer<Float>,
        sums: UnsafeBufferPointer<Float>
    ) -> Float {
        let last = sums.count - 1
        let wanted = unsafe level * sums[last]
        // The first number whose midpoint is not below the target sum.
        let low = (0..<sums.count).partition { unsafe sums[$0] - 0.5 * weights[$0] < wanted }
        guard low > 0 else { return unsafe numbers[0] }
        guard low <= last else { return unsafe numbers[last] }
        let below = unsafe sums[low - 1] - 0.5 * weights[low - 1]
        let above = unsafe sums[low] - 0.5 * weights[low]
        guard above > below else { return unsafe numbers[low] }
        return unsafe numbers[low - 1] + (numbers[low] - numbers[low - 1]) * (wanted - below) / (above - below)
    }
}
