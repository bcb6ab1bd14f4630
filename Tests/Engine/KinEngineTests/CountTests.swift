import KinEngine
import KinSamples
import KinTestSupport
import Testing

/// Typed functions with a number of results, days, people or threads refuse bad numbers as the methods of JSON do.
@Suite("Numbers of typed functions") struct CountTests {
    private typealias Call = (name: String, run: @Sendable (Engine, Int) async throws -> Void)

    /// A store with everything that the functions read.
    private func engine() async throws -> Engine {
        let engine = Engine()
        try await engine.store.put(PersonGenerator(seed: 4).person(0, sessions: 30).sessions)
        try await engine.store.put((0..<4).map { SoulGenerator(seed: 1).soul($0) })
        let image = ImageAnalysisGenerator(seed: 1)
        try await engine.store.put((0..<40).map { image.image($0).analysis })
        return engine
    }

    private static let session = PersonGenerator(seed: 4).person(0, sessions: 1).sessions[0]

    /// The functions that take a count.
    private static let counts: [Call] = [
        ("near(session:)", { _ = try $0.near(session: session.id, k: $1) }),
        ("near", { _ = try $0.near(session.embedding, k: $1) }),
        ("insight", { _ = try $0.insight(session: session.id, k: $1) }),
        ("sessions", { _ = try $0.sessions(of: session.userID, count: $1) }),
        ("history", { _ = try $0.history(of: session.userID, count: $1) }),
        ("reflections", { _ = try $0.reflections(of: session.userID, count: $1) }),
        ("store.reflections", { _ = try $0.store.reflections(of: session.userID, limit: $1) }),
        ("store.notificationsOfPeople", { _ = try $0.store.notificationsOfPeople(limit: $1) }),
        ("store.sessions", { _ = try $0.store.sessions(of: session.userID, limit: $1) }),
        ("timeline", { _ = try $0.timeline(of: session.userID, days: $1) }),
        ("store.timeline", { _ = try $0.store.timeline(of: session.userID, at: session.start, days: $1) }),
        ("similarSouls", { _ = try $0.similarSouls(to: "u1", k: $1) }),
        ("similarSouls(variety:)", { _ = try $0.similarSouls(to: "u1", k: $1, variety: ListVariety(diversity: 0.5)) }),
        ("rankImages", { _ = try $0.rankImages(for: [.sleep], k: $1) }),
        ("rankImages(variety:)", { _ = try $0.rankImages(for: [.sleep], k: $1, variety: ListVariety(diversity: 0.5)) }),
        ("forEachMostSimilar", { try $0.store.matcher().forEachMostSimilar(k: $1) { _, _ in } }),
        ("events", { _ = try BabyGenerator(seed: 1).log(0, days: 3, age: 100).events(page($1)) }),
        ("RhythmForecaster.events", { _ = try RhythmForecaster([]).events(page($1)) }),
        ("RhythmForecaster.events, repaired", { _ = try RhythmForecaster([]).events(page($1, isRepaired: true)) }),
        (
            "store.route",
            { _ = try await $0.store.route(with: SoulMatcher([Soul]()), at: session.start, limit: $1) }
        ),
        ("VectorFile", { _ = try VectorFile(#require(file)).forEachBatch(of: $1) { _ in } }),
        ("Store", { _ = try Store(memoryBudget: $1) }),
        ("Engine.store", { _ = try Engine(memoryBudget: $1).store }),
        ("checkPart", { _ = try $0.store.checkPart(rows: $1) }),
        ("images in a world", { _ = try $0.realmLibrary().world(WorldRequest(name: "w", minutes: $1)) }),
        ("realms of a world", { _ = try $0.realmLibrary().world(WorldRequest(name: "w", realms: $1)) }),
        ("ListVariety", { _ = try ListVariety(perCategory: $1) }),
        (
            "setDay",
            {
                var rotation = try ContentRotation(userID: "a", from: LocalZone.utc.day(at: session.start))
                try rotation.setDay($1)
            }
        ),
        ("ChallengePreferences", { _ = try ChallengePreferences(userID: "a", dailyBudget: $1) }),
        ("recoveryDays", { _ = try ChallengePreferences(userID: "a", recoveryDays: $1) }),
    ]

    private static func page(_ count: Int, isRepaired: Bool = false) -> EventPage {
        var page = EventPage()
        (page.count, page.isRepaired) = (count, isRepaired)
        return page
    }

    private static let folder = TemporaryFolder()
    private static let file = try? folder.file("vectors.csv", Array("1,2\n3,4\n".utf8))
    private static let profiles = try? ProfileGenerator(.uniform, count: 2, dimension: 2, seed: 1)
    private static let actions = Matrix<Double>(rows: 2, columns: 1, repeating: 1)

    /// The functions that repeat work a number of times; the largest number would never end.
    private static let repetitions: [Call] = [
        ("KMeans", { _ = try KMeans(k: 2, restarts: $1).fit(Matrix(rows: [[1], [2]])) }),
        ("DominantColours", { _ = try DominantColours(restarts: $1).find(in: [1, 2, 3]) }),
        ("realmLibrary", { _ = try $0.realmLibrary(ClusterOptions(restarts: $1)) }),
        (
            "probabilities",
            {
                let policy = try BanditPolicy(.thompson(), dimension: 1, seed: 1)
                _ = try policy.probabilities(of: actions, draws: $1, seed: 1)
            }
        ),
    ]

    @Test("numbers of repetitions are 1 or more, and so few that the work ends", arguments: [.min, -1, 0, 1, .max])
    func repetitionsAreChecked(count: Int) async throws {
        let engine = try await engine()
        for call in Self.repetitions {
            let error = await kinError { try await call.run(engine, count) }
            #expect(error?.code == (count == 1 ? nil : .invalidArgument), "\(call.name)")
            #expect(count == 1 || error.says("\(count)"), "\(call.name)")
        }
    }

    @Test("negative counts are refused, and the largest number does not trap")
    func countsAreChecked() async throws {
        let engine = try await engine()
        for call in Self.counts {
            for count in [-1, .min] {
                let error = await kinError { try await call.run(engine, count) }
                #expect(error?.code == .invalidArgument, "\(call.name) of \(count)")
                let text = error?.description ?? "none"
                #expect(text.contains("\(count)"), "\(call.name): \(text)")
            }
            let code = await errorCode { try await call.run(engine, .max) }
            #expect(code == nil || code == .invalidArgument, "\(call.name)")
        }
    }

    /// The functions that take a number of threads.
    private static let threads: [Call] = [
        ("matcher", { _ = try $0.store.matcher(threads: $1) }),
        ("route", { _ = try await $0.route(threads: $1) }),
        ("store.matcher", { _ = try $0.store.matcher(threads: $1) }),
        ("SoulMatcher", { _ = try SoulMatcher([Soul(userID: "a", valence: 0)], threads: $1) }),
        ("SoulMatcher without souls", { _ = try SoulMatcher([], threads: $1) }),
        (
            "upsert",
            {
                var matcher = try $0.store.matcher()
                try matcher.upsert([Soul(userID: "a", valence: 0)], threads: $1)
            }
        ),
        ("forEachMatch", { try $0.store.matcher().forEachMatch(above: 0.5, threads: $1) { _ in } }),
        ("forEachMostSimilar", { try $0.store.matcher().forEachMostSimilar(k: 1, threads: $1) { _, _ in } }),
        ("put", { _ = try await $0.store.put([session], threads: $1) }),
        (
            "ProfileGenerator",
            { try #require(profiles).write(to: folder.path("\($1).csv"), format: .csv, threads: $1) }
        ),
        ("VectorFile", { _ = try VectorFile(#require(file), threads: $1).read() }),
        ("importLines", { _ = try await $0.store.importLines("", now: session.start, threads: $1) }),
    ]

    @Test("numbers of threads below 1 are refused, and the largest number is one", arguments: [.min, -1, 0, .max])
    func threadsAreChecked(count: Int) async throws {
        let engine = try await engine()
        for call in Self.threads {
            let code = await errorCode { try await call.run(engine, count) }
            #expect(code == (count > 0 ? nil : .invalidArgument), "\(call.name)")
        }
    }
}
