package import KinCore

/// The numbers below which given shares of a sample lie.
///
/// The p-quantile of x₀ ≤ … ≤ xₙ₋₁ lies at h = (n − 1) p and is interpolated between x⌊h⌋ and x⌈h⌉: type 7 of Hyndman
/// and Fan 1996 (doi:10.2307/2684934), the default of NumPy and R.
package struct Quantiles: Sendable {
    private let sorted: [Double]

    /// Sorts the sample once, O(n log n), for any number of quantiles.
    ///
    /// - Throws: ``KinError/Code/invalidArgument`` for an empty sample, ``KinError/Code/notFinite`` for a NaN or an
    ///   infinity in it.
    package init(of sample: some Collection<Double>) throws(KinError) {
        guard !sample.isEmpty else { throw KinError(.invalidArgument, "an empty sample has no quantiles") }
        for (i, x) in sample.enumerated() where !x.isFinite {
            throw KinError(.notFinite, "quantiles need finite numbers, and element \(i) is \(x)")
        }
        sorted = sample.sorted()
    }

    /// The `p`-quantile: 0 is the minimum, 0.5 the median, 1 the maximum. O(1).
    ///
    /// - Throws: ``KinError/Code/invalidArgument`` unless 0 ≤ p ≤ 1.
    package func callAsFunction(_ p: Double) throws(KinError) -> Double {
        guard p >= 0, p <= 1 else {
            throw KinError(.invalidArgument, "a quantile's share must be from 0 to 1, not \(p)")
        }
        return value(at: p)
    }

    /// The 0.5-quantile: the middle number, or the mean of the two middle ones.
    package var median: Double { value(at: 0.5) }

    private func value(at p: Double) -> Double {
        let h = Double(sorted.count - 1) * p
        let below = Int(h)
        let a = sorted[below]
        let b = sorted[min(below + 1, sorted.count - 1)]
        let t = h - Double(below)
        let step = b - a
        guard step.isFinite else { return a * (1 - t) + b * t }
        // From the nearer end, so that the result is monotonic in p and reaches b exactly.
        return t < 0.5 ? a + step * t : b - step * (1 - t)
    }
}
