extension InventoryIndex {
    /// The weight of a mission's similarity to those chosen before it.
    static let missionVariety = 0.5
    /// The share of the best mission's score below which a mission is not selected for variety.
    static let leastVariedScore = 0.7
    /// The largest k of ``missions(for:k:)``.
    public static let mostMissions = 1000

    /// Selects diverse combinations of one tool and one space for a situation.
    ///
    /// Both are available, in season, suitable for the time of day, and within the radius of the person and of each
    /// other. The time left after the way there and back is enough for both, and their useful durations have a common
    /// value. In a storm the space is indoors by its contexts.
    ///
    /// Missions are selected one by one by maximal marginal relevance (Carbonell and Goldstein, SIGIR 1998,
    /// doi:10.1145/290941.291025): each is the best by its score less ½ of its similarity to the most similar mission
    /// selected. The similarity is ½ for the same space, ¼ for the same tool, ¼ times the share of common pleasures,
    /// and ¼ for each further mission in that space. Ties are broken by score, then by the shorter route, then by the
    /// ids of space and tool. ``MissionRequest/diversity`` changes the ½. Missions with less than 70 % of the best score
    /// are not selected for variety: they follow all others, by score.
    ///
    /// - Parameters:
    ///   - request: The situation.
    ///   - k: The number of missions, 0 to ``mostMissions``.
    /// - Returns: At most k missions in the order of selection; scores need not descend.
    /// - Throws: `.invalidArgument` for k outside its range, a negative or non-finite radius or time, or a diversity
    ///   outside 0..<1.
    /// - Complexity: O(items within the radius) and O(pairs of groups of them), about 5 ns each; the bound in
    ///   `MissionPairing` leaves few pairs to score.
    public func missions(for request: MissionRequest, k: Int = 5) throws(KinError) -> [Mission] {
        try KinError.requireCount(k, "k", upTo: Self.mostMissions)
        if let diversity = request.diversity, !(diversity >= 0 && diversity < 1) {
            throw .field("diversity", "must be from 0 to less than 1, not \(diversity)")
        }
        let pairing = try pairing(for: request)
        let variety = request.diversity.map { $0 / (1 - $0) } ?? Self.missionVariety
        return pairing.select(k, variety: variety).map { pairing.mission($0) }
    }

    /// The candidate tools and spaces within the radius, and the scores of their pairs.
    func pairing(for request: MissionRequest) throws(KinError) -> MissionPairing {
        let spaces = InventoryScan(self, try request.query(for: .space))
        var query = try request.query(for: .tool)
        let located = InventoryScan(self, query)
        // A tool without a location is with the person.
        query.radiusKilometers = nil
        return MissionPairing(
            self, request, tools: [located, InventoryScan(self, query, among: locatedCount..<count)], spaces: spaces)
    }
}
