import KinLibC

/// The Anderson–Darling test of normality, for unknown mean and variance.
enum AndersonDarling {
    /// The minimum number of values for a meaningful statistic.
    static let minimumCount = 8

    /// The corrected statistic A² (1 + 4 ∕ n − 25 ∕ n²); nil for fewer than 8 values, or equal ones.
    ///
    /// With zᵢ the i-th smallest of the standardised values and Φ the normal distribution,
    ///
    ///     A² = −n − (1 ∕ n) Σ (2 i − 1) (ln Φ(zᵢ) + ln(1 − Φ(zₙ₊₁₋ᵢ))).
    ///
    /// Stephens, "EDF statistics for goodness of fit and some comparisons", JASA 69, 1974,
    /// doi:10.1080/01621459.1974.10480196; the correction as in Hamerly and Elkan, "Learning the k in k-means", NIPS
    /// 2003.
    static func statistic(_ numbers: [Double]) -> Double? {
        let n = Double(numbers.count)
        guard numbers.count >= minimumCount else { return nil }
        let sorted = numbers.sorted()
        let mean = numbers.reduce(0, +) / n
        let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
        guard sorted[0] < sorted[sorted.count - 1], variance > 0 else { return nil }
        let deviation = variance.squareRoot()
        var sum = 0.0
        for i in sorted.indices {
            let below = logTail((mean - sorted[i]) / deviation)
            let above = logTail((sorted[sorted.count - 1 - i] - mean) / deviation)
            sum += Double(2 * i + 1) * (below + above)
        }
        return (-n - sum / n) * (1 + 4 / n - 25 / (n * n))
    }

    /// The logarithm ln(1 − Φ(z)). If 1 − Φ(z) underflows, it is ln(φ(z) ∕ z), whose error is within 1 ∕ z².
    private static func logTail(_ z: Double) -> Double {
        let tail = 0.5 * erfc(z * 0.5.squareRoot())
        return tail > 0 ? log(tail) : -0.5 * z * z - log(z) - 0.5 * log(2 * Double.pi)
    }
}
