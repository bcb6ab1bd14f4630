import KinLibC

/// The correlation of two quantities after the quadratic trend of each in a third (age, say) has been removed.
public struct PartialCorrelation: Sendable, Hashable {
    /// Pearson's correlation coefficient of the residuals, −1 to 1.
    public let r: Double
    /// The number of points used.
    public let count: Int
    /// The two-sided p-value of no correlation, by Fisher's z with two degrees of freedom fewer for the quadratic.
    public let p: Double

    /// Correlates the residuals of x and y after a least-squares fit of a quadratic in t to each.
    ///
    /// R. A. Fisher, "The distribution of the partial correlation coefficient", Metron 3, 1924.
    ///
    /// - Returns: nil for fewer than 10 points, or when either does not vary.
    public init?(_ x: [Double], _ y: [Double], without t: [Double]) {
        guard x.count >= 10, x.count == y.count, x.count == t.count else { return nil }
        let a = Self.residuals(x, t)
        let b = Self.residuals(y, t)
        let aa = a.reduce(0) { $0 + $1 * $1 }
        let bb = b.reduce(0) { $0 + $1 * $1 }
        let ab = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
        guard aa > 1e-12 * Self.squares(x), bb > 1e-12 * Self.squares(y), aa > 0, bb > 0 else { return nil }
        r = max(-1, min(1, ab / (aa * bb).squareRoot()))
        count = x.count
        let z = atanh(max(-0.999_999, min(0.999_999, r))) * Double(count - 5).squareRoot()
        p = erfc(abs(z) * 0.5.squareRoot())
    }

    private static func squares(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } }

    /// The residuals of x after a quadratic in t, by Gram–Schmidt on 1, t, t².
    private static func residuals(_ x: [Double], _ t: [Double]) -> [Double] {
        var bases: [[Double]] = []
        let middle = t.reduce(0, +) / Double(t.count)
        let range = max(1e-9, t.reduce(0) { max($0, abs($1 - middle)) })
        let scaled = t.map { ($0 - middle) / range }
        var left = x
        for power in 0...2 {
            var base = scaled.map { value in (0..<power).reduce(1.0) { product, _ in product * value } }
            for other in bases { subtract(other, from: &base) }
            guard squares(base) > 1e-9 else { continue }
            bases.append(base)
            subtract(base, from: &left)
        }
        return left
    }

    private static func subtract(_ base: [Double], from values: inout [Double]) {
        let product = zip(values, base).reduce(0) { $0 + $1.0 * $1.1 }
        let scale = product / squares(base)
        for index in values.indices { values[index] -= scale * base[index] }
    }
}
