import KinLinearAlgebra

/// How far a session lies from a person's usual in one dimension.
public struct DimensionShift: Sendable, Hashable {
    /// The dimension.
    public let dimension: Pleasure.Dimension
    /// The session's coordinate.
    public let value: Float
    /// The mean over the person's past sessions.
    public let baseline: Double
    /// The standard deviation over them, of a sample.
    public let deviation: Double
    /// How many past sessions there are.
    public let n: Int
    /// (value − baseline) ∕ deviation, times Hedges' correction for small samples 1 − 3 ∕ (4n − 5); nil when the baseline does not
    /// vary, or there are fewer than three sessions.
    ///
    /// Hedges, "Distribution theory for Glass's estimator of effect size", Journal of Educational Statistics 6(2), 1981,
    /// doi:10.3102/10769986006002107.
    public let effectSize: Double?

    /// From this effect size on a dimension counts as raised or lowered: "large" (Cohen 1988).
    public static let largeEffect = 0.8

    /// What the effect size says.
    public enum Direction: String, Sendable, Hashable {
        /// Clearly above the usual.
        case raised
        /// Clearly below the usual.
        case lowered
        /// About as usual, or not to be told.
        case usual
    }

    /// What the effect size says.
    public var direction: Direction {
        guard let effectSize, abs(effectSize) >= Self.largeEffect else { return .usual }
        return effectSize > 0 ? .raised : .lowered
    }

    init(_ dimension: Pleasure.Dimension, value: Float, past: some Sequence<Pleasure>) {
        let moments = Moments(past.lazy.map { Double($0[dimension]) })
        let deviation = (moments.sampleVariance ?? 0).squareRoot()
        self.dimension = dimension
        self.value = value
        baseline = moments.mean
        self.deviation = deviation
        n = moments.count
        // A spread that is only rounding is none.
        guard n >= 3, deviation > 1e-6 else {
            effectSize = nil
            return
        }
        effectSize = (Double(value) - moments.mean) / deviation * (1 - 3 / Double(4 * n - 5))
    }
}
