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

    /// The soul whose matches are searched.
    @safe
    private struct Query {
        let slot: Int
        let soul: SoulQuery
        /// The soul's vector in the matcher's frame.
        let vector: UnsafePointer<Float>
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

    /// Finds the best matches of a soul.
    ///
    /// - Parameters:
    ///   - slot: The soul's slot.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    ///   - best: Receives the matches.
    func mostSimilar(to slot: Int, minimumCoverage: Double, into best: inout TopSouls) {
        withQuery(slot) { query in
            for group in groups(comparableWith: query.soul.mask, minimumCoverage: minimumCoverage) {
                search(group, for: query, &best)
            }
        }
    }

    /// Finds better matches in one group.
    private func search(_ group: Group, for query: Query, _ best: inout TopSouls) {
        visit(
            group, for: query, squaredRadius: squaredRadius(of: group, evidence: query.soul.evidence, best: best),
            capacity: best.capacity + 1
        ) { other in
            if other != query.slot {
                best.insert(
                    other, query.soul.score(matcher.table[other], common: group.common, total: group.compared))
            }
            return squaredRadius(of: group, evidence: query.soul.evidence, best: best)
        }
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

    private func withQuery(_ slot: Int, _ body: (Query) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: matcher.frame.dimension) { vector in
            unsafe matcher.frame.project(
                matcher.table[slot], goals: matcher.factors.indexed, into: vector.baseAddress!)
            matcher.withQuery(of: slot) { soul in
                unsafe body(Query(slot: slot, soul: soul, vector: UnsafePointer(vector.baseAddress!)))
            }
        }
    }

    /// Passes the slots of a group's souls within a squared radius to `body`, which returns the radius for the rest of
    /// the search.
    private func visit(
        _ group: Group, for query: Query, squaredRadius: Double, capacity: Int, _ body: (Int) -> Double
    ) {
        let frame = matcher.frame
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: frame.dimension) { vector in
            unsafe vector.baseAddress!.update(from: query.vector, count: frame.dimension)
            for coordinate in frame.coordinates(outside: group.common) { unsafe vector[coordinate] = 0 }
            unsafe matcher.groups[group.mask]?.visit(
                near: vector.span, ignoring: ignoredDimensions(of: group), radius: squaredRadius, capacity: capacity,
                prefetch: { matcher.table[Int($0.rawValue)].prefetch() }, { id, _ in body(Int(id.rawValue)) })
        }
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
