import KinJSON
import KinSamples
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Affinity model of a store")
struct AffinityModelTests {
    private let folder = StoreFolder()
    private let people = (0..<130).map { SoulGenerator(seed: 6, communities: 4).soul($0) }

    /// Expects matcher, model, kindred and routing to give the same result for every person.
    private func expectOneAnswer(_ store: Store, among souls: [Soul]) throws {
        let (model, matcher) = (try store.affinityModel(), try store.matcher(isExplained: true))
        #expect(matcher.model == model)
        #expect(model.rarity == (try store.affinitySettings().everyGoalAlike ? nil : GoalRarity(among: souls)))
        for soul in souls.prefix(5) {
            for found in try matcher.mostSimilar(to: soul.userID, k: 20) {
                let other = try #require(souls.first { $0.userID == found.userID })
                let affinity = model.affinity(between: soul, and: other)
                #expect(found == ScoredSoul(userID: other.userID, affinity))
                #expect(try matcher.affinity(between: other.userID, and: soul.userID) == affinity)
            }
        }
    }

    @Test func everyQueryUsesOneModel() async throws {
        let store = try folder.open()
        #expect(try store.affinityModel() == AffinityModel(rarity: GoalRarity(among: []), shrinksScores: true))
        // Nothing changes at the ninety-ninth or hundredth person.
        for count in [2, 99, 100, 130] {
            try await store.put(Array(people.prefix(count)))
            try expectOneAnswer(store, among: Array(people.prefix(count)))
        }
        let weights = try AffinityWeights(goals: 2, realms: 1, objects: 1, patterns: 0, valence: 0)
        for choice in [AffinitySettings(weights: weights), AffinitySettings(everyGoalAlike: true)] {
            try await store.put(choice)
            #expect(try store.affinitySettings() == choice)
            #expect(try store.affinityModel().weights == choice.weights)
            try expectOneAnswer(store, among: people)
        }
        let other = try store.matcher(AffinityChoice(weights: weights, everyGoalAlike: false), isExplained: true).model
        #expect(other.weights == weights && other.rarity != nil)
        #expect(try store.affinityModel(AffinityChoice(weights: weights, everyGoalAlike: false)) == other)
        try await store.put(AffinitySettings(weights: weights))
        try await store.forget("u3")
        try expectOneAnswer(store, among: people.filter { $0.userID != "u3" })
        #expect(try store.check().isIntact)
        try await store.close()
        // The settings are stored, and readers see them but cannot change them.
        let reader = try folder.open(.reading)
        #expect(try reader.affinitySettings().weights == weights)
        await #expect(throws: KinError.self) { try await reader.put(.standard) }
    }

    @Test("settings that cannot be read again are refused, and the old ones stay")
    func refusesSettings() async throws {
        let store = try folder.open()
        for settings in [
            AffinitySettings(delivery: DeliveryLimits(perDay: -1)),
            AffinitySettings(delivery: DeliveryLimits(perDay: 1 << 41)),
            AffinitySettings(delivery: DeliveryLimits(minimumEvents: -1)),
            AffinitySettings(connections: ConnectionRule(minimumCoverage: 2)),
            AffinitySettings(delivery: DeliveryLimits(minimumEvents: .nan)),
            AffinitySettings(delivery: DeliveryLimits(minimumEvents: .infinity)),
            AffinitySettings(connections: ConnectionRule(minimumCoverage: .nan)),
        ] {
            let error = await #expect(throws: KinError.self) { try await store.put(settings) }
            #expect(error?.names("field") == true, "\(settings)")
            #expect(try store.affinitySettings() == .standard)
        }
        #expect(try store.affinityModel().rarity != nil)
        for coverage in [-0.1, 1.1, .nan, .infinity] {
            let error = #expect(throws: KinError.self) {
                _ = try store.affinityModel(AffinityChoice(minimumCoverage: coverage))
            }
            #expect(error?.fact("field") == "minimum_coverage")
        }
    }
}
