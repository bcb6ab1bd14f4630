import Kin
import KinSamples
import KinTestSupport
import Testing

@Suite("Values of all modules")
struct ValueTests {
    private static func check<Value: Hashable>(_ value: Value, _ read: () throws -> Value) throws {
        let copy = try read()
        #expect(copy == value && copy.hashValue == value.hashValue, "\(value)")
    }

    @Test("a value read from its JSON equals the value") func readsWhatItWrites() throws {
        let seed = TestSeed.value
        let instant = try Timestamp(parsing: "2026-03-01T10:00:00Z")
        let person = PersonGenerator(seed: seed).person(3, sessions: 20)
        for session in person.sessions { try Self.check(session) { try PleasureSession(json: session.json) } }
        try Self.check(person.profile) { try PleasureProfile(json: person.profile.json) }
        let place = try GeographicCoordinates(latitude: 40.7, longitude: -73.9)
        for item in PersonGenerator(seed: seed).inventory(count: 10, around: place) {
            try Self.check(item) { try InventoryItem(json: item.json) }
        }
        var soul = SoulGenerator(seed: seed).soul(3)
        try Self.check(soul) { try Soul(json: soul.json) }
        let event = try SoulEvent(userID: soul.userID, at: instant, goals: ["sleep"], minutes: 12.3, reaction: 0.3)
        try Self.check(event) { try SoulEvent(json: event.json) }
        try soul.learn(event, in: .utc)
        try Self.check(soul) { try Soul(json: soul.json) }
        let model = AffinityModel(rarity: try GoalRarity(people: 10, counts: ["sleep": 3]), shrinksScores: true)
        try Self.check(model) { try AffinityModel(json: model.json) }
        let zone = Contribution.zone(try ZoneContribution(name: "n", suggestedRealm: "r", scenes: ["a"]))
        try Self.check(zone) { try Contribution(json: zone.json) }
        let log = BabyGenerator(seed: seed).log(1, days: 3, age: 100)
        try Self.check(log) { try RhythmLog(json: log.json) }
        for challenge in ChallengeGenerator(seed: seed).challenges(20, created: instant) {
            try Self.check(challenge) { try Challenge(json: challenge.json) }
        }
        let library = ContentGenerator(seed: seed).library()
        for item in library.items { try Self.check(item) { try ContentItem(json: item.json) } }
        var rotation = try ContentRotation(userID: "u", from: LocalZone.utc.day(at: instant))
        try rotation.setFocus(.health, in: library)
        try rotation.setDay(9)
        try Self.check(rotation) { try ContentRotation(json: rotation.json) }
        let preferences = try ChallengePreferences(userID: "u", categories: ["b", "a"], longestMinutes: 12.5)
        try Self.check(preferences) { try ChallengePreferences(json: preferences.json) }
        let outcome = try UserChallenge(
            userID: "u", challengeID: "c", assigned: instant, status: .completed, completed: instant, minutes: 1.5)
        try Self.check(outcome) { try UserChallenge(json: outcome.json) }
    }

    @Test("images, clusters and worlds read from their JSON equal the values") func realmsReadWhatTheyWrite() throws {
        var collection = ImageCollection()
        for number in 0..<200 {
            let image = ImageAnalysisGenerator(seed: TestSeed.value).image(number).analysis
            try Self.check(image) { try ImageAnalysis(json: image.json) }
            try collection.append(image)
        }
        let library = RealmLibrary(of: try ClusteredImages(collection, options: ClusterOptions(k: .exactly(6))))
        #expect(try RealmClusters(json: library.clusters.json) == library.clusters)
        #expect(try RealmIndex(json: library.index.json) == library.index)
        for realms in [nil, 1, 2] {
            let world = try library.world(WorldRequest(name: "w", theme: "ocean", goals: [.sleep], realms: realms))
            try Self.check(world) { try RealmWorld(json: world.json) }
        }
    }

    /// Checks that of any two values exactly one is less, or both are equal, and that equal ones have one hash.
    private static func checkOrder<Value: Comparable & Hashable>(_ values: [Value]) {
        for a in values {
            for b in values {
                #expect([a < b, a == b, b < a].count { $0 } == 1, "\(a) and \(b)")
                #expect(a != b || a.hashValue == b.hashValue, "\(a) and \(b)")
            }
        }
    }

    @Test("comparable values have one order") func ordersValues() throws {
        let times = ["2026-03-05T10:00", "2026-03-05T10:00Z", "2026-03-05T12:00+02:00", "2026-03-05T12:00"]
        Self.checkOrder(try times.map { time throws(KinError) in try LoggedTime(parsing: time) })
        Self.checkOrder(try ["1", "1.0", "1.0.1"].map { text throws(KinError) in try AppVersion(parsing: text) })
        Self.checkOrder(try ["00:00", "23:59"].map { text throws(KinError) in try TimeOfDay(parsing: text) })
        Self.checkOrder(try ["0001-01-01", "2026-03-05"].map { text throws(KinError) in try LocalDay(parsing: text) })
        Self.checkOrder([Neighbor(id: 1, distance: 0), Neighbor(id: 2, distance: 0), Neighbor(id: 1, distance: -0.0)])
        Self.checkOrder(SoulConnection.allCases)
        Self.checkOrder(CostLevel.allCases)
        Self.checkOrder(SocialRequirement.allCases)
        Self.checkOrder(DifficultyLevel.allCases)
        Self.checkOrder(Pleasure.Dimension.allCases)
    }
}
