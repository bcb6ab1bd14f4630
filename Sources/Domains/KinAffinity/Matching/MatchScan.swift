/// The searches of one thread over the groups of a ``SoulMatcher``.
///
/// It is an object of one thread, so that its closures do not copy the matcher. All threads share the reference counts
/// of the matcher.
final class MatchScan {
    let matcher: SoulMatcher
    /// The number of souls with each mask.
    private let sizes: [Int]

    init(_ matcher: SoulMatcher) {
        self.matcher = matcher
        sizes = matcher.groups.map { $0?.count ?? 0 }
    }

    /// A group of souls with one mask, and the blocks that they share with the queried soul.
    struct Group {
        /// The mask of the group's souls.
        let mask: Int
        let common: BlockMask
        /// W, the weight of the common blocks.
        let compared: Double
        /// The weight of goals, 0 if they are not common.
        let goals: Double
        /// The squared length of the blocks that only the group has.
        let unmatched: Double
        /// The weight that can be compared times the number of souls: groups are searched by descending priority.
        let priority: Double
    }

    /// The groups that have at least `minimumCoverage` of the weight in common with a mask, by descending priority.
    func groups(comparableWith mask: BlockMask, minimumCoverage: Double) -> [Group] {
        let weights = matcher.model.weights
        return sizes.indices.compactMap { group in
            let other = BlockMask(rawValue: UInt8(group))
            let common = mask.intersection(other)
            let compared = matcher.frame.sums[Int(common.rawValue)]
            guard sizes[group] > 0, compared > 0, min(1, compared) >= minimumCoverage - SoulConnection.rounding
            else { return nil }
            return Group(
                mask: group, common: common, compared: compared, goals: common.has(.goals) ? weights[.goals] : 0,
                unmatched: matcher.frame.squaredLengths[Int(other.subtracting(mask).rawValue)],
                priority: compared * Double(sizes[group]))
        }.sorted { $0.priority > $1.priority }
    }

    /// The squared distance that no soul of a group with a score of at least `score` exceeds, for a queried soul's
    /// evidence factor.
    func squaredRadius(of group: Group, evidence: Double, score: Double) -> Double {
        MatchingFrame.squaredRadius(
            score: score / evidence, compared: group.compared, goals: group.goals, slack: matcher.factors.slack,
            unmatched: group.unmatched)
    }

    /// The squared distance that no soul of a group exceeds if it can still be among the best.
    func squaredRadius(of group: Group, evidence: Double, best: borrowing TopSouls) -> Double {
        best.least < 0 ? .infinity : squaredRadius(of: group, evidence: evidence, score: best.least)
    }

    /// The dimensions that add the same distance for all souls of a group; nil if the group has no block that the
    /// queried soul lacks.
    func ignoredDimensions(of group: Group) -> IgnoredDimensions? {
        guard group.unmatched > 0 else { return nil }
        return IgnoredDimensions(
            dimensions: matcher.frame.coordinates(outside: group.common),
            squaredDistance: group.unmatched - MatchingFrame.slack)
    }
}
