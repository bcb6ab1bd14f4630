import KinTestSupport
import Testing

@testable import KinStore

/// A new soul receives the matching contributions of the last 30 days, once.
@Suite struct NewcomerTests {
    private let folder = StoreFolder()

    private func day(_ number: Int) throws -> Timestamp { try hour(24 * number) }

    /// A store whose people are compared by valence alone, with two authors who have told a story a day for 40 days.
    private func open(_ limits: DeliveryLimits = DeliveryLimits()) async throws -> Store {
        let store = try folder.open()
        let weights = try AffinityWeights(goals: 0, realms: 0, objects: 0, patterns: 0, valence: 1)
        try await store.put(AffinitySettings(weights: weights, delivery: limits))
        try await store.put([Soul(userID: "author-1", valence: 0.9), Soul(userID: "author-2", valence: -0.9)])
        for number in 0..<40 {
            try await store.contribute(story("near \(number)"), by: "author-1", at: day(number))
            try await store.contribute(story("far \(number)"), by: "author-2", at: day(number))
        }
        let report = try await store.route(with: store.matcher(), at: day(40))
        #expect(report.contributions == 80 && report.newcomers == 2 && report.deliveries == 0)
        return store
    }

    private func titles(_ store: Store, _ user: String) throws -> [String] {
        try store.inbox(of: user).map(\.contribution.title).sorted()
    }

    @Test func aNewSoulReceivesThirtyDaysOnce() async throws {
        let store = try await open()
        try await store.put([Soul(userID: "new", valence: 1)])
        let matcher = try store.matcher()
        async let first = store.route(with: matcher, at: day(40))
        async let second = store.route(with: matcher, at: day(40))
        let reports = try await [first, second]
        let expected = (11..<40).map { "near \($0)" }.sorted()
        #expect(reports.reduce(0) { $0 + $1.deliveries } == 29 && reports.reduce(0) { $0 + $1.newcomers } == 1)
        #expect(try titles(store, "new") == expected)
        // A changed soul is not new, and neither is one that was exported and imported with its inbox.
        try await store.put([Soul(userID: "new", valence: -0.8)])
        #expect(try await store.route(with: store.matcher(), at: day(41)) == RoutingReport())
        try await store.put([Soul(userID: "new", valence: 1)])
        #expect(try await store.route(with: store.matcher(), at: day(41)) == RoutingReport())
        #expect(try titles(store, "new") == expected && store.check().isIntact)
        // After a reopening no soul is new.
        try await store.close()
        let reopened = try folder.open()
        #expect(try await reopened.route(with: reopened.matcher(), at: day(41)) == RoutingReport())
        // A forgotten person who returns is new.
        _ = try await reopened.forget("new")
        try await reopened.put([Soul(userID: "new", valence: 1)])
        #expect(try await reopened.route(with: reopened.matcher(), at: day(60)).deliveries == 9)
    }

    @Test func theDailyLimitHolds() async throws {
        let store = try await open(DeliveryLimits(perDay: 5))
        try await store.put([Soul(userID: "new", valence: 1), Soul(userID: "nearer", valence: 1)])
        try await store.contribute(story("fresh"), by: "nearer", at: day(40))
        let report = try await store.route(with: store.matcher(), at: day(40))
        // The new contribution comes first, then the oldest of the 29 earlier ones.
        #expect(try titles(store, "new") == ["fresh"] + (11..<15).map { "near \($0)" })
        #expect(report.newcomers == 2 && report.overLimit == 25 + 24)
        // The rest does not come later.
        #expect(try await store.route(with: store.matcher(), at: day(42)).deliveries == 0)
    }

    @Test func aSoulWithTooFewEventsStaysNew() async throws {
        let store = try await open(DeliveryLimits(minimumEvents: 0))
        try await store.put(
            AffinitySettings(
                weights: AffinityWeights(goals: 0, realms: 0, objects: 0, patterns: 0, valence: 1),
                shrinksScores: false, delivery: DeliveryLimits(minimumEvents: 2)))
        let goals = try (1...2).map { try SoulTraits(["sleep": Double($0)]) }
        try await store.put([
            Soul(userID: "author-1", goals: goals[1], valence: 0.9), Soul(userID: "new", goals: goals[0], valence: 1),
        ])
        #expect(try await store.route(with: store.matcher(), at: day(40)).newcomers == 0)
        try await store.put([Soul(userID: "new", goals: goals[1], valence: 1)])
        let report = try await store.route(with: store.matcher(), at: day(40))
        #expect(report.newcomers == 1 && report.deliveries == 29)
    }
}
