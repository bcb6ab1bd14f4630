/// The count, mean, variance and range of a stream of numbers, computed in one pass and constant memory.
///
/// Each number moves the mean and adds to the sum of squared deviations from it (Welford 1962,
/// doi:10.1080/00401706.1962.10490022), so nothing large is ever subtracted from something equally large, as in
/// Σx² − (Σx)²∕n. Streams summed apart are merged exactly as if they had been one, to rounding (Chan, Golub and
/// LeVeque 1983, doi:10.1080/00031305.1983.10483115).
package struct Moments: Sendable, Hashable {
    /// The number of values added.
    package private(set) var count = 0

    /// The arithmetic mean, 0 when there are no values.
    package private(set) var mean = 0.0

    /// The sum of squared deviations, Σ (x − mean)².
    package private(set) var squaredDeviations = 0.0

    /// The smallest value, +infinity when there are none.
    package private(set) var minimum = Double.infinity

    /// The largest value, -infinity when there are none.
    package private(set) var maximum = -Double.infinity

    /// Creates the moments of no values.
    package init() {}

    /// Creates moments from sums computed elsewhere.
    init(count: Int, mean: Double, squaredDeviations: Double, minimum: Double, maximum: Double) {
        self.count = count
        self.mean = mean
        self.squaredDeviations = squaredDeviations
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Computes the moments of a sequence.
    package init(_ numbers: some Sequence<Double>) {
        for x in numbers { add(x) }
    }

    /// Adds one value. A NaN makes the mean NaN.
    package mutating func add(_ x: Double) {
        count += 1
        let delta = x - mean
        mean += delta / Double(count)
        squaredDeviations += delta * (x - mean)
        minimum = min(minimum, x)
        maximum = max(maximum, x)
    }

    /// Adds all values of another stream.
    package mutating func merge(_ other: Moments) {
        guard other.count > 0 else { return }
        guard count > 0 else { return self = other }
        let (n, m) = (Double(count), Double(other.count))
        let delta = other.mean - mean
        count += other.count
        mean += delta * (m / (n + m))
        squaredDeviations += other.squaredDeviations + delta * delta * (n * m / (n + m))
        minimum = min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
    }

    /// The mean of (x − mean)² over the values themselves, 0 when there are none.
    package var populationVariance: Double { count > 0 ? squaredDeviations / Double(count) : 0 }

    /// The unbiased estimate of the variance, Σ (x − mean)² ∕ (n − 1); nil for fewer than two values.
    package var sampleVariance: Double? { count > 1 ? squaredDeviations / Double(count - 1) : nil }
}
