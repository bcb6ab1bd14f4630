import KinLibC

/// The share of independent days among days whose neighbours resemble each other: (1 − ρ) ∕ (1 + ρ), where ρ is the
/// correlation of adjacent days.
///
/// A mean of n such days varies as a mean of n · share independent days (M. S. Bartlett, JRSS 98, 1935), and the
/// logarithm of a small p-value is proportional to the number of days. So `pow(p, share)` is the p-value of dependent
/// days.
package enum IndependentShare {
    /// The share for values about their mean, in order of time.
    ///
    /// ρ is its estimate plus one standard error, at least 0 and at most 0.95.
    package static func of(_ values: [Double]) -> Double { share(correlation(values), values.count) }

    /// The share for pairs of values: the correlation of two series varies with the product of both ρ.
    static func of(_ x: [Double], _ y: [Double]) -> Double {
        share(max(0, correlation(x)) * max(0, correlation(y)), x.count)
    }

    private static func share(_ correlation: Double, _ count: Int) -> Double {
        let rho = min(0.95, max(0, correlation + 1 / Double(max(1, count)).squareRoot()))
        return (1 - rho) / (1 + rho)
    }

    /// The correlation of adjacent values; 0 for values that are constant except for rounding.
    private static func correlation(_ values: [Double]) -> Double {
        let mean = ChangePointDetection.mean(values)
        let centred = values.map { $0 - mean }
        let squares = centred.reduce(0) { $0 + $1 * $1 }
        return squares > 1e-9 ? zip(centred, centred.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / squares : 0
    }
}
