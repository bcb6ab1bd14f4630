public import KinCore
import KinLibC
import KinLinearAlgebra

/// Two dimensions that fire together in a person's sessions more often than chance has it.
///
/// A dimension fires in a session when its coordinate is above the mean over the person's sessions.
public struct CoActivation: Sendable, Hashable {
    /// The dimension that comes first in storage order.
    public let first: Pleasure.Dimension
    /// The other one.
    public let second: Pleasure.Dimension
    /// In how many sessions both fire.
    public let together: Int
    /// How often both fire, divided by how often they would if neither knew of the other: P(a ∧ b) ∕ (P(a) P(b)).
    public let lift: Double
    /// The probability of so many sessions or more by chance: Fisher's exact test, one-sided.
    public let pValue: Double
    /// The lowest false-discovery rate at which the pair is still found (Benjamini and Hochberg).
    public let adjustedPValue: Double
    /// In how many sessions was counted.
    public let n: Int

    /// The share of false discoveries that is taken into account unless another is asked for.
    public static let falseDiscoveryRate = 0.01

    /// The pairs that fire together more than chance.
    ///
    /// All 120 pairs are tested, and those are kept that the procedure of Benjamini and Hochberg rejects ("Controlling the false
    /// discovery rate", Journal of the Royal Statistical Society B 57(1), 1995, doi:10.1111/j.2517-6161.1995.tb02031.x).
    ///
    /// - Parameters:
    ///   - points: The points of a person's sessions.
    ///   - rate: The expected share of pairs among those found that fire together by chance only.
    /// - Returns: The strongest evidence first.
    /// - Throws: `.invalidArgument` for a rate outside 0…1.
    /// - Complexity: O(n) for each pair.
    public static func pairs(
        in points: [Pleasure], falseDiscoveryRate rate: Double = falseDiscoveryRate
    ) throws(KinError) -> [CoActivation] {
        guard rate >= 0, rate <= 1 else {
            throw KinError(.invalidArgument, "a false-discovery rate is 0 to 1, not \(rate)")
        }
        let firings = Firings(points)
        var tested: [CoActivation] = []
        for first in Pleasure.Dimension.allCases {
            for second in Pleasure.Dimension.allCases where first < second {
                let (a, b) = (firings.counts[first.rawValue], firings.counts[second.rawValue])
                // What never or always fires says nothing.
                guard a > 0, b > 0, a < firings.n, b < firings.n else { continue }
                let both = firings.together(first, second)
                tested.append(
                    CoActivation(
                        first: first, second: second, together: both,
                        lift: Double(both) * Double(firings.n) / (Double(a) * Double(b)),
                        pValue: Hypergeometric(population: firings.n, marked: a, drawn: b).upperTail(from: both),
                        adjustedPValue: 1, n: firings.n))
            }
        }
        return adjusted(tested).filter { $0.adjustedPValue <= rate }
    }

    /// With the adjusted p-values p₍ᵢ₎ m ∕ i, made monotonous from the largest down; in ascending order.
    private static func adjusted(_ tested: [CoActivation]) -> [CoActivation] {
        let sorted = tested.sorted { ($0.pValue, $0.first, $0.second) < ($1.pValue, $1.first, $1.second) }
        // Pairs that cannot be told from the data count as tests too.
        let m = Double(Pleasure.Dimension.count * (Pleasure.Dimension.count - 1) / 2)
        var least = 1.0
        var result: [CoActivation] = []
        for (i, pair) in sorted.enumerated().reversed() {
            least = min(least, pair.pValue * m / Double(i + 1))
            result.append(
                CoActivation(
                    first: pair.first, second: pair.second, together: pair.together, lift: pair.lift,
                    pValue: pair.pValue,
                    adjustedPValue: least, n: pair.n))
        }
        return result.reversed()
    }
}

/// In which sessions each dimension fires, one bit a session.
private struct Firings {
    let n: Int
    let counts: [Int]
    private let bits: [[UInt64]]

    init(_ points: [Pleasure]) {
        n = points.count
        let words = (points.count + 63) / 64
        bits = Pleasure.Dimension.allCases.map { dimension in
            let mean = Moments(points.lazy.map { Double($0[dimension]) }).mean
            var bits = [UInt64](repeating: 0, count: words)
            // A difference of the size of rounding is none.
            for (i, point) in points.enumerated() where Double(point[dimension]) > mean + 1e-6 {
                bits[i / 64] |= 1 << UInt64(i % 64)
            }
            return bits
        }
        counts = bits.map { $0.reduce(0) { $0 + $1.nonzeroBitCount } }
    }

    func together(_ a: Pleasure.Dimension, _ b: Pleasure.Dimension) -> Int {
        zip(bits[a.rawValue], bits[b.rawValue]).reduce(0) { $0 + ($1.0 & $1.1).nonzeroBitCount }
    }
}

/// How many marked ones are among some drawn without replacement.
///
///     P(X = x) = C(K, x) C(N − K, n − x) ∕ C(N, n)
struct Hypergeometric {
    /// N.
    let population: Int
    /// K.
    let marked: Int
    /// n.
    let drawn: Int

    /// P(X ≥ x), summed from the smallest term on.
    func upperTail(from x: Int) -> Double {
        let most = min(marked, drawn)
        guard x <= most else { return 0 }
        guard x > max(0, drawn + marked - population) else { return 1 }
        // The terms beyond x by their ratios to the first one, which is at most 1 of them.
        var ratio = 1.0
        var ratios: [Double] = [1]
        for y in x..<most {
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

    /// ln n!: by its product while that is exact to rounding, then by Stirling's series, whose error is below 1 ∕ (1260 n⁵).
    private static func logFactorial(_ n: Int) -> Double {
        if n <= 20 { return log((1...max(1, n)).reduce(1.0) { $0 * Double($1) }) }
        let x = Double(n)
        return x * log(x) - x + 0.5 * log(2 * .pi * x) + 1 / (12 * x) - 1 / (360 * x * x * x)
    }
}
