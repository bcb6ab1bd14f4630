/// The tools and spaces within reach of a person, and the pairs of them that fit.
///
/// Of thousands of tools and spaces there are millions of pairs, and a few of them become missions. Most are ruled out by a
/// bound, in groups: what a pair's score is made of is known from the pleasures of both, from how well they match the state
/// and from where they are to be used, which many items have in common, but for the parts `near` and `time`, which fall with the
/// way. And no way to the space is shorter than the straight one, nor than that to the tool where the way leads by it, so
///
///     score ≤ target + state + shared + weather + near(d) + time(d),  d = max(distance of the tool, distance of the space)
///
/// with the least distances of two groups for a bound on all of their pairs.
struct MissionPairing {
    /// A tool or a space within reach.
    private struct Candidate {
        let slot: Int
        /// From the person, in kilometres; 0 for a tool that is at hand.
        let distance: Double
    }

    /// Tools, or spaces, that differ by where they are alone.
    private struct Group {
        let pleasures: UInt16
        let stateFit: Double
        let context: ItemContext
        /// Its sides, the nearest first.
        let candidates: Range<Int>
        let leastDistance: Double
    }

    /// A tool and a space that fit together and into the time.
    struct Pair {
        let toolSlot: Int
        let spaceSlot: Int
        let pleasures: UInt16
        let travelMinutes: Double
        /// The values of the parts, in the order of ``Mission/Name``.
        let values: SIMD8<Double>
        let score: Double
    }

    private let index: InventoryIndex
    private let request: MissionRequest
    private let match: PleasureMatch
    private var tools: [Candidate] = []
    private var spaces: [Candidate] = []
    private var toolGroups: [Group] = []
    private var spaceGroups: [Group] = []

    private static let weights = Mission.Name.allCases.enumerated().reduce(into: SIMD8<Double>.zero) {
        $0[$1.offset] = $1.element.weight
    }
    /// More than rounding adds to a bound of five terms below 1.
    private static let slack = 1e-12

    /// - Parameters:
    ///   - tools: Scans that find the tools: those that are somewhere, and those that are at hand.
    ///   - spaces: The scan that finds the spaces.
    init(_ index: InventoryIndex, _ request: MissionRequest, tools: [InventoryScan], spaces: InventoryScan) {
        self.index = index
        self.request = request
        match = PleasureMatch(request.target)
        (self.tools, toolGroups) = grouped(tools)
        (self.spaces, spaceGroups) = grouped([spaces])
    }

    /// What scans find, by group.
    private func grouped(_ scans: [InventoryScan]) -> ([Candidate], [Group]) {
        var found: [(key: UInt32, distance: Double, slot: Int)] = []
        for scan in scans {
            scan.forEach { slot, attributes, chord in
                let distance = slot < index.locatedCount ? Earth.kilometers(squaredChord: chord) : 0
                // Who needs all the time to get there has none to spend.
                guard minutes(forKilometers: distance) < request.minutes else { return }
                let context = attributes.context.limited(to: request.state)
                found.append((UInt32(attributes.pleasures) << 8 | UInt32(context.bits), distance, slot))
            }
        }
        found.sort { ($0.key, $0.distance, $0.slot) < ($1.key, $1.distance, $1.slot) }
        var candidates: [Candidate] = []
        var groups: [Group] = []
        candidates.reserveCapacity(found.count)
        for (position, candidate) in found.enumerated() {
            candidates.append(Candidate(slot: candidate.slot, distance: candidate.distance))
            guard position + 1 == found.count || found[position + 1].key != candidate.key else { continue }
            let start = groups.last?.candidates.upperBound ?? 0
            let pleasures = UInt16(candidate.key >> 8)
            let context = ItemContext(bits: UInt8(truncatingIfNeeded: candidate.key))
            groups.append(
                Group(
                    pleasures: pleasures, stateFit: request.state.fit(ofPleasures: pleasures, in: context),
                    context: context, candidates: start..<position + 1, leastDistance: found[start].distance))
        }
        return (candidates, groups)
    }

    /// How many pairs there are at the most; a product that is no number of 64 bits counts as the largest.
    var pairCount: Int {
        let (count, overflow) = tools.count.multipliedReportingOverflow(by: spaces.count)
        return overflow ? .max : count
    }

    /// All pairs that fit and score as much as this, or more: the best first, of equally good ones that with the shorter way,
    /// then by the ids of space and tool.
    ///
    /// - Complexity: O(pairs of groups), some 5 ns each, and O(pairs that the bound leaves).
    func pairs(scoring least: Double) -> [Pair] {
        var pairs: [Pair] = []
        for space in spaceGroups {
            for tool in toolGroups {
                let fixed = fixedScore(tool, space)
                let nearest = max(tool.leastDistance, space.leastDistance)
                guard fixed + routeScore(kilometers: nearest) + Self.slack >= least else { continue }
                add(tool, space, fixed, scoring: least, to: &pairs)
            }
        }
        sort(&pairs)
        return pairs
    }

    /// Some pairs: those of the tools and spaces that are best each by itself, so many of them.
    func samplePairs(width: Int) -> [Pair] {
        func best(_ groups: [Group]) -> [Group] {
            let values = groups.map { group in
                (
                    value: Mission.Name.target.weight * match(group.pleasures) + Mission.Name.state.weight / 2
                        * group.stateFit
                        + routeScore(kilometers: group.leastDistance), group: group
                )
            }
            var left = width
            return values.sorted { $0.value > $1.value }.prefix { value in
                defer { left -= value.group.candidates.count }
                return left > 0
            }.map(\.group)
        }
        var pairs: [Pair] = []
        let tools = best(toolGroups)
        for space in best(spaceGroups) {
            for tool in tools { add(tool, space, 0, scoring: -.infinity, to: &pairs) }
        }
        sort(&pairs)
        return pairs
    }

    private func sort(_ pairs: inout [Pair]) {
        pairs.sort { a, b in
            guard a.score == b.score else { return a.score > b.score }
            guard a.travelMinutes == b.travelMinutes else { return a.travelMinutes < b.travelMinutes }
            let (first, second) = (index.items[a.spaceSlot].id, index.items[b.spaceSlot].id)
            return first == second ? index.items[a.toolSlot].id < index.items[b.toolSlot].id : first < second
        }
    }

    /// Adds the pairs of two groups that fit and score enough.
    private func add(
        _ tool: Group, _ space: Group, _ fixed: Double, scoring least: Double, to pairs: inout [Pair]
    ) {
        for s in spaces[space.candidates] {
            if fixed + routeScore(kilometers: s.distance) + Self.slack < least { break }
            for t in tools[tool.candidates] {
                if fixed + routeScore(kilometers: max(s.distance, t.distance)) + Self.slack < least { break }
                if let pair = pair(t, tool, s, space), pair.score >= least { pairs.append(pair) }
            }
        }
    }

    // MARK: Scores

    /// What the parts but `near` and `time` add to the score of any pair of two groups.
    @inline(__always)
    private func fixedScore(_ tool: Group, _ space: Group) -> Double {
        let (union, common) = (tool.pleasures | space.pleasures, tool.pleasures & space.pleasures)
        return Mission.Name.target.weight * match(union)
            + Mission.Name.state.weight * 0.5 * (tool.stateFit + space.stateFit)
            + Mission.Name.shared.weight * Self.share(common, of: union)
            + Mission.Name.weather.weight * weatherValue(tool.context, space.context)
    }

    /// What `near` and `time` add for a way, which may be below 0 where there is no time for it.
    @inline(__always)
    private func routeScore(kilometers route: Double) -> Double {
        Mission.Name.near.weight * nearValue(route)
            + Mission.Name.time.weight * (1 - minutes(forKilometers: route) / request.minutes)
    }

    private func minutes(forKilometers route: Double) -> Double { route / MissionRequest.walkingSpeed * 60 }

    private func nearValue(_ route: Double) -> Double {
        request.radiusKilometers > 0 ? max(0, 1 - route / (2 * request.radiusKilometers)) : 1
    }

    /// The space decides whether one is outdoors, or the tool where the space does not say; ½ when neither does, or the weather is
    /// not known. Indoors one is glad of any weather, the more so the worse it is.
    @inline(__always)
    private func weatherValue(_ tool: ItemContext, _ space: ItemContext) -> Double {
        guard let weather = request.weather, let isOutdoors = space.isOutdoors ?? tool.isOutdoors else { return 0.5 }
        return isOutdoors ? weather.outdoors : 1 - weather.outdoors / 2
    }

    /// The part that some pleasures are of others; 0 of none.
    static func share(_ common: UInt16, of union: UInt16) -> Double {
        union == 0 ? 0 : Double(common.nonzeroBitCount) / Double(union.nonzeroBitCount)
    }

    /// The pair of a tool and a space, or nil when the two do not fit together or into the time.
    private func pair(_ t: Candidate, _ tool: Group, _ s: Candidate, _ space: Group) -> Pair? {
        // By way of the tool, if it is somewhere.
        var route = s.distance
        if t.slot < index.locatedCount {
            let apart = Earth.kilometers(squaredChord: index.points[t.slot].squaredChord(to: index.points[s.slot]))
            guard apart <= request.radiusKilometers else { return nil }
            route = apart + t.distance
        }
        let travel = minutes(forKilometers: route)
        let left = request.minutes - travel
        guard left > 0, left >= leastMinutes(t.slot), left >= leastMinutes(s.slot) else { return nil }
        let union = tool.pleasures | space.pleasures
        var values = SIMD8<Double>.zero
        for (position, name) in Mission.Name.allCases.enumerated() {
            values[position] =
                switch name {
                case .target: match(union)
                case .state: (tool.stateFit + space.stateFit) / 2
                case .shared: Self.share(tool.pleasures & space.pleasures, of: union)
                case .near: nearValue(route)
                case .time: left / request.minutes
                case .weather: weatherValue(tool.context, space.context)
                }
        }
        return Pair(
            toolSlot: t.slot, spaceSlot: s.slot, pleasures: union, travelMinutes: travel, values: values,
            score: (values * Self.weights).sum())
    }

    private func leastMinutes(_ slot: Int) -> Double { index.items[slot].times.durationRange?.lowerBound ?? 0 }

    func mission(_ pair: Pair) -> Mission {
        Mission(
            tool: index.items[pair.toolSlot], space: index.items[pair.spaceSlot], travelMinutes: pair.travelMinutes,
            minutesThere: request.minutes - pair.travelMinutes,
            parts: Mission.Name.allCases.enumerated().map { Mission.Part(name: $1, value: pair.values[$0]) })
    }
}
