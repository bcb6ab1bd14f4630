public import KinCore
import KinIndex

extension Matcher {
    /// The k people who are most like a person, the most alike first.
    ///
    /// - Parameters:
    ///   - user: Whose kindred.
    ///   - k: How many are wanted, 0 or more.
    ///   - evidence: The least share of all weight that has to be compared, 0…1.
    /// - Returns: At most k; people with whom nothing can be compared are never among them.
    /// - Throws: `.unknownID`, `.invalidArgument` for k or the evidence.
    public func kindred(of user: String, k: Int, evidence: Double = 0) throws(KinError) -> [Kindred] {
        let slot = try slot(of: user)
        try Self.check(k: k, evidence: evidence)
        guard k > 0 else { return [] }
        var heap = KindredHeap(capacity: min(k, ids.count), ids: ids)
        let scan = MatchScan(self)
        scan.kindred(of: slot, evidence: evidence, guesses: EmptyCollection(), into: &heap)
        return kindred(heap, of: slot)
    }

    /// Everybody whose affinity with a person is at least so much, the most alike first.
    ///
    /// - Throws: As ``kindred(of:k:evidence:)``, and `.invalidArgument` for a threshold outside 0…1.
    public func matches(of user: String, above affinity: Double, evidence: Double = 0) throws(KinError) -> [Kindred] {
        let slot = try slot(of: user)
        try Self.check(affinity: affinity, evidence: evidence)
        let scan = MatchScan(self)
        var found: [Kindred] = []
        scan.matches(of: slot, above: affinity, evidence: evidence) { other, score, common in
            found.append(kindred(other, score, common))
        }
        return found.sorted { ($1.affinity, $0.userID) < ($0.affinity, $1.userID) }
    }

    /// How alike two people are, and why.
    ///
    /// - Throws: `.unknownID`.
    public func affinity(between a: String, and b: String) throws(KinError) -> Affinity {
        let (a, b) = (try slot(of: a), try slot(of: b))
        return model.affinity(table[a].vector(features), table[b].vector(features))
    }

    func slot(of user: String) throws(KinError) -> Int {
        guard let slot = slots[user] else {
            throw KinError(.unknownID, "there is no such person").within("user", user)
        }
        return slot
    }

    static func check(k: Int, evidence: Double) throws(KinError) {
        guard k >= 0 else { throw KinError(.invalidArgument, "k is \(k); ask for 0 or more") }
        try check(affinity: 0, evidence: evidence)
    }

    static func check(affinity: Double, evidence: Double) throws(KinError) {
        for (name, value) in [("affinity", affinity), ("evidence", evidence)] where !(value >= 0 && value <= 1) {
            throw KinError(.invalidArgument, "it is \(value), and must be from 0 to 1").within("field", name)
        }
    }

    func kindred(_ heap: KindredHeap, of slot: Int) -> [Kindred] {
        let mask = table[slot].mask
        return zip(heap.slots, heap.scores).map { other, score in
            kindred(other, score, mask.intersection(table[other].mask))
        }
    }

    private func kindred(_ slot: Int, _ score: Double, _ common: BlockMask) -> Kindred {
        Kindred(
            userID: ids[slot], affinity: score, evidence: min(1, model.weights.sum(common)), compared: common.blocks)
    }
}
