public import KinCore

extension InventoryIndex {
    /// How many tools, and how many spaces, are looked at in pairs: those that match the wish best.
    static let missionPool = 64
    /// What a mission loses for being like one chosen before: its likeness times this.
    static let missionVariety = 0.5

    /// Combinations of one tool and one space for a situation, the best first, and varied.
    ///
    /// Both are available, in season, good at this time of day, and within the radius of the person and of each other; the
    /// ways leave enough time for whichever needs more. Of the 64 tools and the 64 spaces that match the wish best, every pair is
    /// scored. Then missions are chosen one by one, each the best by its score less ½ of its likeness to the most alike of
    /// those chosen (maximal marginal relevance: Carbonell and Goldstein, SIGIR 1998, doi:10.1145/290941.291025): likeness is ½ for
    /// the same space, ¼ for the same tool, and ¼ times the share of common pleasures; and ¼ more for every
    /// further mission chosen in that space.
    ///
    /// - Parameters:
    ///   - request: For whom, where, when and for how long.
    ///   - k: How many are wanted.
    /// - Returns: At most k missions. Their scores need not descend: variety goes before.
    /// - Throws: `.invalidArgument` for a negative k, radius or time.
    /// - Complexity: O(items within the radius) and O(4096 k).
    public func missions(for request: MissionRequest, k: Int = 5) throws(KinError) -> [Mission] {
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        var query = InventoryQuery(
            place: request.place, radiusKilometers: request.radiusKilometers, kinds: [.space], statuses: [.available],
            slot: request.slot, minutes: request.minutes, season: request.season)
        let spaces = try search(query, for: request.wish, k: Self.missionPool)
        query.kinds = [.tool]
        var tools = try search(query, for: request.wish, k: Self.missionPool)
        // A tool that is nowhere in particular is with the person.
        query.radiusKilometers = nil
        tools += best(
            Self.missionPool, of: InventoryScan(self, query, among: placedCount..<count), for: request.wish)
        let pairing = MissionPairing(request, tools: tools, spaces: spaces)
        return pairing.varied(k: k, variety: Self.missionVariety).map { pairing.mission($0) }
    }
}
