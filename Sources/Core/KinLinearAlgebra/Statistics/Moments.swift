/// The count, mean and variance of a stream of numbers, computed in one pass and constant memory.
///
/// Each number moves the mean and adds to the sum of squared deviations from it (Welford 1962,
/// doi:10.1080/00401706.1962.10490022). So two large, nearly equal numbers are never subtracted, unlike in Σx² −
/// (Σx)²∕n.
package struct Moments: Sendable, Hashable {
    /// The number of values added.
    package private(set) var count = 0

    /// The arithmetic mean; 0 without values.
    package private(set) var mean = 0.0

    /// The sum of squared deviations, Σ (x − mean)².
    package private(set) var squaredDeviations = 0.0

    /// Creates the moments of an empty stream.
    package init() {}

    /// Computes the moments of a sequence.
    package init(_ numbers: some Sequence<Double>) {
        for x in numbers { add(x) }
    }

    /// Adds one value to the stream; a NaN makes the mean NaN.
    package mutating func add(_ x: Double) {
        count += 1
        let delta = x - mean
        mean += delta / Double(count)
        squaredDeviations += delta * (x - mean)
    }

    /// The mean of (x − mean)² over the values themselves; 0 without values.
    package var populationVariance: Double { count > 0 ? squaredDeviations / Double(count) : 0 }
}
