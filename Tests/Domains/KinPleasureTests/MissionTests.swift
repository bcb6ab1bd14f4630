import KinSamples
import KinTestSupport
import Testing

@testable import KinPleasure

@Suite struct MissionTests {
    /// For any radius, the missions equal those chosen among all pairs.
    @Test func missionsEqualAChoiceAmongAllPairs() throws {
        var random = TestSeed().generator
        let centre = try GeographicCoordinates(latitude: 52.37, longitude: 4.9)
        for round in 0..<16 {
            var items = PersonGenerator(seed: random.next()).inventory(
                count: 60 + random.below(500), around: centre, kilometers: [0.5, 3, 400][random.below(3)])
            for i in 0..<random.below(8) {
                items.append(
                    try InventoryItem(
                        id: "n\(i)", name: "at hand", kind: .tool, access: .owned, location: nil, status: .available,
                        affordances: [.pleasures(items[i].pleasures)]))
            }
            var request = MissionRequest(
                target: try Pleasure((0..<16).map { _ in random.below(3) == 0 ? 0 : Float(random.uniform()) }),
                state: SessionState.allCases[random.below(5)],
                weather: random.below(3) == 0 ? nil : MissionRequest.Weather.allCases[random.below(8)],
                slot: DayPart.allCases[random.below(5)], season: [nil, .spring, .winter][random.below(3)],
                minutes: [20, 90, 1000, 1_000_000][random.below(4)], location: centre,
                radiusKilometers: [0.3, 3, 50, 20_100, 1e308][random.below(5)])
            request.travel = MissionRequest.Travel.allCases[random.below(4)]
            let k = [1, 5, 30][random.below(3)]
            let found = try InventoryIndex(items).missions(for: request, k: k)
            let expected = everyPair(of: items, request).chosen(k)
            #expect(found.count == expected.count, "round \(round)")
            for (mission, pair) in zip(found, expected) {
                #expect(
                    mission.tool.id == pair.tool.id && mission.space.id == pair.space.id, "round \(round)")
                #expect(abs(mission.score - pair.score) < 1e-9)
                #expect(mission.parts.map(\.name) == Mission.Name.allCases)
                #expect(abs(mission.score - mission.parts.reduce(0) { $0 + $1.contribution }) < 1e-12)
                let back = try centre.distance(to: #require(mission.space.location))
                let speed = request.travel.kilometersPerHour
                #expect(abs(mission.travelMinutes - (pair.way + back) / speed * 60) < 1e-6, "round \(round)")
                #expect(
                    mission.minutesThere > 0 && mission.travelMinutes + mission.minutesThere <= request.minutes + 1e-6)
                for item in [mission.tool, mission.space] {
                    #expect(item.times.durationRange?.contains(mission.minutesThere) ?? true, "round \(round)")
                }
            }
        }
    }

    /// Ranges that meet in one value, or miss each other by less than a minute, are distinguished.
    @Test func overlapOfDurationsIsExact() throws {
        var random = TestSeed().generator
        let centre = try GeographicCoordinates(latitude: 0, longitude: 0)
        let bounds = [0, 0.25, 1, 29.5, 30, 30.000001, 31, 59.99, 60, 65_531, 65_532, 65_533.5, 65_534, 70_000, 1e9]
        for _ in 0..<2_000 {
            let ranges = (0..<2).map { _ in
                let (a, b) = (bounds[random.below(bounds.count)], bounds[random.below(bounds.count)])
                return random.below(8) == 0 ? nil : min(a, b)...max(a, b)
            }
            let items = try ranges.enumerated().map { place, range in
                try InventoryItem(
                    id: "\(place)", name: "thing", kind: place == 0 ? .tool : .space, access: .owned, location: centre,
                    times: TemporalTags(durationRange: range))
            }
            let request = MissionRequest(
                target: [.food: 1], state: .idle, slot: .evening, minutes: 1e12, location: centre)
            let isShared = (ranges[0] ?? 0...1e12).overlaps(ranges[1] ?? 0...1e12)
            let missions = try InventoryIndex(items).missions(for: request)
            #expect(missions.count == (isShared ? 1 : 0), "\(ranges)")
        }
    }

    /// Thousands of items that fit alike give no more pairs in a sample than a few such items do.
    @Test func similarItemsGiveASmallSample() throws {
        let centre = try GeographicCoordinates(latitude: 52.37, longitude: 4.9)
        let items = try (0..<1200).map { number in
            try InventoryItem(
                id: "i\(number)", name: "thing", kind: number % 2 == 0 ? .tool : .space, access: .owned,
                location: GeographicCoordinates(latitude: 52.37 + Double(number) * 1e-5, longitude: 4.9))
        }
        let request = MissionRequest(target: [.food: 1], state: .drift, slot: .dawn, minutes: 90, location: centre)
        let index = try InventoryIndex(items)
        let pairs = try index.pairing(for: request).samplePairs(width: 30)
        #expect(pairs.count == 900)
        #expect(try index.missions(for: request, k: 3).map(\.space.id) == ["i1", "i3", "i5"])
    }

    private struct AllPairs {
        var pairs: [(tool: InventoryItem, space: InventoryItem, score: Double, way: Double)] = []

        /// The choice among all pairs, as documented.
        func chosen(_ k: Int) -> [(tool: InventoryItem, space: InventoryItem, score: Double, way: Double)] {
            var left = pairs
            var chosen: [(tool: InventoryItem, space: InventoryItem, score: Double, way: Double)] = []
            func value(_ pair: (tool: InventoryItem, space: InventoryItem, score: Double, way: Double)) -> Double {
                let mask = pair.tool.pleasureMask | pair.space.pleasureMask
                var likeness = 0.0
                for other in chosen {
                    let union = other.tool.pleasureMask | other.space.pleasureMask
                    let shared = Double((mask & union).nonzeroBitCount) / Double(max(1, (mask | union).nonzeroBitCount))
                    likeness = max(
                        likeness,
                        (other.space.id == pair.space.id ? 0.5 : 0) + (other.tool.id == pair.tool.id ? 0.25 : 0)
                            + 0.25 * shared)
                }
                let uses = chosen.count { $0.space.id == pair.space.id }
                return pair.score - 0.5 * (likeness + 0.25 * Double(max(0, uses - 1)))
            }
            while chosen.count < k, !left.isEmpty {
                var best = (location: 0, value: -Double.infinity)
                // All that reach 70 % of the best score come first, and are varied; the others follow by score.
                let first = left.indices.prefix { left[$0].score >= 0.7 * pairs[0].score }
                for place in first.isEmpty ? left.indices.prefix(1) : first {
                    let value = value(left[place])
                    if value > best.value + 1e-12 { best = (place, value) }
                }
                let pair = left.remove(at: best.location)
                chosen.append(pair)
            }
            return chosen
        }
    }

    /// Every pair that fits the rules.
    private func everyPair(of items: [InventoryItem], _ request: MissionRequest) -> AllPairs {
        func fits(_ item: InventoryItem) -> Bool {
            item.status == .available && (item.times.bestTimes.isEmpty || item.times.bestTimes.contains(request.slot))
                && request.season.map(item.times.seasons.contains) ?? true
        }
        func durations(_ item: InventoryItem) -> ClosedRange<Double> { item.times.durationRange ?? 0...(.infinity) }
        let match = PleasureMatch(request.target)
        let tools = items.filter { $0.kind == .tool && fits($0) }
        let spaces = items.filter {
            $0.kind == .space && fits($0) && (request.weather != .storm || ItemContext($0).isOutdoors == false)
        }
        let speed = [4.8, 12, 14, 20][MissionRequest.Travel.allCases.firstIndex(of: request.travel)!]
        var all = AllPairs()
        for space in spaces {
            guard let there = space.location, there.distance(to: request.location) <= request.radiusKilometers else {
                continue
            }
            for tool in tools {
                var way = there.distance(to: request.location)
                if let place = tool.location {
                    let apart = place.distance(to: there)
                    guard place.distance(to: request.location) <= request.radiusKilometers,
                        apart <= request.radiusKilometers
                    else { continue }
                    way = apart + place.distance(to: request.location)
                }
                let left = request.minutes - (way + there.distance(to: request.location)) / speed * 60
                guard left > 0, left >= max(durations(tool).lowerBound, durations(space).lowerBound),
                    durations(tool).overlaps(durations(space))
                else { continue }
                let (a, b) = (tool.pleasureMask, space.pleasureMask)
                let states = [tool, space].map { request.state.fit(ofPleasures: $0.pleasureMask, in: ItemContext($0)) }
                let outdoors = ItemContext(space).isOutdoors ?? ItemContext(tool).isOutdoors
                var weather = 0.5
                if let outdoors, let sky = request.weather { weather = outdoors ? sky.outdoors : 1 - sky.outdoors / 2 }
                let score =
                    0.4 * match(a | b) + 0.1 * (states[0] + states[1])
                    + 0.15 * (a | b == 0 ? 0 : Double((a & b).nonzeroBitCount) / Double((a | b).nonzeroBitCount))
                    + 0.1 * max(0, 1 - way / (2 * request.radiusKilometers)) + 0.1 * left / request.minutes
                    + 0.05 * weather
                all.pairs.append((tool, space, score, way))
            }
        }
        all.pairs.sort { a, b in
            guard abs(a.score - b.score) < 1e-12 else { return a.score > b.score }
            guard a.way == b.way else { return a.way < b.way }
            return (a.space.id, a.tool.id) < (b.space.id, b.tool.id)
        }
        return all
    }
}
