public import KinCore
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
