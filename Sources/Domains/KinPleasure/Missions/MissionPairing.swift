/// The tools and spaces within the radius of a person, and the pairs of them that fit.
///
/// Thousands of tools and spaces make millions of pairs. Bounds exclude most of them. All parts of the score but `near`
/// and `time` depend on pleasures, state fit and context. `near` and `time` fall with the length of the route there,
/// which is at least the distance of the space and the distance of the tool, and of the round trip, which is at least
/// twice as long, so
///
///     score ≤ target + state + shared + weather + near(d) + time(2 d),  d = max(distance of the tool, distance of the space)
///
/// For one item, the best conceivable partner bounds all of its pairs: a partner with the j dimensions that raise the
/// target's match most, and with as many common dimensions as its size allows.
///
/// It is an object of one call, so that passing it on does not copy the index, whose reference counts all threads share.
final class MissionPairing {
    /// A tool or a space within the radius.
    struct Candidate {
        let slot: Int
        /// The squared chord to the person, and the distance in kilometres; 0 for a tool without a location.
        let chord, distance: Double
        let pleasures: UInt16
        let context: ItemContext
        let stateFit: Double
    }

    /// A tool and a space that fit together and into the available time.
    struct Pair {
        let tool: Candidate
        let space: Candidate
        /// The kilometres of the way there.
        let route: Double
        let travelMinutes: Double
        /// The radius and the minutes from which on it fits.
        let leastRadius, leastMinutes: Double
        let score: Double

        var pleasures: UInt16 { tool.pleasures | space.pleasures }
    }

    private let index: InventoryIndex
    let request: MissionRequest
    let match: PleasureMatch
    /// The squared chord of the radius.
    private let largestChord: Double
    /// The match with the target without the moods; nil without a mood.
    private lazy var matchBeforeMood = request.mood.map { PleasureMatch($0.targetBefore) }
    private let tools: [Candidate]
    private let spaces: [Candidate]
    /// The largest contributions of target, state and shared pleasures in any pair of each tool.
    private lazy var toolLimits = limits(of: tools, with: spaces)
    /// The same for each space.
    private lazy var spaceLimits = limits(of: spaces, with: tools)

    /// A margin above the rounding error of a bound with five terms below 1.
    static let slack = 1e-12

    /// Collects the candidates found by scans.
    ///
    /// - Parameters:
    ///   - tools: The scans for the tools: with a location, and without.
    ///   - spaces: The scan for the spaces.
    init(_ index: InventoryIndex, _ request: MissionRequest, tools: [InventoryScan], spaces: InventoryScan) {
        self.request = request
        largestChord = Earth.squaredChord(kilometers: request.radiusKilometers)
        match = PleasureMatch(request.target)
        self.tools = Self.candidates(tools, index, request)
        self.spaces = Self.candidates([spaces], index, request)
        self.index = index
    }

    /// The same candidates in a different situation, which has no further candidates.
    init(_ other: MissionPairing, in request: MissionRequest) {
        index = other.index
        self.request = request
        largestChord = Earth.squaredChord(kilometers: request.radiusKilometers)
        tools = other.tools
        spaces = other.spaces
        let isSame = request.target == other.request.target
        match = isSame ? other.match : PleasureMatch(request.target)
        if isSame { (toolLimits, spaceLimits) = (other.toolLimits, other.spaceLimits) }
    }

    /// The items of scans that can be reached in time and are not excluded.
    private static func candidates(
        _ scans: [InventoryScan], _ index: InventoryIndex, _ request: MissionRequest
    ) -> [Candidate] {
        var candidates: [Candidate] = []
        for scan in scans {
            scan.forEach { slot, attributes, chord in
                let chord = slot < index.locatedCount ? chord : 0
                let distance = Earth.kilometers(squaredChord: chord)
                // The travel must leave some time.
                guard request.minutes(forKilometers: 2 * distance) < request.minutes else { return }
                guard request.excluded.isEmpty || !request.excluded.contains(index.id(inSlot: slot)) else { return }
                candidates.append(
                    Candidate(
                        slot: slot, chord: chord, distance: distance, pleasures: attributes.pleasures,
                        context: attributes.context,
                        stateFit: request.state.fit(ofPleasures: attributes.pleasures, in: attributes.context)))
            }
        }
        return candidates
    }

    /// The number of pairs, whether they fit or not, at most `Int.max`.
    var pairCount: Int {
        let (count, overflow) = tools.count.multipliedReportingOverflow(by: spaces.count)
        return overflow ? .max : count
    }

    /// All fitting pairs with at least a score, in the order of ``precedes(_:_:)``.
    ///
    /// - Complexity: As ``search(from:rankedBy:_:)``.
    func pairs(scoring least: Double) -> [Pair] {
        var pairs: [Pair] = []
        search(from: least, rankedBy: scoreLimit) { pair in
            if pair.score >= least { pairs.append(pair) }
            return least
        }
        return pairs.sorted(by: precedes)
    }

    /// The first of the fitting pairs and a given one.
    func first(from known: Pair?) -> Pair? {
        var first = known
        search(from: known?.score ?? -.infinity, rankedBy: scoreLimit) { pair in
            if first.map({ precedes(pair, $0) }) ?? true { first = pair }
            return first?.score ?? -.infinity
        }
        return first
    }

    /// The fitting pair that needs the fewest minutes, or the smallest radius, with both numbers; ties by
    /// ``precedes(_:_:)``; nil if no pair fits.
    func nearest(byMinutes: Bool) -> (pair: Pair, needs: (minutes: Double, kilometers: Double))? {
        var nearest: (pair: Pair, needs: (minutes: Double, kilometers: Double))?
        func need(_ needs: (minutes: Double, kilometers: Double)) -> Double {
            byMinutes ? needs.minutes : needs.kilometers
        }
        search(
            from: -.infinity,
            rankedBy: { _, distance in need((-request.minutes(forKilometers: 2 * distance), -distance)) }
        ) { pair in
            let needs = needs(of: pair)
            let isNearer = nearest.map {
                need(needs) < need($0.needs) || need(needs) == need($0.needs) && precedes(pair, $0.pair)
            }
            if isNearer ?? true { nearest = (pair, needs) }
            return -(nearest.map { need($0.needs) } ?? .infinity)
        }
        return nearest
    }

    /// The smallest minutes and radius with which a pair fits, after rounding.
    private func needs(of pair: Pair) -> (minutes: Double, kilometers: Double) {
        let least = [pair.tool, pair.space].reduce(0) {
            max($0, index.item(inSlot: $1.slot).times.durationRange?.lowerBound ?? 0)
        }
        let chord = max(pair.tool.chord, pair.space.chord)
        let farthest = request.minutes(forKilometers: 2 * max(pair.tool.distance, pair.space.distance))
        var (minutes, kilometers) = (max(pair.travelMinutes + least, farthest), pair.leastRadius)
        while minutes <= max(pair.travelMinutes, farthest) || minutes - pair.travelMinutes < least {
            minutes = minutes.nextUp
        }
        while Earth.squaredChord(kilometers: kilometers) < chord { kilometers *= 1 + 1e-12 }
        return (minutes, kilometers)
    }

    /// Visits the fitting pairs whose rank may reach a number, the highest limits first.
    ///
    /// - Parameters:
    ///   - least: The number.
    ///   - rank: A limit of the rank of pairs, which falls with the distance, by the contribution of all parts but `near`
    ///     and `time`, and by the distance of the farther item.
    ///   - visit: Receives a pair, and returns the number for the following ones, if it is larger.
    /// - Complexity: O(n log n) for n candidates whose limit reaches the number, and O(pairs of them), about 5 ns each.
    @inline(__always)
    func search(from least: Double, rankedBy rank: (Double, Double) -> Double, _ visit: (Pair) -> Double) {
        var least = least
        let largestWeather = max(weatherValue(true), weatherValue(false), weatherValue(nil))
        func ranked(
            _ candidates: [Candidate], _ limits: [Double], _ weather: (Candidate) -> Double
        ) -> [(rank: Double, candidate: Candidate)] {
            var ranked: [(rank: Double, candidate: Candidate)] = []
            for (candidate, limit) in zip(candidates, limits) where candidate.chord <= largestChord {
                let weather = Mission.Name.weather.weight * weather(candidate)
                let rank = rank(limit + weather, candidate.distance)
                if rank >= least { ranked.append((rank, candidate)) }
            }
            return ranked.sorted { $0.rank > $1.rank }
        }
        let tools = ranked(tools, toolLimits) { _ in largestWeather }
        let spaces = ranked(spaces, spaceLimits) { space in
            space.context.isOutdoors.map { weatherValue($0) } ?? largestWeather
        }
        for (limit, space) in spaces {
            if limit < least { break }
            for (limit, tool) in tools {
                if limit < least { break }
                guard rank(fixedScore(tool, space), max(tool.distance, space.distance)) >= least,
                    let pair = pair(tool, space)
                else { continue }
                least = max(least, visit(pair))
            }
        }
    }

    /// The largest contribution of target, state and shared pleasures in a pair of each candidate with any of others.
    private func limits(of candidates: [Candidate], with others: [Candidate]) -> [Double] {
        let largest = others.reduce(0) { max($0, $1.pleasures.nonzeroBitCount) }
        let fit = others.reduce(0) { max($0, $1.stateFit) }
        let order = Pleasure.Dimension.allCases.sorted { request.target[$0] > request.target[$1] }
            .map { 1 << UInt16($0.rawValue) as UInt16 }
        return candidates.map { candidate in
            let size = candidate.pleasures.nonzeroBitCount
            var (union, added, best) = (candidate.pleasures, 0, 0.0)
            func add() {
                let share = union == 0 ? 0 : Double(min(size, largest - added)) / Double(size + added)
                best = max(best, Mission.Name.target.weight * match(union) + Mission.Name.shared.weight * share)
            }
            add()
            for dimension in order where union & dimension == 0 {
                guard added < largest else { break }
                union |= dimension
                added += 1
                add()
            }
            return best + Mission.Name.state.weight * 0.5 * (candidate.stateFit + fit)
        }
    }

    /// The fitting pairs of the best-scoring tools and spaces, at most `width` of each.
    func samplePairs(width: Int) -> [Pair] {
        func best(_ candidates: [Candidate]) -> [Candidate] {
            var best = RankedSlots(count: width, isBefore: <)
            for (position, candidate) in candidates.enumerated() {
                let value =
                    Mission.Name.target.weight * match(candidate.pleasures)
                    + Mission.Name.state.weight / 2 * candidate.stateFit + routeScore(kilometers: candidate.distance)
                best.insert(value, candidate.distance, position)
            }
            return best.finished().map { candidates[$0.slot] }
        }
        let tools = best(tools)
        return best(spaces).flatMap { space in tools.compactMap { pair($0, space) } }.sorted(by: precedes)
    }

    /// The order of pairs: by descending score, ties by the shorter route, then by the ids of space and tool.
    func precedes(_ a: Pair, _ b: Pair) -> Bool {
        guard a.score == b.score else { return a.score > b.score }
        guard a.travelMinutes == b.travelMinutes else { return a.travelMinutes < b.travelMinutes }
        let (first, second) = (index.id(inSlot: a.space.slot), index.id(inSlot: b.space.slot))
        return first == second
            ? index.id(inSlot: a.tool.slot) < index.id(inSlot: b.tool.slot) : first < second
    }

    // MARK: Scores

    /// The contribution of all parts but `near` and `time` to the score of a pair.
    @inline(__always)
    private func fixedScore(_ tool: Candidate, _ space: Candidate) -> Double {
        let (union, common) = (tool.pleasures | space.pleasures, tool.pleasures & space.pleasures)
        return Mission.Name.target.weight * match(union)
            + Mission.Name.state.weight * 0.5 * (tool.stateFit + space.stateFit)
            + Mission.Name.shared.weight * Self.share(common, of: union)
            + Mission.Name.weather.weight * weatherValue(space.context.isOutdoors ?? tool.context.isOutdoors)
    }

    /// A limit of the score of pairs by the contribution of all parts but `near` and `time`, and by the distance.
    @inline(__always)
    func scoreLimit(_ fixed: Double, _ distance: Double) -> Double {
        fixed + routeScore(kilometers: distance) + Self.slack
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
    private func weatherValue(_ isOutdoors: Bool?) -> Double {
        guard let weather = request.weather, let isOutdoors else { return 0.5 }
        return isOutdoors ? weather.outdoors : 1 - weather.outdoors / 2
    }

    /// The share of common elements in a union; 0 for the empty union.
    static func share(_ common: UInt16, of union: UInt16) -> Double {
        union == 0 ? 0 : Double(common.nonzeroBitCount) / Double(union.nonzeroBitCount)
    }

    /// The pair of a tool and a space; nil if they are too far apart, the time is too short or no duration suits both.
    func pair(_ tool: Candidate, _ space: Candidate) -> Pair? {
        // The route passes the tool, if it has a location.
        var (route, apart) = (space.distance, 0.0)
        if tool.slot < index.locatedCount {
            let chord = index.points[tool.slot].squaredChord(to: index.points[space.slot])
            apart = Earth.kilometers(squaredChord: chord)
            route = apart + tool.distance
        }
        let travel = request.minutes(forKilometers: route + space.distance)
        let left = request.minutes - travel
        guard max(tool.chord, space.chord) <= largestChord, apart <= request.radiusKilometers, left > 0,
            index.suffices(left, forSlot: tool.slot),
            index.suffices(left, forSlot: space.slot), index.shareDurations(tool.slot, space.slot),
            request.weather != .storm || space.context.isOutdoors == false
        else { return nil }
        let least = max(index.attributes[tool.slot].leastMinutes, index.attributes[space.slot].leastMinutes)
        return Pair(
            tool: tool, space: space, route: route, travelMinutes: travel,
            leastRadius: max(apart, tool.distance, space.distance),
            leastMinutes: travel + Double(least),
            score: fixedScore(tool, space) + Mission.Name.near.weight * nearValue(route)
                + Mission.Name.time.weight * (left / request.minutes))
    }

    /// The value of one part of a pair's score.
    private func value(_ name: Mission.Name, of pair: Pair) -> Double {
        switch name {
        case .target: match(pair.pleasures)
        case .state: (pair.tool.stateFit + pair.space.stateFit) / 2
        case .shared: Self.share(pair.tool.pleasures & pair.space.pleasures, of: pair.pleasures)
        case .near: nearValue(pair.route)
        case .time: (request.minutes - pair.travelMinutes) / request.minutes
        case .weather: weatherValue(pair.space.context.isOutdoors ?? pair.tool.context.isOutdoors)
        }
    }

    func mission(_ pair: Pair) -> Mission {
        let before = matchBeforeMood
        let mood = request.mood.map { influence in
            let change = before.map { match(pair.pleasures) - $0(pair.pleasures) } ?? 0
            return Mission.MoodChange(moods: influence.moods, change: Mission.Name.target.weight * change)
        }
        let (tool, space) = (index.item(inSlot: pair.tool.slot), index.item(inSlot: pair.space.slot))
        let longest = [tool, space].compactMap { $0.times.durationRange?.upperBound }
        return Mission(
            tool: tool, space: space, travelMinutes: pair.travelMinutes,
            minutesThere: longest.reduce(request.minutes - pair.travelMinutes, min),
            parts: Mission.Name.allCases.map { Mission.Part(name: $0, value: value($0, of: pair)) }, mood: mood)
    }
}
