/// The deviation of a session from a person's past sessions in one dimension.
public struct DimensionShift: Sendable, Hashable {
    /// The dimension that is compared.
    public let dimension: Pleasure.Dimension
    /// The coordinate of the session, 0…1.
    public let value: Float
    /// The mean over the person's past sessions.
    public let baseline: Double
    /// The sample standard deviation over the past sessions.
    public let deviation: Double
    /// The number of past sessions.
    public let n: Int
    /// Hedges' g: (value − baseline) ∕ deviation, times 1 − 3 ∕ (4n − 5) to correct for small samples. Nil for a
    /// constant baseline or fewer than three sessions.
    ///
    /// Hedges, "Distribution theory for Glass's estimator of effect size", Journal of Educational Statistics 6(2),
    /// 1981, doi:10.3102/10769986006002107.
    public let effectSize: Double?

    /// The least effect size of a raised or lowered dimension: "large" by Cohen (1988).
    public static let largeEffect = 0.8

    /// The classification of a deviation.
    public enum Direction: String, Sendable, Hashable {
        /// An effect size of ``DimensionShift/largeEffect`` or more, or any value above a constant baseline.
        case raised
        /// An effect size of −``DimensionShift/largeEffect`` or less, or any value below a constant baseline.
        case lowered
        /// A smaller effect, or the value of a constant baseline.
        case usual
        /// Fewer than three past sessions.
        case unknown
    }

    /// A deviation or a difference as small as a rounding error counts as 0.
    private static let roundingError = 1e-6
    /// The least number of past sessions for a classification.
    private static let fewestSessions = 3

    /// The classification of the effect size by ``largeEffect``, or of the difference from a constant baseline.
    public var direction: Direction {
        guard n >= Self.fewestSessions else { return .unknown }
        let difference = Double(value) - baseline
        guard effectSize.map({ abs($0) >= Self.largeEffect }) ?? (abs(difference) > Self.roundingError) else {
            return .usual
        }
        return difference > 0 ? .raised : .lowered
    }

    /// Compares a coordinate with the moments of the past points.
    init(_ dimension: Pleasure.Dimension, value: Float, past: PointMoments) {
        n = past.count
        baseline = past.mean[dimension.rawValue]
        deviation = n > 1 ? (past.squaredDeviations[dimension.rawValue] / Double(n - 1)).squareRoot() : 0
        self.dimension = dimension
        self.value = value
        guard n >= Self.fewestSessions, deviation > Self.roundingError else {
            effectSize = nil
            return
        }
        effectSize = (Double(value) - baseline) / deviation * (1 - 3 / Double(4 * n - 5))
    }
}
