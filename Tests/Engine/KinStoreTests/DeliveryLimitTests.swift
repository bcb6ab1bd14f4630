import KinSamples
import KinTestSupport
import Testing

@testable import KinStore

/// The number of contributions that arrive at a person, and the number of events behind learned souls.
@Suite("Delivery limits") struct DeliveryLimitTests {
    private let copyFolder = StoreFolder()
    private let folder = StoreFolder()

    /// A store whose people are compared by valence alone.
    private func open(_ limits: DeliveryLimits, _ rule: ConnectionRule = .standard) async throws -> Store {
        let store = try folder.open()
        let weights = try AffinityWeights(goals: 0, realms: 0, objects: 0, patterns: 0, valence: 1)
        try await store.put(AffinitySettings(weights: weights, connections: rule, delivery: limits))
        return store
    }

    /// With any limit, each person gets the best of the contributions that a run routes, up to the limit in 24 hours.
    /// The others do not come later. Any number of routers does the same, and a blocked author takes no place.
    @Test(arguments: [1, 3, 10]) func everyPersonReceivesTheBestContributions(limit: Int) async throws {
        var random = SeededGenerator(seed: TestSeed.value)
        let generator = SoulGenerator(seed: TestSeed.value, communities: 3)
        // Thin souls are alike, but too little is known of them for a delivery.
        let thin = try (0..<3).map { try Soul(userID: "thin\($0)", valence: 0.5) }
        let souls = (0..<60).map { generator.soul($0) } + thin
        let store = try folder.open()
        try await store.put(souls)
        try await store.put(AffinitySettings(delivery: DeliveryLimits(perDay: limit)))
        let matcher = try store.matcher()
        var authors: [String: String] = [:]
        var arrived: [String: [(hour: Int, title: String)]] = [:]
        var blocked: [String: Set<String>] = [:]
        for (first, now) in [(0, 40), (40, 63), (63, 70), (70, 120)] {
            var made: [String: [(score: Double, title: String)]] = [:]
            for number in first..<now {
                let author = souls[random.below(souls.count)].userID
                authors["tale \(number)"] = author
                try await store.contribute(story("tale \(number)"), by: author, at: hour(number))
                for match in try matcher.matches(of: author, above: 0.7, minimumCoverage: 0.6)
                where blocked[match.userID]?.contains(author) != true {
                    made[match.userID, default: []].append((match.affinity, "tale \(number)"))
                }
            }
            async let one = store.route(with: matcher, at: hour(now))
            async let other = store.route(with: matcher, at: hour(now))
            let reports = try await [one, other]
            #expect(reports.reduce(0) { $0 + $1.contributions } == now - first)
            for soul in souls {
                // Stable: of equal scores the oldest first.
                let all = (made[soul.userID] ?? []).enumerated().sorted {
                    ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
                }
                let recent = arrived[soul.userID, default: []].count { $0.hour > now - 24 }
                for (_, next) in all.prefix(max(0, limit - recent)) {
                    arrived[soul.userID, default: []].append((now, next.title))
                }
                let titles = try store.inbox(of: soul.userID).map(\.contribution.title)
                #expect(titles.sorted() == arrived[soul.userID, default: []].map(\.title).sorted(), "\(soul.userID)")
            }
            let whole = made.values.reduce(0) { $0 + $1.count }
            #expect(reports.reduce(0) { $0 + $1.deliveries + $1.overLimit } == whole)
            for soul in souls.prefix(20) where now == 70 {
                guard let item = try store.inbox(of: soul.userID).first else { continue }
                try await store.blockAuthor(of: item.id, by: soul.userID)
                blocked[soul.userID] = [try #require(authors[item.contribution.title])]
            }
        }
        #expect(try store.check().isIntact)
    }

    @Test func soulsWithFewEventsNeitherSendNorReceive() async throws {
        let store = try folder.open()
        try await store.put(AffinitySettings(delivery: DeliveryLimits(minimumEvents: 10)))
        func soul(_ id: String, _ events: Double) throws -> Soul {
            try Soul(
                userID: id, goals: SoulTraits(["sleep": events / 2]), realms: SoulTraits(["ocean": events / 4]),
                objects: SoulTraits(["moon": events / 4]))
        }
        try await store.put([soul("author", 8), soul("thin", 4), soul("reader", 12)])
        try await store.contribute(story("a"), by: "author", at: hour(0))
        #expect(try await store.route(with: store.matcher(), at: hour(1)).waiting == 1)
        #expect(try store.contributionsToRoute() == 1)
        try await store.put([soul("author", 12)])
        let report = try await store.route(with: store.matcher(), at: hour(2))
        #expect(report.waiting == 0 && report.deliveries == 1)
        #expect(try store.inbox(of: "thin").isEmpty && store.inbox(of: "reader").count == 1)
    }

    /// Connections by quantiles decide about arrivals. An export includes the settings, and forgetting leaves nothing
    /// in them about people.
    @Test func quantilesDecideArrivals() async throws {
        let quantiles = try ConnectionQuantiles(
            parallelPath: 0.9, resonantTraveller: 0.95, kindredSpirit: 0.98, soulMirror: 1)
        let store = try await open(DeliveryLimits(perDay: 1000), ConnectionRule(quantiles: quantiles))
        try await store.put((0..<60).map { try Soul(userID: "p\($0)", valence: Double($0) / 30 - 1) })
        let model = try store.affinityModel()
        #expect(model.connections.quantiles == quantiles && model.calibration != nil)
        try await store.contribute(story("a"), by: "p30", at: hour(0))
        try await store.route(with: store.matcher(), at: hour(1))
        let reached = try (0..<60).filter { try !store.inbox(of: "p\($0)").isEmpty }
        // One tenth of the pairs are at most three apart.
        #expect(reached == [27, 28, 29, 31, 32, 33])
        #expect(try store.inbox(of: "p29").first?.connection == .kindredSpirit)
        let text = try EveryKind.export(store)
        #expect(text.contains(#""quantiles":{"parallel_path":0.9,"#) && text.contains(#""deliveries_per_day":1000"#))
        let copy = try copyFolder.open()
        try await copy.importLines(text, now: hour(5))
        #expect(try copy.affinitySettings() == store.affinitySettings())
        #expect(try copy.affinityModel() == model)
        #expect(try !EveryKind.export(store, of: "p1").contains("affinity_model"), "the model belongs to no person")
        // Forgetting changes the quantiles to those of the remaining people, also after the store is reopened.
        try await store.forget("p0")
        let rest = try store.affinityModel()
        #expect(rest.calibration != model.calibration)
        try await store.close()
        #expect(try folder.open().affinityModel() == rest)
    }

    /// A change of limits or connections alone does not rebuild the matcher; a change of weights does.
    @Test func settingsAreSeenAtOnce() async throws {
        let store = try await open(DeliveryLimits())
        let generator = SoulGenerator(seed: 1, communities: 2)
        try await store.put((0..<40).map { generator.soul($0) })
        _ = try store.matcher()
        var settings = try store.affinitySettings()
        settings.connections = ConnectionRule(quantiles: .standard, minimumCoverage: 0.9)
        try await store.put(settings)
        #expect(try store.matcher().model.connections == settings.connections)
        try await store.saveIndexes()
        try await store.close()
        let reader = try folder.open(.reading)
        #expect(try reader.matcher().model.connections == settings.connections)
        settings.weights = .standard
        try await reader.close()
        let writer = try folder.open()
        try await writer.put(settings)
        #expect(try writer.matcher().model.weights == .standard)
        #expect(try writer.check().isIntact)
        for part in [#""deliveries_per_day":-1"#, #""minimum_coverage":1.5"#, #""minimum_events":-1"#] {
            let line = "{\"affinity_model\":{\(part)}}"
            await #expect(throws: KinError.self, "\(part)") { try await writer.importLines(line, now: hour(1)) }
        }
    }

    @Test func learnedSoulsCanBeForgotten() async throws {
        let store = try folder.open()
        try await store.put([Soul(userID: "u", goals: SoulTraits(["calm": 2]), note: "kept")])
        let events = try [
            SoulEvent(userID: "u", at: hour(30), goals: ["Anxiety"], minutes: 10),
            SoulEvent(userID: "u", at: hour(3), goals: ["secret-goal"], minutes: 10),
            SoulEvent(userID: "new", at: hour(3), realms: ["ocean"]),
        ]
        let learned = try await store.learnSouls(from: events, zone: LocalZone(named: "UTC"))
        #expect(learned.map(\.userID) == ["new", "u"])
        let soul = try #require(try store.soul(of: "u"))
        #expect(soul == learned[1] && soul.note == "kept" && soul.goals["calm"] == 3 && soul.pattern?.streak == 2)
        // All or nothing: the zone of the last person is unknown.
        try await store.put(ChallengePreferences(json: #"{"user_id":"u","time_zone":"No/Where"}"#))
        await #expect(throws: KinError.self) { try await store.learnSouls(from: events) }
        #expect(try store.soul(of: "new") == learned[0])
        #expect(try folder.found(["secret-goal"]) != nil)
        #expect(try await store.forget("u") == ["soul": 1, "challenge_preferences": 1])
        #expect(try folder.found(["secret-goal"]) == nil)
        #expect(try store.check().isIntact)
    }
}
