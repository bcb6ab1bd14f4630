public import KinCore

extension InventoryIndex {
    /// What a mission loses for being like one chosen before: its likeness times this.
    static let missionVariety = 0.5
    /// The most missions that can be asked for.
    public static let mostMissions = 1000

    /// Combinations of one tool and one space for a situation, the best first, and varied.
    ///
    /// Both are available, in season, good at this time of day, and within the radius of the person and of each other; the
    /// ways leave enough time for whichever needs more. Of all such pairs missions are chosen one by one, each the best by its
    /// score less ½ of its likeness to the most alike of those chosen (maximal marginal relevance: Carbonell and Goldstein, SIGIR
    /// 1998, doi:10.1145/290941.291025): likeness is ½ for the same space, ¼ for the same tool, and ¼ times the share of common
    /// pleasures; and ¼ more for every further mission chosen in that space. Equal ones are ordered by their scores, then the
    /// shorter way, then the ids of space and tool.
    ///
    /// - Parameters:
    ///   - request: For whom, where, when and for how long.
    ///   - k: How many are wanted, 0 to ``mostMissions``.
    /// - Returns: At most k missions. Their scores need not descend: variety goes before.
    /// - Throws: `.invalidArgument` for another k, and for a radius or time that is negative or no number.
    /// - Complexity: O(items within the radius) and O(pairs of them that differ in pleasures and surroundings), some 5 ns each;
    ///   a bound that is proved in `MissionPairing` leaves few pairs to be scored.
    public func missions(for request: MissionRequest, k: Int = 5) throws(KinError) -> [Mission] {
        guard (0...Self.mostMissions).contains(k) else {
            throw KinError(.invalidArgument, "k is \(k), and must be from 0 to \(Self.mostMissions)")
        }
        let pairing = try pairing(for: request)
        return MissionChoice(pairing, k: k, variety: Self.missionVariety).chosen().map { pairing.mission($0) }
    }

    /// The tools and spaces within reach.
    func pairing(for request: MissionRequest) throws(KinError) -> MissionPairing {
        var query = InventoryQuery(
            location: request.location, radiusKilometers: request.radiusKilometers, kinds: [.space],
            statuses: [.available],
            slot: request.slot, minutes: request.minutes, season: request.season)
        try query.check()
        let spaces = InventoryScan(self, query)
        query.kinds = [.tool]
        let located = InventoryScan(self, query)
        // A tool that is nowhere in particular is with the person.
        query.radiusKilometers = nil
        return MissionPairing(
            self, request, tools: [located, InventoryScan(self, query, among: locatedCount..<count)], spaces: spaces)
    }
}
