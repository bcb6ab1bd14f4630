import KinSamples
import KinTestSupport
import Testing

@testable import KinPleasure

@Suite("The flips of the first mission") struct MissionFlipTests {
    private static func first(_ index: InventoryIndex, _ request: MissionRequest) throws -> [String]? {
        try index.missions(for: request, k: 1).first.map { [$0.tool.id, $0.space.id] }
    }

    private static func situation(_ random: inout SeededGenerator, near centre: GeographicCoordinates) throws
        -> MissionRequest
    {
        var target = Pleasure()
        for dimension in Pleasure.Dimension.allCases where random.below(3) == 0 {
            try target.set(dimension, to: Float(random.uniform()))
        }
        var request = MissionRequest(
            target: target, state: SessionState.allCases[random.below(SessionState.allCases.count)],
            weather: ([nil] + MissionRequest.Weather.allCases)[random.below(9)],
            slot: DayPart.allCases[random.below(DayPart.allCases.count)],
            minutes: Double(10 + random.below(200)), location: centre,
            radiusKilometers: [0.2, 1, 3, 8][random.below(4)] * (0.5 + random.uniform()))
        request.travel = MissionRequest.Travel.allCases[random.below(4)]
        return request
    }

    @Test("before a flip the first mission is the same, and at the flip it is not, in random situations")
    func bothSides() throws {
        var random = TestSeed().generator
        let centre = try GeographicCoordinates(latitude: 52.37, longitude: 4.9)
        var kinds: [String: Int] = [:]
        for round in 0..<60 {
            let count = [0, 3, 20, 150, 600][random.below(5)]
            let items = PersonGenerator(seed: random.next()).inventory(count: count, around: centre, kilometers: 4)
            let index = try InventoryIndex(items)
            let request = try Self.situation(&random, near: centre)
            let mission = try Self.first(index, request)
            let flips = try index.flips(for: request)
            for flip in flips {
                let after = try Self.first(index, try request.changed(by: flip.change))
                #expect(after != mission, "round \(round) \(flip.change)")
                #expect(
                    after == flip.mission.map { [$0.tool.id, $0.space.id] }, "round \(round) \(flip.change)")
                // Just before the flip, and everywhere on the way there.
                let shares = [1.0] + (0..<12).map { _ in random.uniform() }
                for share in shares {
                    let less: MissionFlip.Change
                    switch flip.change {
                    case .minutes(let value):
                        kinds[value > request.minutes ? "more minutes" : "fewer minutes", default: 0] += 1
                        less = .minutes(Self.between(request.minutes, value, share))
                    case .radius(let value):
                        kinds[value > request.radiusKilometers ? "larger radius" : "smaller radius", default: 0] += 1
                        less = .radius(Self.between(request.radiusKilometers, value, share))
                    case .target(let dimension, let value):
                        kinds["target", default: 0] += 1
                        let present = request.target[dimension]
                        let near = Float(Self.between(Double(present), Double(value), 1))
                        let before = near == value ? (value > present ? value.nextDown : value.nextUp) : near
                        less = .target(dimension, share == 1 ? before : present + Float(share) * (before - present))
                    case .weather(let weather):
                        kinds["weather", default: 0] += 1
                        let present = request.weather?.outdoors ?? 0.5
                        let nearer = MissionRequest.Weather.allCases.filter {
                            abs($0.outdoors - present) < abs(weather.outdoors - present)
                        }
                        guard !nearer.isEmpty else { continue }
                        less = .weather(nearer[random.below(nearer.count)])
                    case .travel(let travel):
                        kinds["travel", default: 0] += 1
                        let present = request.travel.kilometersPerHour
                        let nearer = MissionRequest.Travel.allCases.filter {
                            abs($0.kilometersPerHour - present) < abs(travel.kilometersPerHour - present)
                        }
                        guard !nearer.isEmpty else { continue }
                        less = .travel(nearer[random.below(nearer.count)])
                    }
                    #expect(
                        try Self.first(index, try request.changed(by: less)) == mission,
                        "round \(round) \(less) before \(flip.change)")
                }
            }
            try expectNoMissedFlip(index, request, mission, flips, &random, "round \(round)")
        }
        print(kinds.mapValues { $0 / 13 })
        #expect(kinds.count == 7 && kinds.values.allSatisfy { $0 >= 13 * 5 }, "\(kinds)")
    }

    @Test("no smaller change of the target flips the first mission among many items with the same pleasures")
    func samePleasures() throws {
        var random = TestSeed().generator
        let centre = try GeographicCoordinates(latitude: 52.37, longitude: 4.9)
        var count = 0
        for round in 0..<40 {
            var items = PersonGenerator(seed: random.next()).inventory(count: 80, around: centre, kilometers: 4)
            let models = Dictionary(grouping: items, by: \.kind)
            for place in items.indices {
                let same = models[items[place].kind] ?? []
                items[place].affordances = same[random.below(min(3, same.count))].affordances
            }
            let index = try InventoryIndex(items)
            let request = try Self.situation(&random, near: centre)
            let mission = try Self.first(index, request)
            var largest: Float = 1
            for case .target(let dimension, let value) in try index.flips(for: request).map(\.change) {
                largest = abs(value - request.target[dimension])
                count += 1
            }
            for dimension in Pleasure.Dimension.allCases {
                for _ in 0..<6 {
                    let value = request.target[dimension] + 0.999 * largest * (2 * Float(random.uniform()) - 1)
                    guard (0...1).contains(value) else { continue }
                    let after = try Self.first(index, try request.changed(by: .target(dimension, value)))
                    #expect(after == mission, "round \(round) \(dimension) \(value)")
                }
            }
        }
        #expect(count >= 5)
    }

    /// The number that differs from the present one by a share of the difference that flips, just below for 1.
    private static func between(_ present: Double, _ flip: Double, _ share: Double) -> Double {
        let margin = 4e-9 * max(1, abs(flip))
        let before = flip > present ? max(present, flip - margin) : min(present, flip + margin)
        return present + share * (before - present)
    }

    /// No random change that is smaller than a flip, or of a condition without a flip, changes the first mission.
    private func expectNoMissedFlip(
        _ index: InventoryIndex, _ request: MissionRequest, _ mission: [String]?, _ flips: [MissionFlip],
        _ random: inout SeededGenerator, _ label: String
    ) throws {
        var (fewer, more, smaller, larger, coordinate) = (0.0, 1440.0, 0.0, 1000.0, 1.0 as Float)
        for flip in flips {
            switch flip.change {
            case .minutes(let value): if value > request.minutes { more = value } else { fewer = value }
            case .radius(let value): if value > request.radiusKilometers { larger = value } else { smaller = value }
            case .target(let dimension, let value): coordinate = abs(value - request.target[dimension])
            case .weather, .travel: break
            }
        }
        for _ in 0..<12 {
            let minutes = fewer + (more - fewer) * (0.001 + 0.998 * random.uniform())
            let radius = smaller + (larger - smaller) * (0.001 + 0.998 * random.uniform())
            let dimension = Pleasure.Dimension.allCases[random.below(Pleasure.Dimension.allCases.count)]
            let value = request.target[dimension] + 0.999 * coordinate * (2 * Float(random.uniform()) - 1)
            var changes: [MissionFlip.Change] = [.minutes(minutes), .radius(radius)]
            if (0...1).contains(value) { changes.append(.target(dimension, value)) }
            for change in changes {
                #expect(try Self.first(index, try request.changed(by: change)) == mission, "\(change) in \(label)")
            }
        }
    }
}
