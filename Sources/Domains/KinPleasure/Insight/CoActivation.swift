import KinForecasting
import KinLibC

/// Two dimensions that are active in the same sessions of a person more often than expected by chance.
///
/// A dimension is active in a session when its coordinate is above the mean over the person's sessions.
public struct CoActivation: Sendable, Hashable {
    /// The dimension that comes first in storage order.
    public let first: Pleasure.Dimension
    /// The dimension that comes second in storage order.
    public let second: Pleasure.Dimension
    /// The number of sessions with both active.
    public let together: Int
    /// The observed frequency of both, divided by the frequency for independent dimensions: P(a ∧ b) ∕ (P(a) P(b)).
    public let lift: Double
    /// The one-sided p-value of Fisher's exact test: the probability of at least this number of common sessions by
    /// chance.
    public let pValue: Double
    /// The p-value of independent sessions, adjusted by Benjamini and Hochberg: the lowest false-discovery rate that makes
    /// the pair significant. Sessions that resemble the sessions before them count as fewer (`IndependentShare`).
    public private(set) var adjustedPValue: Double
    /// The number of sessions counted.
    public let n: Int

    /// The default false-discovery rate of ``pairs(in:falseDiscoveryRate:)``.
    public static let falseDiscoveryRate = 0.01

    /// Finds the pairs of dimensions that are active together significantly often.
    ///
    /// All 120 pairs are tested. The result contains the pairs that the procedure of Benjamini and Hochberg rejects
    /// ("Controlling the false discovery rate", Journal of the Royal Statistical Society B 57(1), 1995,
    /// doi:10.1111/j.2517-6161.1995.tb02031.x).
    ///
    /// - Parameters:
    ///   - points: The points of a person's sessions, in order of time.
    ///   - rate: The expected share of false discoveries among the pairs found.
    /// - Returns: The pairs by ascending p-value of independent sessions.
    /// - Throws: `.invalidArgument` for a rate outside 0…1.
    /// - Complexity: O(n) for each pair, and at most O(60 n) for each dimension.
    public static func pairs(
        in points: [Pleasure], falseDiscoveryRate rate: Double = falseDiscoveryRate
    ) throws(KinError) -> [CoActivation] {
        var moments = PointMoments()
        for point in points { moments.add(point) }
        return try pairs(in: points, means: moments.mean, falseDiscoveryRate: rate)
    }

    /// Finds the pairs among points whose means are known.
    static func pairs(
        in points: [Pleasure], means: SIMD16<Double>, falseDiscoveryRate rate: Double
    ) throws(KinError) -> [CoActivation] {
        guard rate >= 0, rate <= 1 else {
            throw KinError(.invalidArgument, "a false-discovery rate is 0 to 1, not \(rate)")
        }
        // Whether each session is active, by dimension. A difference as small as a rounding error counts as 0.
        let active = Pleasure.Dimension.allCases.map { dimension in
            points.map { Double($0[dimension]) > means[dimension.rawValue] + 1e-6 }
        }
        let counts = active.map { $0.count(where: \.self) }
        let persistence = Pleasure.Dimension.allCases.map { dimension in
            Autocorrelation(points.map { Double($0[dimension]) })
        }
        let n = points.count
        var tested: [CoActivation] = []
        for first in Pleasure.Dimension.allCases {
            for second in Pleasure.Dimension.allCases where first < second {
                let (a, b) = (counts[first.rawValue], counts[second.rawValue])
                // A dimension that is never or always active cannot be tested.
                guard a > 0, b > 0, a < n, b < n else { continue }
                let both = zip(active[first.rawValue], active[second.rawValue]).count { $0 && $1 }
                let p = Hypergeometric(population: n, marked: a, drawn: b).upperTail(from: both)
                let share = IndependentShare.of(persistence[first.rawValue], persistence[second.rawValue])
                tested.append(
                    CoActivation(
                        first: first, second: second, together: both,
                        lift: Double(both) * Double(n) / (Double(a) * Double(b)), pValue: p,
                        adjustedPValue: pow(p, share), n: n))
            }
        }
        return adjusted(tested).filter { $0.adjustedPValue <= rate }
    }

    /// The tests with adjusted p-values p₍ᵢ₎ m ∕ i, made monotonic from the largest down, by ascending p-value.
    ///
    /// - Parameter tested: Tests whose adjusted p-values are those of independent sessions.
    private static func adjusted(_ tested: [CoActivation]) -> [CoActivation] {
        var sorted = tested.sorted {
            ($0.adjustedPValue, $0.first, $0.second) < ($1.adjustedPValue, $1.first, $1.second)
        }
        // Untestable pairs count as tests too.
        let m = Double(Pleasure.Dimension.count * (Pleasure.Dimension.count - 1) / 2)
        var least = 1.0
        for i in sorted.indices.reversed() {
            least = min(least, sorted[i].adjustedPValue * m / Double(i + 1))
            sorted[i].adjustedPValue = least
        }
        return sorted
    }
}

/// The hypergeometric distribution: the number of marked elements in a sample without replacement.
///
///     P(X = x) = C(K, x) C(N − K, n − x) ∕ C(N, n)
struct Hypergeometric {
    /// The size of the population, N.
    let population: Int
    /// The number of marked elements in the population, K.
    let marked: Int
    /// The size of the sample, n.
    let drawn: Int

    /// The probability P(X ≥ x), summed from the smallest term.
    func upperTail(from x: Int) -> Double {
        let most = min(marked, drawn)
        guard x <= most else { return 0 }
        guard x > max(0, drawn + marked - population) else { return 1 }
        // The terms from x on, relative to the first one.
        var ratio = 1.0
        var ratios: [Double] = [1]
        ratios.reserveCapacity(most - x + 1)
        // Terms that underflow add nothing.
        for y in x..<most where ratio > 0 {
            let (k, n, N) = (Double(marked - y), Double(drawn - y), Double(population - marked - drawn + y + 1))
            ratio *= k * n / (Double(y + 1) * N)
            ratios.append(ratio)
        }
        let first = exp(
            logChoose(marked, x) + logChoose(population - marked, drawn - x) - logChoose(population, drawn))
        return min(1, first * ratios.reversed().reduce(0, +))
    }

    private func logChoose(_ n: Int, _ k: Int) -> Double {
        Self.logFactorial(n) - Self.logFactorial(k) - Self.logFactorial(n - k)
    }

    /// ln n!, by the exact product up to 20, then by Stirling's series with an error below 1 ∕ (1260 n⁵).
    private static func logFactorial(_ n: Int) -> Double {
        if n <= 20 { return log((1...max(1, n)).reduce(1.0) { $0 * Double($1) }) }
        let x = Double(n)
        return x * log(x) - x + 0.5 * log(2 * .pi * x) + 1 / (12 * x) - 1 / (360 * x * x * x)
    }
}
