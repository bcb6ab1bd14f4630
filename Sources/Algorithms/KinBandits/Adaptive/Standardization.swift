/// The means and scales that turn each feature into a number without unit, clamped to ±4.
///
/// The clamp prevents one outlier from dominating products of two features, and so the model of pairs.
struct Standardization: Sendable, Hashable {
    /// The number that is subtracted from each feature.
    private(set) var means: [Double]
    /// The number, above 0, that each difference is divided by.
    private(set) var scales: [Double]

    /// Creates a standardization that changes nothing but the clamp.
    init(dimension: Int) {
        means = [Double](repeating: 0, count: dimension)
        scales = [Double](repeating: 1, count: dimension)
    }

    /// Creates a standardization from the parts of a state; nil unless all are finite and the scales are above 0.
    init?(means: [Double], scales: [Double]) {
        guard means.allSatisfy(\.isFinite), scales.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        self.means = means
        self.scales = scales
    }

    /// Creates the standardization of rows to mean 0 and deviation 1.
    ///
    /// For a feature that never changes, the scale is its magnitude, or 1 if it is always 0.
    ///
    /// - Precondition: There is at least one row, and every row has `dimension` numbers.
    init(of rows: some Collection<[Double]>, dimension: Int) {
        self.init(dimension: dimension)
        let count = Double(rows.count)
        for k in 0..<dimension {
            let mean = rows.reduce(0) { $0 + $1[k] } / count
            let deviation = (rows.reduce(0) { $0 + ($1[k] - mean) * ($1[k] - mean) } / count).squareRoot()
            means[k] = mean
            if deviation > Self.tolerance * abs(mean), deviation > .leastNormalMagnitude {
                scales[k] = deviation
            } else if abs(mean) > .leastNormalMagnitude {
                scales[k] = abs(mean)
            }
        }
    }

    /// Standardizes the feature at an index.
    func value(_ x: Double, at k: Int) -> Double {
        min(max((x - means[k]) / scales[k], -Self.bound), Self.bound)
    }

    /// The largest magnitude of a standardized feature.
    private static let bound = 4.0
    /// A deviation below this fraction of the mean is treated as rounding error.
    private static let tolerance = 1e-12
}
