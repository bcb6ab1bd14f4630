import KinSamples
import KinTestSupport
import Testing

@testable import KinPleasure

/// After any changes, an index answers like a new one of the same items.
@Suite struct InventoryChangeTests {
    private static let centre = infallible("the place is on earth") { () throws(KinError) in
        try GeographicCoordinates(latitude: 52.5, longitude: 13.4)
    }

    /// The index's answers to one query of each kind, and the count.
    private func answers(_ index: InventoryIndex, _ random: inout SeededGenerator) throws -> [[InventoryMatch]] {
        let point = try Pleasure((0..<16).map { _ in Float(random.below(3)) / 2 })
        let here = try GeographicCoordinates(
            latitude: 52.5 + 0.02 * random.uniform(), longitude: 13.4 + 0.02 * random.uniform())
        var query = InventoryQuery(location: here, radiusKilometers: [0.3, 2, 30][random.below(3)])
        let near = try index.search(query, for: point, k: 9)
        query.senses = [.init(sense: "touch", atLeast: .medium)]
        query.slot = DayPart.allCases[random.below(5)]
        let sensed = try index.search(query, k: 30)
        let anywhere = try index.search(InventoryQuery(location: here), for: point, k: 40)
        let around = try index.search(InventoryQuery(location: here, radiusKilometers: 0.9), k: .max)
        return [near, sensed, anywhere, around]
    }

    private func missions(_ index: InventoryIndex, _ random: inout SeededGenerator) throws -> [Mission] {
        let target = try Pleasure((0..<16).map { _ in Float(random.uniform()) })
        return try index.missions(
            for: MissionRequest(
                target: target, state: SessionState.allCases[random.below(5)], weather: .clear, slot: .evening,
                season: .summer, minutes: 120, location: Self.centre), k: 4)
    }

    /// The index saved to a file and opened from it.
    private func reopened(_ index: InventoryIndex) throws -> InventoryIndex {
        let folder = TemporaryFolder()
        let path = folder.path("inventory.kin")
        try SectionFileWriter.write(to: path, kind: "TEST", kindVersion: FormatVersion(major: 1, minor: 0)) {
            writer throws(KinError) in try index.write(to: &writer)
        }
        return try InventoryIndex(file: SectionFile(verifying: path, files: SystemFiles()))
    }

    @Test func changesEqualARebuild() throws {
        var random = TestSeed().generator
        let all = PersonGenerator(seed: random.next()).inventory(count: 700, around: Self.centre, kilometers: 3)
        var index = try InventoryIndex(Array(all[..<200]))
        var expected = Dictionary(uniqueKeysWithValues: all[..<200].map { ($0.id, $0) })
        for round in 0..<150 {
            let snapshot = index
            let before = expected
            // Usually one change; sometimes more than are applied one by one.
            let count = round % 10 == 9 ? 65 + random.below(200) : 1 + random.below(3)
            if random.below(3) == 0 {
                let ids = (0..<count).map { _ in all[random.below(all.count)].id }
                let known = Set(ids).filter { expected.removeValue(forKey: $0) != nil }
                #expect(index.remove(ids) == known.count)
            } else {
                let changed = (0..<count).map { _ in
                    var item = all[random.below(all.count)]
                    switch random.below(4) {
                    case 0: item.location = all[random.below(all.count)].location
                    case 1: item.location = nil
                    case 2: item.affordances = all[random.below(all.count)].affordances
                    default: item.status = .available
                    }
                    return item
                }
                for item in changed { expected[item.id] = item }
                index.upsert(changed)
            }
            if round % 30 == 3 { index = try reopened(index) }
            for (index, items) in [(index, expected), (snapshot, before)] {
                let built = try InventoryIndex(items.values.shuffled(using: &random))
                #expect(index.count == built.count)
                #expect(index.saved != nil || index.byteCount == built.byteCount)
                #expect(items.allSatisfy { index[$0.key] == $0.value })
                var (first, second) = (random, random)
                #expect(try answers(index, &first) == answers(built, &second), "round \(round)")
                #expect(try missions(index, &first) == missions(built, &second), "round \(round)")
                random = first
            }
        }
    }

    /// The first context that names a place counts, in any spelling; other contexts say nothing about it.
    @Test(
        arguments: [
            (["Inside"], false), (["in-doors"], false), (["museum", "park"], false), (["open air"], true),
            (["Park"], true),
            (["mastery", "nature"], true), (["outside"], true), (["solitude"], nil), (["nyc", "mastery"], nil),
        ] as [([String], Bool?)])
    func contextsOfPlaces(contexts: [String], isOutdoors: Bool?) {
        var item = PersonGenerator(seed: 1).inventory(count: 1, around: Self.centre)[0]
        item.affordances = contexts.map { .sense("touch", intensity: .high, context: $0) }
        #expect(ItemContext(item).isOutdoors == isOutdoors)
    }

    /// Affordances of removed items do not stay in the table of affordances.
    @Test func unusedAffordancesAreDropped() throws {
        let item = PersonGenerator(seed: 1).inventory(count: 1, around: Self.centre)[0]
        var index = try InventoryIndex([item])
        for number in 0..<5000 {
            var changed = item
            changed.affordances = [.sense("touch", intensity: .high, context: "place \(number)")]
            index.upsert([changed])
        }
        #expect(index.senses.count < 1100 && index.count == 1)
        let query = InventoryQuery(senses: [.init(sense: "touch", context: "place 4999")])
        #expect(try index.search(query, k: 5).count == 1)
    }
}
