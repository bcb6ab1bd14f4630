import KinSamples
import KinTestSupport
import Testing

@testable import KinPleasure

/// Reports of empty lists, rankings that weigh the distance, and geofences, all compared with plain loops over the
/// items.
@Suite struct InventoryReportTests {
    private let centre: GeographicCoordinates

    init() throws { centre = try GeographicCoordinates(latitude: 52.37, longitude: 4.9) }

    private func items(_ random: inout SeededGenerator) throws -> [InventoryItem] {
        let generator = PersonGenerator(seed: random.next())
        var items = generator.inventory(count: random.below(60), around: centre, kilometers: 3)
        for i in 0..<random.below(4) {
            items.append(
                try InventoryItem(
                    id: "n\(i)", name: "at hand", kind: .tool, access: .owned, location: nil,
                    affordances: [.pleasures([.food])]))
        }
        return items
    }

    private func query(_ random: inout SeededGenerator) -> InventoryQuery {
        func some<Value>(_ values: [Value]) -> Value? {
            random.below(2) == 0 ? nil : values[random.below(values.count)]
        }
        let hasPlace = random.below(3) > 0
        var query = InventoryQuery(
            location: hasPlace ? centre : nil,
            radiusKilometers: hasPlace ? some([0.2, 1, 4, 50]) : nil,
            kinds: some(InventoryItem.Kind.allCases).map { [$0] },
            accesses: some(InventoryItem.Access.allCases).map { [$0] },
            statuses: some(InventoryItem.Status.allCases).map { [$0] },
            senses: some(["touch", "smell", "nothing"]).map { [.init(sense: $0)] } ?? [],
            pleasures: some(Pleasure.Dimension.allCases).map { [$0] } ?? [], slot: some(DayPart.allCases),
            minutes: some([0, 10, 30, 500]), season: some(TemporalTags.Season.allCases))
        query.isIndoors = random.below(4) == 0
        return query
    }

    @Test func reportsNameTheConditionThatEmptiedTheList() throws {
        var random = TestSeed().generator
        var empty = 0
        for round in 0..<400 {
            let (items, query) = (try items(&random), query(&random))
            let index = try InventoryIndex(items)
            let report = try index.report(on: query)
            let found = try index.search(query, k: 100)
            var rest = items
            for (condition, left) in zip(InventoryCondition.allCases, report.left) {
                rest.removeAll { query.conditions(brokenBy: $0).contains(condition) }
                #expect(left == rest.count, "round \(round), \(condition)")
                if report.emptiedBy == condition { #expect(left == 0) }
            }
            #expect(report.all == items.count && rest.count == found.count, "round \(round)")
            #expect((report.emptiedBy != nil) == (found.isEmpty && !items.isEmpty))
            let misses = items.map { item in
                (
                    count: query.conditions(brokenBy: item).count,
                    distance: query.location == nil ? .infinity : item.location?.distance(to: centre) ?? .infinity,
                    id: item.id
                )
            }
            let expected = misses.min { ($0.count, $0.distance, $0.id) < ($1.count, $1.distance, $1.id) }
            #expect(report.nearest?.item.id == expected?.id, "round \(round)")
            if let nearest = report.nearest { #expect(nearest.broken == query.conditions(brokenBy: nearest.item)) }
            if found.isEmpty { empty += 1 }
        }
        #expect(empty > 50)
    }

    @Test func missionReportsNameTheMissingPart() throws {
        var random = TestSeed().generator
        var causes: Set<String> = []
        for _ in 0..<300 {
            let index = try InventoryIndex(try items(&random))
            let request = MissionRequest(
                target: [.food: 1], state: .idle, slot: DayPart.allCases[random.below(5)],
                minutes: [5, 40, 90][random.below(3)], location: centre, radiusKilometers: [0.3, 2, 9][random.below(3)])
            guard try index.missions(for: request, k: 1).isEmpty else { continue }
            let report = try index.report(on: request)
            switch report.emptiedBy {
            case nil: #expect(index.count == 0)
            case .tools(let condition):
                #expect(report.tools.emptiedBy == condition)
                causes.insert("tools")
            case .spaces(let condition):
                #expect(report.spaces.emptiedBy == condition && report.tools.emptiedBy == nil)
                causes.insert("spaces")
            case .pairs:
                causes.insert("pairs")
                #expect(report.tools.emptiedBy == nil && report.spaces.emptiedBy == nil)
            }
        }
        #expect(causes.count == 3)
    }

    @Test("the nearest pair is a mission with the numbers that it needs, and with no smaller ones")
    func nearestPairsAreMissions() throws {
        var random = TestSeed().generator
        var breaks: [[InventoryCondition]: Int] = [:]
        for round in 0..<400 {
            let items = try items(&random)
            let index = try InventoryIndex(items)
            var request = MissionRequest(
                target: [.food: 1], state: .idle, weather: [nil, .storm][random.below(2)],
                slot: DayPart.allCases[random.below(5)], minutes: [0, 5, 20, 60, 90][random.below(5)],
                location: centre, radiusKilometers: [0, 0.3, 2, 9][random.below(4)])
            request.travel = MissionRequest.Travel.allCases[random.below(4)]
            if random.below(3) == 0 { request.excluded = Set(items.map(\.id).filter { _ in random.below(2) == 0 }) }
            func pairs(_ minutes: Double, _ kilometers: Double) throws -> [[String]] {
                var changed = request
                (changed.minutes, changed.radiusKilometers) = (minutes, kilometers)
                return try index.missions(for: changed, k: InventoryIndex.mostMissions).map {
                    [$0.tool.id, $0.space.id]
                }
            }
            let (minutes, kilometers) = (request.minutes, request.radiusKilometers)
            guard try pairs(minutes, kilometers).isEmpty else { continue }
            guard let miss = try index.report(on: request).nearest else {
                #expect(try pairs(1e6, 1e5).isEmpty, "round \(round)")
                continue
            }
            breaks[miss.broken, default: 0] += 1
            let (most, widest) = (max(minutes, miss.minutesNeeded), max(kilometers, miss.kilometersNeeded))
            let pair = [miss.tool.item.id, miss.space.item.id]
            #expect(try pairs(most, widest).contains(pair), "round \(round)")
            #expect(miss.broken == (most > minutes ? [.minutes] : []) + (widest > kilometers ? [.distance] : []))
            // Less time is enough for no pair, nor is a smaller radius where the time is enough.
            let less = 1 - 1e-9
            let isLonger = most > minutes
            if isLonger {
                #expect(try pairs(min(most * less, most.nextDown), widest).isEmpty, "round \(round)")
            }
            if widest > kilometers {
                let smaller = try pairs(most, widest * less)
                #expect(isLonger ? !smaller.contains(pair) : smaller.isEmpty, "round \(round)")
                if isLonger { #expect(try pairs(1e6, kilometers).isEmpty && pairs(minutes, 1e5).isEmpty) }
            }
            for part in [miss.tool, miss.space] {
                #expect(Set(part.broken).isSubset(of: miss.broken), "round \(round)")
            }
        }
        #expect(breaks.count == 3, "\(breaks)")
    }

    @Test func aWeightTradesMatchForDistance() throws {
        var random = TestSeed().generator
        for _ in 0..<60 {
            let items = try items(&random)
            let point = try Pleasure((0..<16).map { _ in Float(random.uniform()) })
            var query = InventoryQuery(location: centre, radiusKilometers: 5)
            query.distanceWeight = [0, 0.3, 1, random.uniform()][random.below(4)]
            let match = PleasureMatch(point)
            let weight = query.distanceWeight
            let expected = items.compactMap { item -> (score: Double, distance: Double, id: String)? in
                guard let distance = item.location?.distance(to: centre), distance <= 5 else { return nil }
                return ((1 - weight) * match(item.pleasureMask) + weight * (1 - distance / 5), distance, item.id)
            }.sorted {
                abs($0.score - $1.score) > 1e-12 ? $0.score > $1.score : ($0.distance, $0.id) < ($1.distance, $1.id)
            }
            let found = try InventoryIndex(items).search(query, for: point, k: 20)
            #expect(found.map(\.item.id) == expected.prefix(20).map(\.id))
            for (a, b) in zip(found, expected) {
                #expect(abs(a.score - b.score) < 1e-9 && abs(a.match - match(a.item.pleasureMask)) < 1e-12)
            }
        }
        var query = InventoryQuery(location: centre)
        for (weight, radius) in [(0.5, nil), (0.5, 0), (-0.1, 5), (1.1, 5), (.nan, 5)] as [(Double, Double?)] {
            (query.distanceWeight, query.radiusKilometers) = (weight, radius)
            #expect(errorCode { try InventoryIndex().search(query, k: 1) } == .invalidArgument)
        }
    }

    @Test func geofencesAreEnteredAndLeft() throws {
        var random = TestSeed().generator
        for round in 0..<40 {
            let items = try items(&random).filter { $0.location != nil }
            let index = try InventoryIndex(items)
            let (enter, exit) = (0.3 + random.uniform(), 1.5 + random.uniform())
            var tracker = try GeofenceTracker(enterKilometers: enter, exitKilometers: exit)
            var (latitude, longitude) = (centre.latitude, centre.longitude)
            var inside: Set<String> = []
            for step in 0..<40 {
                latitude += 0.01 * random.normalDeviate()
                longitude += 0.015 * random.normalDeviate()
                let here = try GeographicCoordinates(latitude: latitude, longitude: longitude)
                let instant = try Timestamp(microseconds: Int64(step) * 60_000_000)
                // The stored `inside` is enough to continue a stream.
                if random.below(5) == 0 {
                    tracker = try GeofenceTracker(enterKilometers: enter, exitKilometers: exit, inside: tracker.inside)
                }
                let events = try tracker.move(to: TimedPosition(instant: instant, location: here), among: index)
                var expected: [String] = []
                for item in items.sorted(by: { $0.id < $1.id }) where inside.contains(item.id) {
                    if item.location!.distance(to: here) > exit { expected.append("exit \(item.id)") }
                }
                for item in items.sorted(by: { $0.id < $1.id }) where !inside.contains(item.id) {
                    if item.location!.distance(to: here) <= enter { expected.append("enter \(item.id)") }
                }
                for event in expected {
                    let parts = event.split(separator: " ").map(String.init)
                    if parts[0] == "enter" { inside.insert(parts[1]) } else { inside.remove(parts[1]) }
                }
                #expect(
                    events.map { "\($0.isEntry ? "enter" : "exit") \($0.item)" } == expected, "round \(round)")
                #expect(Set(tracker.inside) == inside && events.allSatisfy { $0.instant == instant })
                for event in events {
                    #expect(event.distanceKilometers == index[event.item]?.location?.distance(to: here))
                }
            }
        }
        for (enter, exit) in [(-1, nil), (2, 1), (.infinity, nil), (.nan, nil), (1, .infinity)] as [(Double, Double?)] {
            #expect(errorCode { try GeofenceTracker(enterKilometers: enter, exitKilometers: exit) } == .invalidArgument)
        }
    }
}

extension InventoryQuery {
    /// The conditions that an item breaks, from its fields.
    func conditions(brokenBy item: InventoryItem) -> [InventoryCondition] {
        InventoryCondition.allCases.filter { condition in
            switch condition {
            case .kind: !(kinds?.contains(item.kind) ?? true)
            case .access: !(accesses?.contains(item.access) ?? true)
            case .status: !(statuses?.contains(item.status) ?? true)
            case .senses:
                !senses.allSatisfy { wanted in
                    item.affordances.contains { affordance in
                        guard case .sense(let sense, let intensity, let context) = affordance else { return false }
                        return (wanted.sense ?? sense) == sense && intensity >= wanted.intensity
                            && (wanted.context == nil || wanted.context == context)
                    }
                }
            case .pleasures: !pleasures.allSatisfy(item.pleasures.contains)
            case .slot: slot.map { !item.times.bestTimes.isEmpty && !item.times.bestTimes.contains($0) } ?? false
            case .weather: isIndoors && ItemContext(item).isOutdoors != false
            case .minutes: minutes.map { (item.times.durationRange?.lowerBound ?? 0) > $0 } ?? false
            case .season: season.map { !item.times.seasons.contains($0) } ?? false
            case .distance:
                radiusKilometers.map { radius in item.location.map { $0.distance(to: location!) > radius } ?? true }
                    ?? false
            }
        }
    }
}
