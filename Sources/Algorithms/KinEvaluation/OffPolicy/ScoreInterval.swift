extension OffPolicyEvaluation {
    /// The score interval of a ratio of sums ΣNᵢ ∕ ΣDᵢ: all θ for which Σ (Nᵢ − θ Dᵢ) is close to 0, its mean at the
    /// true ratio.
    ///
    /// θ is inside if (Σ (Nᵢ − θ Dᵢ))² ≤ z² Σ (Nᵢ − θ Dᵢ)², which is quadratic in θ. This is Fieller's interval (1954,
    /// "Some problems in interval estimation") with the variance at θ, as in Wilson's interval for shares. For
    /// `.selfNormalized` it includes the variance of the weights, which the percentile bootstrap underestimates if a
    /// few weights are large. With residuals e at the estimate t, Σe = 0 and θ = t + δ, the condition is
    ///
    ///     ((ΣD)² − z² ΣD²) δ² + 2 z² ΣeD δ − z² Σe² ≤ 0.
    ///
    /// If (ΣD)² ∕ ΣD², the effective number of rounds, is below z² (3.84 for 95 %), no θ is excluded, and the interval
    /// is clamped to the range of the ratios Nᵢ ∕ Dᵢ. Estimates report no interval in this case
    /// (``leastEffectiveRounds``).
    ///
    /// Squares could exceed the range of a double even if the terms do not. The terms are therefore first divided by
    /// powers of two, which causes no rounding.
    ///
    /// - Throws: `.invalidArgument` unless the confidence is between 0 and 1; `.numericalFailure` for terms whose sums
    ///   are not finite.
    static func scoreInterval(_ terms: [RatioTerms], confidence: Double) throws(KinError) -> ClosedRange<Double> {
        try check(confidence: confidence)
        for term in terms { _ = try (finite(term.numerator), finite(term.denominator)) }
        let units = RatioTerms(
            numerator: powerOfTwo(below: terms.reduce(0) { max($0, abs($1.numerator)) }),
            denominator: powerOfTwo(below: terms.reduce(0) { max($0, $1.denominator) }))
        let interval = scaledScoreInterval(
            terms.lazy.map {
                RatioTerms(
                    numerator: $0.numerator / units.numerator, denominator: $0.denominator / units.denominator)
            }, z: NormalDistribution.quantile((1 + confidence) / 2))
        return try finite(interval.lowerBound * units.ratio)...finite(interval.upperBound * units.ratio)
    }

    /// The largest power of two that does not exceed a magnitude; 1 for 0.
    private static func powerOfTwo(below magnitude: Double) -> Double { magnitude > 0 ? magnitude.binade : 1 }

    /// Returns a number if it is finite.
    ///
    /// - Throws: `.numericalFailure` if it is not.
    static func finite(_ number: Double) throws(KinError) -> Double {
        guard number.isFinite else {
            throw KinError(
                .numericalFailure,
                "an estimate exceeds the range of numbers: rewards, or products of probability over propensity, are too large; "
                    + "estimate on fewer slots, or leave out the rounds of the smallest propensities")
        }
        return number
    }

    /// The score interval of terms with a magnitude of at most 2.
    private static func scaledScoreInterval(_ terms: some Sequence<RatioTerms>, z: Double) -> ClosedRange<Double> {
        let estimate = value(terms)
        var (range, sum) = (estimate...estimate, 0.0)
        // The sums of e², e D and D².
        var (ee, ed, dd) = (0.0, 0.0, 0.0)
        for term in terms where term.denominator > 0 {
            let e = term.numerator - estimate * term.denominator
            sum += term.denominator
            ee += e * e
            ed += e * term.denominator
            dd += term.denominator * term.denominator
            range = min(range.lowerBound, term.ratio)...max(range.upperBound, term.ratio)
        }
        let (a, b, c) = (sum * sum - z * z * dd, z * z * ed, -z * z * ee)
        guard a > 0 else { return range }
        // At least |b|, even if b² underflows.
        let root = max((b * b - a * c).squareRoot(), abs(b))
        return max(range.lowerBound, estimate - (root + b) / a)...min(range.upperBound, estimate + (root - b) / a)
    }

    static func check(confidence: Double) throws(KinError) {
        guard confidence > 0, confidence < 1 else {
            throw KinError(.invalidArgument, "the confidence must be between 0 and 1, not \(confidence)")
        }
    }
}
