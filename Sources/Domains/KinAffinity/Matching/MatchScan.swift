import KinCore
import KinIndex
import KinLinearAlgebra

/// What the questions of one thread have in common: the groups of people that they go through.
struct MatchScan {
    private let matcher: Matcher
    private let weights: AffinityWeights
    /// Sums of weights by mask.
    private let sums: [Double]
    /// Groups with anybody in them.
    private let masks: [Int]

    init(_ matcher: Matcher) {
        self.matcher = matcher
        weights = matcher.model.weights
        sums = (0..<32).map { [weights] in weights.sum(BlockMask(rawValue: UInt8($0))) }
        masks = (0..<32).filter { matcher.groups[$0].map { !$0.isEmpty } ?? false }
    }

    /// How somebody's blocks meet those of a group.
    private struct Meeting {
        let common: BlockMask
        /// W and the weight that only the group has.
        let compared: Double
        let unmatched: Double
        let index: IVFIndex
    }

    /// The groups that can be compared with somebody, the most weight in common first.
    private func meetings(_ mask: BlockMask, evidence: Double) -> [Meeting] {
        masks.compactMap { group in
            let other = BlockMask(rawValue: UInt8(group))
            let common = mask.intersection(other)
            let compared = sums[Int(common.rawValue)]
            guard compared > 0, min(1, compared) >= evidence, let index = matcher.groups[group] else { return nil }
            return Meeting(
                common: common, compared: compared, unmatched: sums[Int(other.subtracting(mask).rawValue)],
                index: index)
        }.sorted { $0.compared * Double($0.index.count) > $1.compared * Double($1.index.count) }
    }

    /// Finds the best matches of somebody.
    ///
    /// - Parameters:
    ///   - guesses: Slots of people who may be among them: the sooner good ones are known, the less there is to look at.
    func kindred(
        of slot: Int, evidence: Double, guesses: some Sequence<Int>, into heap: inout KindredHeap
    ) {
        let row = matcher.table[slot]
        let query = SoulQuery(row, features: matcher.features.count, weights: weights)
        for guess in guesses where guess != slot {
            let common = query.mask.intersection(matcher.table[guess].mask)
            let compared = sums[Int(common.rawValue)]
            guard compared > 0, min(1, compared) >= evidence else { continue }
            heap.insert(guess, query.score(matcher.table[guess], common: common, total: compared))
        }
        matcher.frame.withProjection(of: row, query.mask) { projection in
            for meeting in meetings(query.mask, evidence: evidence) {
                search(meeting, for: slot, query, projection, &heap)
            }
        }
    }

    /// Finds better matches in one group.
    private func search(
        _ meeting: Meeting, for slot: Int, _ query: SoulQuery, _ projection: BlockProjection, _ heap: inout KindredHeap
    ) {
        func reach() -> Double {
            let least = heap.least
            guard least >= 0 else { return .infinity }
            return MatchingFrame.reach(score: least, compared: meeting.compared, unmatched: meeting.unmatched)
        }
        visit(projection, meeting, reach: reach(), capacity: heap.capacity + 1) { id in
            let other = Int(id.rawValue)
            if other == slot { return reach() }
            heap.insert(other, query.score(matcher.table[other], common: meeting.common, total: meeting.compared))
            return reach()
        }
    }

    /// Finds everybody whose score with somebody is at least so much, in no particular order.
    func matches(of slot: Int, above score: Double, evidence: Double, _ found: (Int, Double, Double) -> Void) {
        let row = matcher.table[slot]
        let query = SoulQuery(row, features: matcher.features.count, weights: weights)
        matcher.frame.withProjection(of: row, query.mask) { projection in
            for meeting in meetings(query.mask, evidence: evidence) {
                let reach = MatchingFrame.reach(score: score, compared: meeting.compared, unmatched: meeting.unmatched)
                visit(projection, meeting, reach: reach, capacity: .max) { id in
                    let other = Int(id.rawValue)
                    if other == slot { return reach }
                    let match = query.score(matcher.table[other], common: meeting.common, total: meeting.compared)
                    if match >= score { found(other, match, min(1, meeting.compared)) }
                    return reach
                }
            }
        }
    }

    private func visit(
        _ projection: BlockProjection, _ meeting: Meeting, reach: Double, capacity: Int, _ body: (VectorID) -> Double
    ) {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: matcher.frame.dimension) { coordinates in
            unsafe projection.assemble(meeting.common, into: coordinates.baseAddress!)
            unsafe meeting.index.visit(near: coordinates.span, reach: reach, capacity: capacity) { id, _ in body(id) }
        }
    }
}
