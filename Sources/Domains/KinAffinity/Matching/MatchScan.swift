import KinCore
import KinIndex
import KinLinearAlgebra

/// What the questions of one thread have in common: the groups of people that they go through.
struct MatchScan {
    private let matcher: Matcher
    private let weights: AffinityWeights
    /// Sums of weights by mask.
    private let sums: [Double]
    /// Squared lengths of vectors by mask.
    private let lengths: [Double]
    /// Groups with anybody in them, and how many people each group has.
    private let masks: [Int]
    private let sizes: [Int]

    init(_ matcher: Matcher) {
        self.matcher = matcher
        weights = matcher.model.weights
        sums = (0..<32).map { [weights] in weights.sum(BlockMask(rawValue: UInt8($0))) }
        lengths = (0..<32).map { [frame = matcher.frame] in frame.squaredLength(BlockMask(rawValue: UInt8($0))) }
        sizes = matcher.groups.map { $0?.count ?? 0 }
        masks = (0..<32).filter { [sizes] in sizes[$0] > 0 }
    }

    /// How somebody's blocks meet those of a group.
    private struct Meeting {
        let common: BlockMask
        /// W and the squared length of what only the group has.
        let compared: Double
        let unmatched: Double
        /// The group's mask, and how much there is to find in it.
        let group: Int
        let promise: Double
    }

    /// Somebody who is compared with others.
    @safe
    private struct Asker {
        let slot: Int
        let query: SoulQuery
        /// The vector in the matcher's frame.
        let vector: UnsafePointer<Float>
    }

    /// The groups that can be compared with somebody, the most weight in common first.
    private func meetings(_ mask: BlockMask, evidence: Double) -> [Meeting] {
        masks.compactMap { group in
            let other = BlockMask(rawValue: UInt8(group))
            let common = mask.intersection(other)
            let compared = sums[Int(common.rawValue)]
            guard compared > 0, min(1, compared) >= evidence - Connection.rounding else { return nil }
            return Meeting(
                common: common, compared: compared, unmatched: lengths[Int(other.subtracting(mask).rawValue)],
                group: group, promise: compared * Double(sizes[group]))
        }.sorted { $0.promise > $1.promise }
    }

    /// Finds the best matches of somebody.
    ///
    /// - Parameters:
    ///   - guesses: Slots of people who may be among them: the sooner good ones are known, the less there is to look at.
    func kindred(
        of slot: Int, evidence: Double, guesses: some Sequence<Int>, into heap: inout KindredHeap
    ) {
        withAsker(slot) { asker in
            for guess in guesses where guess != slot {
                let other = matcher.table[guess]
                let common = asker.query.mask.intersection(other.mask)
                let compared = sums[Int(common.rawValue)]
                guard compared > 0, min(1, compared) >= evidence - Connection.rounding else { continue }
                heap.insert(guess, asker.query.score(other, common: common, total: compared))
            }
            for meeting in meetings(asker.query.mask, evidence: evidence) { search(meeting, for: asker, &heap) }
        }
    }

    /// Finds better matches in one group.
    private func search(_ meeting: Meeting, for asker: Asker, _ heap: inout KindredHeap) {
        func reach() -> Double {
            let least = heap.least
            guard least >= 0 else { return .infinity }
            return MatchingFrame.reach(score: least, compared: meeting.compared, unmatched: meeting.unmatched)
        }
        visit(meeting, for: asker, reach: reach(), capacity: heap.capacity + 1) { other in
            if other == asker.slot { return reach() }
            heap.insert(
                other, asker.query.score(matcher.table[other], common: meeting.common, total: meeting.compared))
            return reach()
        }
    }

    /// Finds everybody whose score with somebody is at least so much, in no particular order.
    func matches(of slot: Int, above score: Double, evidence: Double, _ found: (Int, Double, BlockMask) -> Void) {
        withAsker(slot) { asker in
            for meeting in meetings(asker.query.mask, evidence: evidence) {
                let reach = MatchingFrame.reach(score: score, compared: meeting.compared, unmatched: meeting.unmatched)
                visit(meeting, for: asker, reach: reach, capacity: .max) { other in
                    if other == slot { return reach }
                    let match = asker.query.score(
                        matcher.table[other], common: meeting.common, total: meeting.compared)
                    if match >= score { found(other, match, meeting.common) }
                    return reach
                }
            }
        }
    }

    private func withAsker(_ slot: Int, _ body: (Asker) -> Void) {
        let row = matcher.table[slot]
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: matcher.frame.dimension) { vector in
            unsafe matcher.frame.project(row, into: vector.baseAddress!)
            let query = SoulQuery(row, features: matcher.features.count, weights: weights)
            unsafe body(Asker(slot: slot, query: query, vector: UnsafePointer(vector.baseAddress!)))
        }
    }

    /// Goes through everybody in a group who is within reach.
    private func visit(
        _ meeting: Meeting, for asker: Asker, reach: Double, capacity: Int, _ body: (Int) -> Double
    ) {
        let frame = matcher.frame
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: frame.dimension) { query in
            unsafe query.baseAddress!.update(from: asker.vector, count: frame.dimension)
            let outside = frame.coordinates(outside: meeting.common)
            for place in outside { unsafe query[place] = 0 }
            // Where the group has nothing that the asker lacks, there is nothing to disregard.
            let disregard =
                meeting.unmatched > 0
                ? Disregard(coordinates: outside, squaredLength: meeting.unmatched - MatchingFrame.slack) : nil
            unsafe matcher.groups[meeting.group]?.visit(
                near: query.span, disregarding: disregard, reach: reach, capacity: capacity,
                foreseen: { matcher.table[Int($0.rawValue)].prefetch() }, { id, _ in body(Int(id.rawValue)) })
        }
    }
}
