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
    ]

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
