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
    /// - Parameter k: How many are wanted.
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
        tools += try search(query, for: request.wish, k: Self.missionPool).filter { $0.item.place == nil }
        let match = PleasureMatch(request.wish)
        var candidates: [Mission] = []
        for space in spaces {
            for tool in tools {
                if let mission = Mission(tool, space, for: request, match) { candidates.append(mission) }
            }
        }
        return Self.varied(candidates, k: k)
    }

    private static func varied(_ candidates: [Mission], k: Int) -> [Mission] {
        var left = candidates.sorted { ($1.score, $0.space.id, $0.tool.id) < ($0.score, $1.space.id, $1.tool.id) }
            .map { (mission: $0, score: $0.score, likeness: 0.0) }
        var chosen: [Mission] = []
        var uses: [String: Int] = [:]
        while chosen.count < k, !left.isEmpty {
            var best = 0
            var bestValue = -Double.infinity
            for (i, candidate) in left.enumerated() {
                let crowding = 0.25 * Double(max(0, (uses[candidate.mission.space.id] ?? 0) - 1))
                let value = candidate.score - missionVariety * (candidate.likeness + crowding)
                if value > bestValue { (best, bestValue) = (i, value) }
            }
            let mission = left.remove(at: best).mission
            chosen.append(mission)
            uses[mission.space.id, default: 0] += 1
            for i in left.indices {
                left[i].likeness = max(left[i].likeness, left[i].mission.likeness(to: mission))
            }
        }
        return chosen
    }
}

extension Mission {
    /// The mission with a tool in a space, or nil when the two do not fit together or into the time.
    fileprivate init?(
        _ tool: InventoryMatch, _ space: InventoryMatch, for request: MissionRequest, _ match: PleasureMatch
    ) {
        guard let spacePlace = space.item.place, let direct = space.distanceKilometers else { return nil }
        // By way of the tool, if it is somewhere.
        let apart = tool.item.place.map { $0.distance(to: spacePlace) }
        if let apart, apart > request.radiusKilometers { return nil }
        let way = apart.map { $0 + (tool.distanceKilometers ?? 0) } ?? direct
        let travel = way / MissionRequest.walkingSpeed * 60
        let left = request.minutes - travel
        let least = max(
            tool.item.times.durationRange?.lowerBound ?? 0, space.item.times.durationRange?.lowerBound ?? 0)
        guard left > 0, left >= least else { return nil }
        let (a, b) = (tool.item.pleasureMask, space.item.pleasureMask)
        let either = (a | b).nonzeroBitCount
        let values: [Name: Double] = [
            .wish: match(a | b),
            .state: (request.state.fit(of: tool.item) + request.state.fit(of: space.item)) / 2,
            .shared: either > 0 ? Double((a & b).nonzeroBitCount) / Double(either) : 0,
            .near: request.radiusKilometers > 0 ? max(0, 1 - way / (2 * request.radiusKilometers)) : 1,
            .time: left / request.minutes,
            .weather: Self.weatherValue(request.weather, tool.item, space.item),
        ]
        self.tool = tool.item
        self.space = space.item
        travelMinutes = travel
        minutesThere = left
        parts = Name.allCases.map { Part(name: $0, value: values[$0]!) }
    }

    /// The space decides whether one is outdoors, or the tool where the space does not say; ½ when neither does, or the weather is
    /// not known. Indoors one is glad of any weather, the more so the worse it is.
    private static func weatherValue(_ weather: Weather?, _ tool: InventoryItem, _ space: InventoryItem) -> Double {
        guard let weather, let isOutdoors = space.isOutdoors ?? tool.isOutdoors else { return 0.5 }
        return isOutdoors ? weather.outdoors : 1 - weather.outdoors / 2
    }

    /// How alike two missions are, 0…1.
    fileprivate func likeness(to other: Mission) -> Double {
        let (a, b) = (tool.pleasureMask | space.pleasureMask, other.tool.pleasureMask | other.space.pleasureMask)
        let either = (a | b).nonzeroBitCount
        return (space.id == other.space.id ? 0.5 : 0) + (tool.id == other.tool.id ? 0.25 : 0)
            + (either > 0 ? 0.25 * Double((a & b).nonzeroBitCount) / Double(either) : 0)
    }
}
