/// The means and scales that turn each feature into a number without unit, clamped to ±4.
///
/// The clamp prevents one outlier from dominating products of two features, and so the model of pairs.
struct Standardization: Sendable, Hashable {
    /// The number that is subtracted from each feature.
    private(set) var means: [Double]
    /// The number, above 0, that each difference is divided by.
    private(set) var scales: [Double]

    /// Creates a standardization without rows. The first number of a feature that is not 0 becomes its scale.
    init(dimension: Int) {
        means = [Double](repeating: 0, count: dimension)
        scales = [Double](repeating: Self.unknown, count: dimension)
    }

    /// Creates a standardization from the parts of a state; nil unless all are finite and the scales are above 0.
    init?(means: [Double], scales: [Double]) {
        guard means.allSatisfy(\.isFinite), scales.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        self.means = means
        self.scales = scales
    }

    /// Creates the standardization of rows to mean 0 and deviation 1.
    ///
    /// The scale of a feature that never changes is its magnitude; a feature that is always 0 has no scale yet.
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

    /// Sets the scale of each feature that was always 0 to its magnitude in a row.
    mutating func scaleUnknown(by row: [Double]) {
        for k in row.indices where scales[k] == Self.unknown && abs(row[k]) > .leastNormalMagnitude {
            scales[k] = abs(row[k])
        }
    }

    /// Standardizes the feature at an index. Without a scale, the result is the sign of the feature.
    func value(_ x: Double, at k: Int) -> Double {
        let scale = scales[k] == Self.unknown && x != 0 ? abs(x) : scales[k]
        return min(max((x - means[k]) / scale, -Self.bound), Self.bound)
    }

    /// Marks a feature that was always 0. No deviation or mean has this value.
    private static let unknown = Double.leastNonzeroMagnitude
    /// The largest magnitude of a standardized feature.
    private static let bound = 4.0
    /// A deviation below this fraction of the mean is treated as rounding error.
    private static let tolerance = 1e-12
}
