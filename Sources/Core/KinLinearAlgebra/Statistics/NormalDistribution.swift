import KinLibC

/// The standard normal distribution.
package enum NormalDistribution {
    /// The probability of a value of at most x, by the complementary error function.
    package static func probability(_ x: Double) -> Double { 0.5 * erfc(-x / 2.0.squareRoot()) }

    /// The p-quantile, with a relative error of 1e-12: −∞ for 0, ∞ for 1.
    ///
    /// Bisection in the lower half, where probabilities keep their relative precision; the upper half is its mirror.
    ///
    /// - Precondition: 0 ≤ p ≤ 1.
    package static func quantile(_ p: Double) -> Double {
        guard p <= 0.5 else { return -quantile(1 - p) }
        guard p > 0 else { return -.infinity }
        let (low, high) = bisection(from: -40, to: 0, steps: 60) { probability($0) >= p }
        return (low + high) / 2
    }
}
