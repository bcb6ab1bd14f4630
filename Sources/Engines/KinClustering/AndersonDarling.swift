#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The Anderson–Darling test of whether numbers are from a normal distribution of unknown mean and variance.
enum AndersonDarling {
    /// Fewer numbers than this say nothing.
    static let fewest = 8

    /// A² (1 + 4 ∕ n − 25 ∕ n²), where with zᵢ the i-th smallest of the standardised numbers and Φ the normal distribution
    ///
    ///     A² = −n − (1 ∕ n) Σ (2 i − 1) (ln Φ(zᵢ) + ln(1 − Φ(zₙ₊₁₋ᵢ))).
    ///
    /// nil for fewer than 8 numbers, or equal ones. Stephens, "EDF statistics for goodness of fit and some comparisons", JASA 69,
    /// 1974, doi:10.1080/01621459.1974.10480196; the correction as in Hamerly and Elkan, "Learning the k in k-means", NIPS 2003.
    static func statistic(_ numbers: [Double]) -> Double? {
        let n = Double(numbers.count)
        guard numbers.count >= fewest else { return nil }
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

    /// ln(1 − Φ(z)), also where that is too small for a number: there ln(φ(z) ∕ z), which is within 1 ∕ z² of it.
    private static func logTail(_ z: Double) -> Double {
        let tail = 0.5 * erfc(z * 0.5.squareRoot())
        return tail > 0 ? log(tail) : -0.5 * z * z - log(z) - 0.5 * log(2 * Double.pi)
    }
}
