/// The tools and spaces within the radius of a person, and the pairs of them that fit.
///
/// Thousands of tools and spaces make millions of pairs. Most are excluded in groups by a bound. All parts of the score
/// but `near` and `time` depend on pleasures, state fit and context, which many items share. `near` and `time` fall
/// with the length of the route there, which is at least the distance of the space and the distance of the tool, and of
/// the round trip, which is at least twice as long, so
///
///     score ≤ target + state + shared + weather + near(d) + time(2 d),  d = max(distance of the tool, distance of the space)
///
/// and the least distances of two groups bound all of their pairs.
///
/// It is an object of one call, so that passing it on does not copy the index, whose reference counts all threads share.
final class MissionPairing {
    /// A tool or a space within the radius.
    private struct Candidate {
        let slot: Int
        /// The distance from the person in kilometres; 0 for a tool without a location.
        let distance: Double
    }

    /// Tools, or spaces, that differ in their locations alone.
    private struct Group {
        let pleasures: UInt16
        let stateFit: Double
        let context: ItemContext
        /// The positions of its candidates, nearest first.
        var candidates: Range<Int>
        let leastDistance: Double
    }

    /// A tool and a space that fit together and into the available time.
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
    /// The match with the target before the mood; nil without a mood.
    private let matchBeforeMood: PleasureMatch?
    private let tools: [Candidate]
    private let spaces: [Candidate]
    private let toolGroups: [Group]
    private let spaceGroups: [Group]

    private static let weights = Mission.Name.allCases.enumerated().reduce(into: SIMD8<Double>.zero) {
        $0[$1.offset] = $1.element.weight
    }
    /// A margin above the rounding error of a bound with five terms below 1.
    private static let slack = 1e-12

    /// Groups the candidates found by scans.
    ///
    /// - Parameters:
    ///   - tools: The scans for the tools: with a location, and without.
    ///   - spaces: The scan for the spaces.
    init(_ index: InventoryIndex, _ request: MissionRequest, tools: [InventoryScan], spaces: InventoryScan) {
        self.request = request
        match = PleasureMatch(request.target)
        matchBeforeMood = request.mood.map { PleasureMatch($0.targetBefore) }
        (self.tools, toolGroups) = Self.grouped(tools, index, request)
        (self.spaces, spaceGroups) = Self.grouped([spaces], index, request)
        self.index = index
    }

    /// The items of scans that can be reached in time and are not excluded, ordered by fit and then by distance, with a
    /// group for each run of equal fit.
    private static func grouped(
        _ scans: [InventoryScan], _ index: InventoryIndex, _ request: MissionRequest
    ) -> ([Candidate], [Group]) {
        var found: [(key: UInt32, distance: Double, slot: Int)] = []
        for scan in scans {
            scan.forEach { slot, attributes, chord in
                let distance = slot < index.locatedCount ? Earth.kilometers(squaredChord: chord) : 0
                // The travel must leave some time.
                guard request.minutes(forKilometers: 2 * distance) < request.minutes else { return }
                guard request.excluded.isEmpty || !request.excluded.contains(index.id(inSlot: slot)) else { return }
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

    /// The number of pairs, whether they fit or not, at most `Int.max`.
    var pairCount: Int {
        let (count, overflow) = tools.count.multipliedReportingOverflow(by: spaces.count)
        return overflow ? .max : count
    }

    /// All fitting pairs with at least a score, by descending score, ties by the shorter route, then by the ids of
    /// space and tool.
    ///
    /// - Complexity: O(pairs of groups), about 5 ns each, and O(pairs that the bound does not exclude).
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

    /// The fitting pairs of the best-scoring tools and spaces, at most `width` of each.
    func samplePairs(width: Int) -> [Pair] {
        func best(_ groups: [Group]) -> [Group] {
            func value(_ group: Group) -> Double {
                Mission.Name.target.weight * match(group.pleasures) + Mission.Name.state.weight / 2 * group.stateFit
                    + routeScore(kilometers: group.leastDistance)
            }
            let sorted = groups.map { (value: value($0), group: $0) }.sorted { $0.value > $1.value }
            var best: [Group] = []
            var left = width
            for (_, var group) in sorted where left > 0 {
                group.candidates = group.candidates.prefix(left)
                left -= group.candidates.count
                best.append(group)
            }
            return best
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
            let (first, second) = (index.id(inSlot: a.spaceSlot), index.id(inSlot: b.spaceSlot))
            return first == second
                ? index.id(inSlot: a.toolSlot) < index.id(inSlot: b.toolSlot) : first < second
        }
    }

    /// Adds the fitting pairs of two groups with at least a score.
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

    /// The contribution of all parts but `near` and `time` to the score of any pair of two groups.
    @inline(__always)
    private func fixedScore(_ tool: Group, _ space: Group) -> Double {
        let (union, common) = (tool.pleasures | space.pleasures, tool.pleasures & space.pleasures)
        return Mission.Name.target.weight * match(union)
            + Mission.Name.state.weight * 0.5 * (tool.stateFit + space.stateFit)
            + Mission.Name.shared.weight * Self.share(common, of: union)
            + Mission.Name.weather.weight * weatherValue(tool.context, space.context)
    }

    /// The contribution of `near` and `time` for a route there of this length and the same way back; may be negative if
    /// the travel takes longer than the available time.
    @inline(__always)
    private func routeScore(kilometers route: Double) -> Double {
        Mission.Name.near.weight * nearValue(route)
            + Mission.Name.time.weight * (1 - request.minutes(forKilometers: 2 * route) / request.minutes)
    }

    private func nearValue(_ route: Double) -> Double {
        request.radiusKilometers > 0 ? max(0, 1 - route / (2 * request.radiusKilometers)) : 1
    }

    /// The value of the weather part; ½ if the weather or the setting is unknown. The space decides whether the mission
    /// is outdoors, else the tool. Indoors, bad weather raises the value.
    @inline(__always)
    private func weatherValue(_ tool: ItemContext, _ space: ItemContext) -> Double {
        guard let weather = request.weather, let isOutdoors = space.isOutdoors ?? tool.isOutdoors else { return 0.5 }
        return isOutdoors ? weather.outdoors : 1 - weather.outdoors / 2
    }

    /// The share of common elements in a union; 0 for the empty union.
    static func share(_ common: UInt16, of union: UInt16) -> Double {
        union == 0 ? 0 : Double(common.nonzeroBitCount) / Double(union.nonzeroBitCount)
    }

    /// The pair of a tool and a space; nil if they are too far apart, the time is too short or no duration suits both.
    private func pair(_ t: Candidate, _ tool: Group, _ s: Candidate, _ space: Group) -> Pair? {
        // The route passes the tool, if it has a location.
        var route = s.distance
        if t.slot < index.locatedCount {
            let apart = Earth.kilometers(squaredChord: index.points[t.slot].squaredChord(to: index.points[s.slot]))
            guard apart <= request.radiusKilometers else { return nil }
            route = apart + t.distance
        }
        let travel = request.minutes(forKilometers: route + s.distance)
        let left = request.minutes - travel
        guard left > 0, index.suffices(left, forSlot: t.slot), index.suffices(left, forSlot: s.slot),
            index.shareDurations(t.slot, s.slot)
        else { return nil }
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

    func mission(_ pair: Pair) -> Mission {
        var mood: Mission.MoodChange?
        if let influence = request.mood, let matchBeforeMood {
            let change = Mission.Name.target.weight * (match(pair.pleasures) - matchBeforeMood(pair.pleasures))
            mood = Mission.MoodChange(mood: influence.mood, change: change)
        }
        let (tool, space) = (index.item(inSlot: pair.toolSlot), index.item(inSlot: pair.spaceSlot))
        let longest = [tool, space].compactMap { $0.times.durationRange?.upperBound }
        return Mission(
            tool: tool, space: space, travelMinutes: pair.travelMinutes,
            minutesThere: longest.reduce(request.minutes - pair.travelMinutes, min),
            parts: Mission.Name.allCases.enumerated().map { Mission.Part(name: $1, value: pair.values[$0]) }, mood: mood
        )
    }
}
