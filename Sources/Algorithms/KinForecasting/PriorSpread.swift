/// The distribution of the first intervals of many logs around an expected one: log-normal, with a spread of its own on
/// each side.
///
/// It contains both the differences between logs and the variation within one, since the first interval of a log has
/// both.
public struct PriorSpread: Sendable, Hashable {
    /// The median interval relative to the expected one.
    public var middle: Double
    /// The standard deviation of the interval's logarithm below the median.
    public var below: Double
    /// The standard deviation of the interval's logarithm above the median.
    public var above: Double
    /// The longest expected interval that the spread grows with, in minutes. Default: no limit.
    ///
    /// An event with a regular clock time is as uncertain ten hours before as four hours before.
    public var longest: Double

    /// Creates a distribution from its median and its two spreads, all above 0.
    public init(middle: Double = 1, below: Double, above: Double, longest: Double = .infinity) {
        self.middle = middle
        self.below = below
        self.above = above
        self.longest = longest
    }

    /// Adds the uncertainty of the expected interval: the standard deviation of its logarithm.
    mutating func widen(by doubt: Double) {
        below = (below * below + doubt * doubt).squareRoot()
        above = (above * above + doubt * doubt).squareRoot()
    }

    /// The standard normal quantiles at the middles of nine equal shares: Φ⁻¹((i + ½) ∕ 9).
    static let normalQuantiles = [-1.5932, -0.9674, -0.5895, -0.2822, 0, 0.2822, 0.5895, 0.9674, 1.5932]

    /// Nine equally probable intervals around an expected one, ascending, in minutes.
    public func intervals(around expected: Double) -> [Double] {
        Self.normalQuantiles.map { quantile in
            let ratio = quantile < 0 ? decayed(below * quantile) : 1 / decayed(-above * quantile)
            return expected + (middle * ratio - 1) * min(expected, longest)
        }
    }
}
