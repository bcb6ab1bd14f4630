extension SoulMatcher {
    /// Finds the k people most similar to a person, the most similar first.
    ///
    /// - Parameters:
    ///   - user: The id of the person.
    ///   - k: The number of matches, 0 or more.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    /// - Returns: At most k matches; people who share no block with the person are not among them.
    /// - Throws: `.unknownID` for the person, `.invalidArgument` for k or the coverage.
    public func mostSimilar(to user: String, k: Int, minimumCoverage: Double = 0) throws(KinError) -> [ScoredSoul] {
        let slot = try slot(of: user)
        try Self.check(k: k, minimumCoverage: minimumCoverage)
        guard k > 0 else { return [] }
        var heap = TopSouls(capacity: min(k, ids.count), ids: ids)
        let scan = MatchScan(self)
        scan.mostSimilar(to: slot, minimumCoverage: minimumCoverage, into: &heap)
        return scoredSouls(heap, of: slot)
    }

    /// Finds all people with at least a given affinity to a person, most similar first.
    ///
    /// - Parameters:
    ///   - user: The id of the person.
    ///   - affinity: The least score, 0…1.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    /// - Throws: As ``mostSimilar(to:k:minimumCoverage:)``, and `.invalidArgument` for a threshold outside 0…1.
    public func matches(of user: String, above affinity: Double, minimumCoverage: Double = 0) throws(KinError)
        -> [ScoredSoul]
    {
        let slot = try slot(of: user)
        try Self.check(affinity: affinity, minimumCoverage: minimumCoverage)
        let run = SoulRun([slot], of: self)
        var found: [ScoredSoul] = []
        MatchScan(self).matches(ofEach: run, above: affinity, minimumCoverage: minimumCoverage) {
            _, other, score, common in
            found.append(scoredSoul(other, score, common))
        }
        return found.sorted { ($1.affinity, $0.userID) < ($0.affinity, $1.userID) }
    }

    /// Finds the k most similar souls of a person with variety; exact.
    ///
    /// The cost of a soul is its negated score, its category is its connection, and the distance between two souls is
    /// one minus their affinity.
    ///
    /// - Parameters:
    ///   - user: The id of the person.
    ///   - k: The number of souls, 0 or more.
    ///   - variety: The diversity, the limit of a connection, and the people to leave out.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    ///   - affinity: The least score, 0…1; nil for any.
    /// - Throws: As ``mostSimilar(to:k:minimumCoverage:)``, and `.invalidArgument` for a threshold outside 0…1.
    /// - Complexity: A few searches for growing numbers of souls, and O(k · souls found) affinities.
    public func mostSimilar(
        to user: String, k: Int, variety: ListVariety, minimumCoverage: Double = 0, above affinity: Double = 0
    ) throws(KinError) -> [ScoredSoul] {
        try Self.check(k: k, minimumCoverage: minimumCoverage)
        try Self.check(affinity: affinity, minimumCoverage: minimumCoverage)
        var slots: [String: Int] = [:]
        let list = VariedList<ScoredSoul>(
            id: { $0.userID }, cost: { -$0.affinity }, category: { $0.connection.name },
            distance: { a, b in 1 - self.affinity(slots[a.userID]!, slots[b.userID]!).score })
        return try list.choose(k, variety) { count throws(KinError) in
            let found = try mostSimilar(to: user, k: count, minimumCoverage: minimumCoverage)
            let near = found.prefix { $0.affinity >= affinity }
            for soul in near.dropFirst(slots.count) { slots[soul.userID] = try slot(of: soul.userID) }
            return Array(near)
        }
    }

    /// Computes the affinity of two people, with its parts.
    ///
    /// - Throws: `.unknownID` for a person who is not in the matcher.
    /// - Complexity: O(traits of both).
    public func affinity(between a: String, and b: String) throws(KinError) -> Affinity {
        affinity(try slot(of: a), try slot(of: b))
    }

    private func affinity(_ a: Int, _ b: Int) -> Affinity {
        model.affinity(
            table[a].vector(features, goals: factors.current), table[b].vector(features, goals: factors.current))
    }

    func slot(of user: String) throws(KinError) -> Int {
        guard let slot = slots[user] else {
            throw KinError(.unknownID, "there is no such person").within("user", user)
        }
        return slot
    }

    static func check(k: Int, minimumCoverage: Double) throws(KinError) {
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        try check(affinity: 0, minimumCoverage: minimumCoverage)
    }

    static func check(affinity: Double, minimumCoverage: Double) throws(KinError) {
        for (name, value) in [("affinity", affinity), ("minimumCoverage", minimumCoverage)]
        where !(value >= 0 && value <= 1) {
            throw .field(name, "must be from 0 to 1, not \(value)")
        }
    }

    func scoredSouls(_ heap: TopSouls, of slot: Int) -> [ScoredSoul] {
        let mask = table[slot].mask
        return zip(heap.slots, heap.scores).map { other, score in
            scoredSoul(other, score, mask.intersection(table[other].mask))
        }
    }

    func scoredSoul(_ slot: Int, _ score: Double, _ common: BlockMask) -> ScoredSoul {
        ScoredSoul(
            userID: ids[slot], affinity: score, coverage: min(1, model.weights.sum(common)),
            compared: common.blocks.filter { model.weights[$0] > 0 }, by: model)
    }
}
