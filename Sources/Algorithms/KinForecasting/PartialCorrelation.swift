import KinLibC

/// The correlation of two quantities after removing from each its quadratic trend in a third quantity (such as age) and
/// the effect of further quantities.
public struct PartialCorrelation: Sendable, Hashable {
    /// Pearson's correlation coefficient of the residuals, −1 to 1.
    public let r: Double
    /// The number of points used.
    public let count: Int
    /// The two-sided p-value of no correlation, by Fisher's z, with two degrees of freedom fewer for the quadratic and
    /// one fewer for each further quantity. Points that resemble their neighbours count as fewer points
    /// (`IndependentShare`).
    public let p: Double

    /// Correlates the residuals of x and y after least-squares fits of a quadratic in t and of further quantities. The
    /// points are in order of time.
    ///
    /// R. A. Fisher, "The distribution of the partial correlation coefficient", Metron 3, 1924.
    ///
    /// - Parameters:
    ///   - x: A quantity at each point.
    ///   - y: A second quantity at the same points.
    ///   - t: The quantity whose quadratic trend is removed.
    ///   - others: The quantities, each at the same points, whose linear effect is also removed.
    /// - Returns: nil for fewer than 10 points (plus one for each further quantity), or if x or y does not vary.
    public init?(_ x: [Double], _ y: [Double], without t: [Double], and others: [[Double]] = []) {
        guard x.count >= 10 + others.count, x.count == y.count, x.count == t.count,
            others.allSatisfy({ $0.count == x.count })
        else { return nil }
        guard let a = Self.residuals(x, t, others), let b = Self.residuals(y, t, others) else { return nil }
        r = max(-1, min(1, zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }))
        count = x.count
        let z = atanh(max(-0.999_999, min(0.999_999, r))) * Double(count - 5 - others.count).squareRoot()
        p = pow(erfc(abs(z) * 0.5.squareRoot()), IndependentShare.of(Autocorrelation(a), Autocorrelation(b)))
    }

    private static func squares(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } }

    /// Numbers divided by the largest magnitude, so that no square overflows or vanishes.
    private static func scaled(_ x: [Double]) -> [Double] {
        let largest = x.reduce(.leastNonzeroMagnitude) { max($0, abs($1)) }
        return x.map { $0 / largest }
    }

    /// The residuals of x after a quadratic in t and further quantities, with length 1, by Gram–Schmidt on 1, t, t² and
    /// these quantities; nil if nothing is left but rounding errors.
    private static func residuals(_ x: [Double], _ t: [Double], _ others: [[Double]]) -> [Double]? {
        var bases: [[Double]] = []
        let middle = ChangePointDetection.mean(t)
        let scaled = scaled(t.map { $0 - middle })
        var left = Self.scaled(x)
        let least = leastShare * squares(left)
        let powers = (0...2).map { power in
            scaled.map { value in (0..<power).reduce(1.0) { product, _ in product * value } }
        }
        for var base in powers + others.map(Self.scaled) {
            let least = leastShare * squares(base)
            for other in bases { subtract(other, from: &base) }
            guard squares(base) > least else { continue }
            bases.append(base)
            subtract(base, from: &left)
        }
        let length = squares(left).squareRoot()
        return length * length > least ? left.map { $0 / length } : nil
    }

    /// The share of a sum of squares above which residuals are more than rounding errors.
    private static let leastShare = 1e-24

    private static func subtract(_ base: [Double], from values: inout [Double]) {
        let product = zip(values, base).reduce(0) { $0 + $1.0 * $1.1 }
        let scale = product / squares(base)
        for index in values.indices { values[index] -= scale * base[index] }
    }
}
