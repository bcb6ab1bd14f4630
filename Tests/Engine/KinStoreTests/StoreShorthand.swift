@testable import KinStore

/// Transactions of one change each, which most tests use.
extension Store {
    @discardableResult
    func withSelector<Result: Sendable>(
        for user: String, in zone: LocalZone? = nil, profile: [String: Double] = [:],
        _ body: @Sendable (inout ChallengeSelector) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try transaction { try $0.withSelector(for: user, in: zone, profile: profile, body) }
    }

    @discardableResult
    func withRotation<Result: Sendable>(
        of user: String, at now: Timestamp, in zone: LocalZone? = nil, present: Timestamp? = nil,
        _ body: @Sendable (inout ContentRotation, ContentLibrary, LocalZone) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try transaction { try $0.withRotation(of: user, at: now, in: zone, present: present, body) }
    }

    @discardableResult
    func withPolicy<Result: Sendable>(
        named name: String, _ body: @Sendable (inout BanditPolicy) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try transaction { try $0.withPolicy(named: name, body) }
    }

    @discardableResult
    func reflect(
        _ user: String, completed isCompleted: Bool, text: String = "", at now: Timestamp, in zone: LocalZone? = nil,
        present: Timestamp? = nil
    ) throws(KinError) -> DailyReflection {
        try transaction {
            try $0.reflect(user, completed: isCompleted, text: text, at: now, in: zone, present: present)
        }
    }

    /// The number of contributions that wait for the router.
    nonisolated func contributionsToRoute() throws -> Int {
        try read("count contributions") { database in
            try SQLStatement("SELECT count(*) FROM contribution WHERE routed = 0", in: database)
                .first { Int($0.integer(0)) } ?? 0
        }
    }

    /// The log of a baby; nil if neither the baby nor an event is stored.
    nonisolated func rhythmLog(of user: String, baby: String) throws(KinError) -> RhythmLog? {
        try withDerivedFromLog(CachedForecaster.self, of: user, baby: baby, in: nil) {
            $0.isKnown ? $0.forecaster.log : nil
        }
    }

    /// Stores a person to forget and other people, and saves an index that includes them.
    func fillWithSomeoneToForget() throws {
        var sample = SampleRecords()
        try put(sample.sessions(40))
        try put((0..<20).map { try sample.session("s-\($0)", of: "person-to-forget", notes: "secret-note") })
        _ = try nearestSessions(to: sample.point(), k: 3)
        try saveIndexes()
    }

    func put(_ preferences: ChallengePreferences) throws(KinError) {
        try change(.preferences(of: preferences.userID)) { $0 = preferences }
    }

    func put(_ settings: AffinitySettings) throws(KinError) { try change(.affinitySettings) { $0 = settings } }

    func put(_ notification: NotificationRecord) throws(KinError) { try transaction { try $0.put(notification) } }

    func insert(_ policy: NamedPolicy) throws(KinError) { try change(.policy(policy.name)) { $0 = policy } }
}
