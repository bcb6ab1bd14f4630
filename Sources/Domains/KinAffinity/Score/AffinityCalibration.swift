/// The quantiles of affinity scores in a population: the share of its pairs that a score exceeds.
///
/// The same score means different things in different populations: 85 of 1,892 Last.fm listeners have a score above 0.7
/// with anyone, while half of all pairs of generated people are above it. A quantile means the same in each population.
/// The calibration stores the scores at 119 shares: every hundredth, every thousandth from 0.99 and every
/// ten-thousandth from 0.999. Between them it interpolates linearly.
///
///     let calibration = matcher.calibration()
///     calibration?.share(below: 0.71)      // 0.992: nearer than 99.2 % of pairs
public struct AffinityCalibration: Sendable, Hashable {
    /// The scores at the shares of ``shares``, ascending, 0…1.
    package let scores: [Double]

    /// The shares of pairs at which scores are stored.
    package static let shares: [Double] =
        (0..<100).map { Double($0) / 100 } + (991...999).map { Double($0) / 1000 }
        + (9991...9999).map { Double($0) / 10_000 } + [1]

    /// The minimum number of pairs in a calibration: all pairs of 15 people.
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
            // Between two equal scores the result is that score, to the bit.
            return sorted[lower] + (sorted[lower + 1] - sorted[lower]) * rest
        }
    }

    /// Creates a calibration from stored scores; nil unless there are 119 ascending scores in 0…1.
    package init?(scores: [Double]) {
        guard scores.count == Self.shares.count, scores.allSatisfy({ (0...1).contains($0) }),
            zip(scores, scores.dropFirst()).allSatisfy({ $0 <= $1 })
        else { return nil }
        self.scores = scores
    }

    /// Estimates the share of all pairs with a lower score, 0…1; O(1).
    ///
    /// The estimate is between the shares of the two nearest stored scores. These shares differ by 0.01, and by 0.001
    /// above 0.99.
    ///
    /// - Parameter score: A score, 0…1.
    public func share(below score: Double) -> Double {
        guard let next = scores.firstIndex(where: { $0 >= score }) else { return 1 }
        guard next > 0, scores[next] > score else { return Self.shares[next] }
        let part = (score - scores[next - 1]) / (scores[next] - scores[next - 1])
        return Self.shares[next - 1] + (Self.shares[next] - Self.shares[next - 1]) * part
    }

    /// The least score that exceeds a share of all pairs; above every score if too many pairs share the highest one.
    ///
    /// - Parameter share: A share of all pairs, 0…1.
    public func score(above share: Double) -> Double {
        guard let next = Self.shares.firstIndex(where: { $0 >= share }), next > 0 else { return scores[0] }
        let (low, high) = (scores[next - 1], scores[next])
        let part = (share - Self.shares[next - 1]) / (Self.shares[next] - Self.shares[next - 1])
        let score = part < 1 ? low + (high - low) * part : high
        // If many pairs have that score, it exceeds fewer pairs.
        return self.share(below: score) >= share - 0x1p-40 ? score : score.nextUp
    }
}
