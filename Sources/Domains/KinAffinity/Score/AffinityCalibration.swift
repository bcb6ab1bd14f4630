/// The quantiles of affinity scores in a population: what share of its pairs a score exceeds.
///
/// Scores mean different things in different populations: of 1,892 listeners of Last.fm 85 have anybody above .7, of made-up people half of
/// all pairs are. A quantile means the same in each. It is kept as the scores at 119 shares: every hundredth, every thousandth from .99
/// and every ten-thousandth from .999 on, with straight lines between them.
///
///     let calibration = matcher.calibration()
///     calibration?.share(below: 0.71)      // 0.992: nearer than 99.2 % of pairs
public struct AffinityCalibration: Sendable, Hashable {
    /// The scores at the shares of ``shares``, ascending, 0…1.
    package let scores: [Double]

    /// The shares of pairs whose scores are kept.
    package static let shares: [Double] =
        (0..<100).map { Double($0) / 100 } + (991...999).map { Double($0) / 1000 }
        + (9991...9999).map { Double($0) / 10_000 } + [1]

    /// The least number of pairs of a calibration: those of 15 people.
    public static let leastPairs = 105

    /// Computes the quantiles of a sample of scores; nil for fewer than ``leastPairs``.
    ///
    /// - Parameter sample: The scores of pairs, in any order, 0…1.
    /// - Complexity: O(n log n).
    package init?(sample: [Double]) {
        guard sample.count >= Self.leastPairs else { return nil }
        let sorted = sample.sorted()
        scores = Self.shares.map { share in
            let place = share * Double(sorted.count - 1)
            let (lower, rest) = (Int(place), place - place.rounded(.down))
            guard rest > 0 else { return sorted[lower] }
            // Of two equal scores the same score, to the bit.
            return sorted[lower] + (sorted[lower + 1] - sorted[lower]) * rest
        }
    }

    /// Creates a calibration from kept scores; nil for numbers that are none.
    package init?(scores: [Double]) {
        guard scores.count == Self.shares.count, scores.allSatisfy({ (0...1).contains($0) }),
            zip(scores, scores.dropFirst()).allSatisfy({ $0 <= $1 })
        else { return nil }
        self.scores = scores
    }

    /// The share of all pairs with a lower score, 0…1; O(1).
    ///
    /// - Parameter score: A score, 0…1.
    public func share(below score: Double) -> Double {
        guard let next = scores.firstIndex(where: { $0 >= score }) else { return 1 }
        guard next > 0, scores[next] > score else { return Self.shares[next] }
        let part = (score - scores[next - 1]) / (scores[next] - scores[next - 1])
        return Self.shares[next - 1] + (Self.shares[next] - Self.shares[next - 1]) * part
    }

    /// The least score that exceeds a share of all pairs; above every score where too many pairs share the highest one.
    ///
    /// - Parameter share: A share of all pairs, 0…1.
    public func score(above share: Double) -> Double {
        guard let next = Self.shares.firstIndex(where: { $0 >= share }), next > 0 else { return scores[0] }
        let (low, high) = (scores[next - 1], scores[next])
        let part = (share - Self.shares[next - 1]) / (Self.shares[next] - Self.shares[next - 1])
        let score = part < 1 ? low + (high - low) * part : high
        // Where many pairs have that score, it exceeds fewer.
        return self.share(below: score) >= share - 0x1p-40 ? score : score.nextUp
    }
}
