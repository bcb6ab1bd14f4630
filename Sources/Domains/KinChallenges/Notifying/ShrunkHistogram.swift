public import KinCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How often people do something in each part of the day: everybody's shares, and each person's shrunk towards them.
///
/// A person's shares are drawn from Dir(κ π): π are everybody's, κ says how alike people are. After counts n of a person the probability of
/// part b is (n_b + κ π_b) ∕ (Σ n + κ): everybody's for a person of whom nothing is known, the person's own after many. κ maximises the
/// likelihood of the people that the histogram was made of (Minka 2000, "Estimating a Dirichlet distribution").
public struct ShrunkHistogram: Sendable, Hashable {
    /// Everybody's shares π, which are above 0 and sum to 1.
    public let shares: [Double]
    /// κ: how many of a person's own counts weigh as much as everybody's shares.
    public let concentration: Double

    /// The histogram of people's counts, a row a person; all rows as long as the first.
    ///
    /// Each person weighs as much as √(their counts), so that a few busy people do not stand for all. O(people · parts · longest count).
    ///
    /// - Throws: `.invalidArgument` for no rows, rows of other lengths or negative counts.
    public init(counts: [[Int]]) throws(KinError) {
        guard let parts = counts.first?.count, parts > 0 else {
            throw KinError(.invalidArgument, "a histogram needs people with counts")
        }
        guard counts.allSatisfy({ $0.count == parts && $0.allSatisfy { $0 >= 0 } }) else {
            throw KinError(.invalidArgument, "every person has \(parts) counts of 0 or more")
        }
        var sums = [Double](repeating: 0.5, count: parts)
        for row in counts {
            let total = row.reduce(0, +)
            guard total > 0 else { continue }
            let weight = 1 / Double(total).squareRoot()
            for part in 0..<parts { sums[part] += weight * Double(row[part]) }
        }
        let all = sums.reduce(0, +)
        let shares = sums.map { $0 / all }
        self.shares = shares
        concentration = Self.fit(counts, shares)
    }

    /// The probability of each part for a person of whom these counts are known.
    public func probabilities(given counts: [Int]) -> [Double] {
        precondition(counts.count == shares.count, "a person has a count for each part")
        let total = Double(counts.reduce(0, +)) + concentration
        return zip(counts, shares).map { (Double($0) + concentration * $1) / total }
    }

    /// The κ with the highest likelihood, by a golden section of its logarithm between 0.01 and 10,000.
    private static func fit(_ counts: [[Int]], _ shares: [Double]) -> Double {
        let ratio = (5.0.squareRoot() - 1) / 2
        var (low, high) = (log(0.01), log(1e4))
        var (a, b) = (high - ratio * (high - low), low + ratio * (high - low))
        var (fa, fb) = (likelihood(counts, shares, exp(a)), likelihood(counts, shares, exp(b)))
        for _ in 0..<40 {
            if fa > fb {
                (high, b, fb) = (b, a, fa)
                a = high - ratio * (high - low)
                fa = likelihood(counts, shares, exp(a))
            } else {
                (low, a, fa) = (a, b, fb)
                b = low + ratio * (high - low)
                fb = likelihood(counts, shares, exp(b))
            }
        }
        return exp((low + high) / 2)
    }

    /// The log-likelihood of a Dirichlet-multinomial: Σ log Γ(n_b + κ π_b) − log Γ(κ π_b) − log Γ(n + κ) + log Γ(κ).
    private static func likelihood(_ counts: [[Int]], _ shares: [Double], _ concentration: Double) -> Double {
        var sum = 0.0
        for row in counts {
            let total = row.reduce(0, +)
            sum += logGamma(concentration) - logGamma(Double(total) + concentration)
            for (count, share) in zip(row, shares) where count > 0 {
                sum += logGamma(Double(count) + concentration * share) - logGamma(concentration * share)
            }
        }
        return sum
    }

    /// log Γ(x), x > 0; reentrant, which the C library's is not everywhere.
    ///
    /// Γ(x + 1) = x Γ(x) until Stirling's series with three terms is exact to 10⁻¹² (Abramowitz and Stegun 1964, 6.1.41).
    static func logGamma(_ x: Double) -> Double {
        var (x, shift) = (x, 0.0)
        while x < 15 {
            shift -= log(x)
            x += 1
        }
        let y = 1 / (x * x)
        let series = (1 / 12.0 - y * (1 / 360.0 - y * (1 / 1260.0 - y / 1680.0))) / x
        return shift + (x - 0.5) * log(x) - x + 0.918938533204672741780 + series
    }
}
