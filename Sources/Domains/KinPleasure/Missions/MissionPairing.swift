/// The tools and spaces that a mission may be made of, and the pairs of them that fit.
///
/// Thousands of pairs are scored and a few become missions: a pair is some numbers.
struct MissionPairing {
    /// A tool or a space, and what is asked of it again and again.
    private struct Side {
        let item: InventoryItem
        let distance: Double?
        let point: SpherePoint?
        let pleasures: UInt16
        let stateFit: Double
        let leastMinutes: Double
        let isOutdoors: Bool?

        init(_ found: InventoryMatch, _ state: SessionState) {
            item = found.item
            distance = found.distanceKilometers
            point = found.item.place.map { SpherePoint($0) }
            pleasures = found.item.pleasureMask
            stateFit = state.fit(of: found.item)
            leastMinutes = found.item.times.durationRange?.lowerBound ?? 0
            isOutdoors = found.item.isOutdoors
        }
    }

    /// A tool and a space that fit together and into the time.
    struct Pair {
        fileprivate let tool: Int
        fileprivate let space: Int
        fileprivate let pleasures: UInt16
        fileprivate let travelMinutes: Double
        /// The values of the parts, in the order of ``Mission/Name``.
        fileprivate let values: SIMD8<Double>
        let score: Double
    }

    private let request: MissionRequest
    private let tools: [Side]
    private let spaces: [Side]
    private let match: PleasureMatch
    /// The best first, of equally good ones by the ids of space and tool.
    private var pairs: [Pair] = []

    private static let weights = Mission.Name.allCases.enumerated().reduce(into: SIMD8<Double>.zero) {
        $0[$1.offset] = $1.element.weight
    }

    init(_ request: MissionRequest, tools: [InventoryMatch], spaces: [InventoryMatch]) {
        self.request = request
        self.tools = tools.map { Side($0, request.state) }.sorted { $0.item.id < $1.item.id }
        self.spaces = spaces.map { Side($0, request.state) }.sorted { $0.item.id < $1.item.id }
        match = PleasureMatch(request.wish)
        for space in self.spaces.indices {
            for tool in self.tools.indices {
                if let pair = pair(tool, space) { pairs.append(pair) }
            }
        }
        pairs.sort { ($1.score, $0.space, $0.tool) < ($0.score, $1.space, $1.tool) }
    }

    /// The pair of a tool and a space, or nil when the two do not fit together or into the time.
    private func pair(_ t: Int, _ s: Int) -> Pair? {
        let (tool, space) = (tools[t], spaces[s])
        guard let spacePoint = space.point, let direct = space.distance else { return nil }
        // By way of the tool, if it is somewhere.
        let apart = tool.point.map { Earth.kilometers(squaredChord: $0.squaredChord(to: spacePoint)) }
        if let apart, apart > request.radiusKilometers { return nil }
        let way = apart.map { $0 + (tool.distance ?? 0) } ?? direct
        let travel = way / MissionRequest.walkingSpeed * 60
        let left = request.minutes - travel
        guard left > 0, left >= max(tool.leastMinutes, space.leastMinutes) else { return nil }
        let either = (tool.pleasures | space.pleasures).nonzeroBitCount
        let both = (tool.pleasures & space.pleasures).nonzeroBitCount
        var values = SIMD8<Double>.zero
        for (place, name) in Mission.Name.allCases.enumerated() {
            values[place] =
                switch name {
                case .wish: match(tool.pleasures | space.pleasures)
                case .state: (tool.stateFit + space.stateFit) / 2
                case .shared: either > 0 ? Double(both) / Double(either) : 0
                case .near: request.radiusKilometers > 0 ? max(0, 1 - way / (2 * request.radiusKilometers)) : 1
                case .time: left / request.minutes
                case .weather: weatherValue(tool, space)
                }
        }
        return Pair(
            tool: t, space: s, pleasures: tool.pleasures | space.pleasures, travelMinutes: travel, values: values,
            score: (values * Self.weights).sum())
    }

    /// The space decides whether one is outdoors, or the tool where the space does not say; ½ when neither does, or the weather is
    /// not known. Indoors one is glad of any weather, the more so the worse it is.
    private func weatherValue(_ tool: Side, _ space: Side) -> Double {
        guard let weather = request.weather, let isOutdoors = space.isOutdoors ?? tool.isOutdoors else { return 0.5 }
        return isOutdoors ? weather.outdoors : 1 - weather.outdoors / 2
    }

    /// Chooses pairs one by one, each the best by its score less its likeness to those chosen times the variety.
    func varied(k: Int, variety: Double) -> [Pair] {
        var likeness = [Double](repeating: 0, count: pairs.count)
        var uses = [Int](repeating: 0, count: spaces.count)
        var isChosen = [Bool](repeating: false, count: pairs.count)
        var chosen: [Pair] = []
        while chosen.count < min(k, pairs.count) {
            var best = -1
            var bestValue = -Double.infinity
            for (i, pair) in pairs.enumerated() where !isChosen[i] {
                // What comes now and later cannot be better, by its score alone.
                if pair.score <= bestValue { break }
                let crowding = 0.25 * Double(max(0, uses[pair.space] - 1))
                let value = pair.score - variety * (likeness[i] + crowding)
                if value > bestValue { (best, bestValue) = (i, value) }
            }
            isChosen[best] = true
            let pair = pairs[best]
            chosen.append(pair)
            uses[pair.space] += 1
            for i in pairs.indices { likeness[i] = max(likeness[i], Self.likeness(pairs[i], pair)) }
        }
        return chosen
    }

    /// How alike two pairs are, 0…1: ½ for the same space, ¼ for the same tool, ¼ times the share of common pleasures.
    private static func likeness(_ a: Pair, _ b: Pair) -> Double {
        let either = (a.pleasures | b.pleasures).nonzeroBitCount
        let both = (a.pleasures & b.pleasures).nonzeroBitCount
        return (a.space == b.space ? 0.5 : 0) + (a.tool == b.tool ? 0.25 : 0)
            + (either > 0 ? 0.25 * Double(both) / Double(either) : 0)
    }

    func mission(_ pair: Pair) -> Mission {
        Mission(
            tool: tools[pair.tool].item, space: spaces[pair.space].item, travelMinutes: pair.travelMinutes,
            minutesThere: request.minutes - pair.travelMinutes,
            parts: Mission.Name.allCases.enumerated().map { Mission.Part(name: $1, value: pair.values[$0]) })
    }
}
