import KinCore
import KinLinearAlgebra

extension OffPolicyEvaluation {
    /// The score interval of a ratio of sums ΣNᵢ ∕ ΣDᵢ: all θ of which Σ (Nᵢ − θ Dᵢ), whose mean is 0 at the true ratio, is not far from it.
    ///
    /// θ is inside when (Σ (Nᵢ − θ Dᵢ))² ≤ z² Σ (Nᵢ − θ Dᵢ)², which is quadratic in θ: Fieller's interval (1954, "Some problems in interval estimation")
    /// with the variance at θ, as Wilson's has it for shares. Of `.selfNormalized` it has the weights' variance in it, which the percentile
    /// bootstrap has too little of when a few weights are large. With residuals e at the estimate t and θ = t + δ, Σe = 0, it is
    ///
    ///     ((ΣD)² − z² ΣD²) δ² + 2 z² ΣeD δ − z² Σe² ≤ 0.
    ///
    /// Where (ΣD)² ∕ ΣD², the effective number of rounds, is below z² (3.84 for 95 %), no θ is excluded; the interval is
    /// cut to the range of the ratios Nᵢ ∕ Dᵢ. Estimates give no interval there (``leastEffectiveRounds``).
    ///
    /// Squares could exceed the range of a double where the terms do not: the terms are first divided by powers of two, which rounds nothing.
    ///
    /// - Throws: `.invalidArgument` for a confidence that is none; `.numericalFailure` for terms whose sums are not finite.
    static func scoreInterval(_ terms: [RatioTerms], confidence: Double) throws(KinError) -> ClosedRange<Double> {
        try check(confidence: confidence)
        for term in terms { _ = try (finite(term.numerator), finite(term.denominator)) }
        let units = RatioTerms(
            numerator: powerOfTwo(below: terms.reduce(0) { max($0, abs($1.numerator)) }),
            denominator: powerOfTwo(below: terms.reduce(0) { max($0, $1.denominator) }))
        let interval = scaledScoreInterval(
            terms.map {
                RatioTerms(
                    numerator: $0.numerator / units.numerator, denominator: $0.denominator / units.denominator)
            }, z: NormalDistribution.quantile((1 + confidence) / 2))
        return try finite(interval.lowerBound * units.ratio)...finite(interval.upperBound * units.ratio)
    }

    /// The largest power of two that is not above a magnitude; 1 for 0.
    private static func powerOfTwo(below magnitude: Double) -> Double { magnitude > 0 ? magnitude.binade : 1 }

    /// Passes on a number that is finite.
    ///
    /// - Throws: `.numericalFailure` for another.
    static func finite(_ number: Double) throws(KinError) -> Double {
        guard number.isFinite else {
            throw KinError(
                .numericalFailure,
                "an estimate exceeds the range of numbers: rewards, or products of probability over propensity, are too large; "
                    + "estimate on fewer slots, or leave out the rounds of the smallest propensities")
        }
        return number
    }

    /// The score interval of terms of a magnitude of 2 at most.
    private static func scaledScoreInterval(_ terms: [RatioTerms], z: Double) -> ClosedRange<Double> {
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
        // Not less than |b|, which it would be where b² is below the least double.
        let root = max((b * b - a * c).squareRoot(), abs(b))
        return max(range.lowerBound, estimate - (root + b) / a)...min(range.upperBound, estimate + (root - b) / a)
    }

    static func check(confidence: Double) throws(KinError) {
        guard confidence > 0, confidence < 1 else {
            throw KinError(.invalidArgument, "the confidence is \(confidence); it is between 0 and 1")
        }
    }
}
