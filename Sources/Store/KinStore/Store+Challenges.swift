import GRDB
public import KinChallenges
public import KinCore

extension Store {
    /// Inserts or replaces challenges by id: all of them or, when this throws, none. A challenge whose `updated_at` is
    /// earlier than that of the stored one is skipped.
    ///
    /// - Returns: The number of skipped challenges.
    /// - Throws: `.inputOutput`.
    @discardableResult
    public func put(_ challenges: [Challenge]) throws(KinError) -> Int {
        try write("put in \(challenges.count) challenges") { transaction in
            for challenge in challenges { try transaction.put(challenge) }
            return transaction.older[.challenge] ?? 0
        }
    }

    /// Inserts or replaces a person's preferences.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ preferences: ChallengePreferences) throws(KinError) {
        _ = try write("put in the preferences of \(preferences.userID)") { try $0.put(preferences) }
    }

    /// The catalog of all challenges, active or not.
    ///
    /// - Throws: `.corruptFile` when one is not as it was written; `.inputOutput`.
    public nonisolated func challengeCatalog() throws(KinError) -> ChallengeCatalog {
        try read("read the challenges") { try ChallengeRecords(database: $0).catalog() }
    }

    /// The preferences of a person; nil when none are stored.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengePreferences(of user: String) throws(KinError) -> ChallengePreferences? {
        try read("read the preferences of \(user)") {
            try ChallengeRecords(database: $0).first(ChallengePreferences.self, of: user)
        }
    }

    /// The challenges given to a person, by ascending time.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengeHistory(of user: String) throws(KinError) -> [UserChallenge] {
        try read("read the challenges of \(user)") {
            try ChallengeRecords(database: $0).all(UserChallenge.self, of: user, "ORDER BY assigned, challenge")
        }
    }

    /// The decisions made for a person, the oldest first: a log for off-policy evaluation.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengeDecisions(of user: String) throws(KinError) -> [ChallengeDecision] {
        try read("read the decisions for \(user)") {
            try ChallengeRecords(database: $0).all(ChallengeDecision.self, of: user, "ORDER BY decision")
        }
    }

    /// A copy of a person's challenge selector; changes to it are not stored.
    ///
    ///     var selector = try store.selector(for: "u42", in: zone)
    ///     let coming = try selector.today(at: now)
    ///
    /// A person without records gets the default preferences.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - zone: The person's time zone; that of their preferences when nil.
    ///   - profile: The person's learned profile by dimension, as features; empty for none.
    /// - Throws: `.invalidArgument` when there are no challenges; `.unknownID` for a zone that there is not; `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(challenges + what the person was given).
    public nonisolated func selector(
        for user: String, in zone: LocalZone? = nil, profile: [String: Double] = [:]
    ) throws(KinError) -> ChallengeSelector {
        try read("read the challenges of \(user)") { database in
            try ChallengeRecords(database: database).selector(for: user, in: zone, profile: profile)
        }
    }

    /// Changes a person's challenge selector and stores the changes: all of them or, when this throws, none.
    ///
    ///     let today = try await store.withSelector(for: "u42", in: zone) { selector throws(KinError) in try selector.today(at: now) }
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - zone: The person's time zone; that of their preferences when nil.
    ///   - profile: The person's learned profile by dimension, as features; empty for none.
    ///   - body: The changes.
    /// - Throws: What `body` throws; `.unknownID` for a person without records, so that a mistyped id adds nobody; else
    ///   as ``selector(for:in:profile:)``.
    /// - Complexity: O(challenges + what the person was given).
    public func withSelector<Result: Sendable>(
        for user: String, in zone: LocalZone? = nil, profile: [String: Double] = [:],
        _ body: (inout ChallengeSelector) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try write("choose for \(user)") { transaction in
            try People.require(user, in: transaction.database)
            let records = ChallengeRecords(database: transaction.database)
            var selector = try records.selector(for: user, in: zone, profile: profile)
            let before = selector.state
            let result = try body(&selector)
            for given in selector.changes.given { try transaction.put(given) }
            for (_, decision) in selector.changes.decisions.sorted(by: { $0.key < $1.key }) {
                try transaction.put(decision)
            }
            if selector.state != before { try transaction.put(selector.state) }
            return result
        }
    }
}

/// Reads the records from which a selector is made.
struct ChallengeRecords {
    let database: Database

    func selector(for user: String, in zone: LocalZone?, profile: [String: Double]) throws -> ChallengeSelector {
        let catalog = try catalog()
        guard !catalog.isEmpty else {
            throw KinError(
                .invalidArgument,
                "there are no challenges in the store; import some: datasets/challenges.jsonl has 200, kin generate challenges "
                    + "makes more")
        }
        let preferences = try first(ChallengePreferences.self, of: user) ?? ChallengePreferences(userID: user)
        return try ChallengeSelector(
            catalog: catalog, preferences: preferences, zone: zone ?? LocalZone(named: preferences.timeZone),
            profile: profile, state: first(ChallengeState.self, of: user),
            history: all(UserChallenge.self, of: user, "ORDER BY assigned, challenge"),
            open: all(ChallengeDecision.self, of: user, "AND is_open = 1"))
    }

    func catalog() throws -> ChallengeCatalog {
        try ChallengeCatalog(RecordQuery<Challenge>("ORDER BY id").all(in: database))
    }

    func all<Record: StoredRecord>(_: Record.Type, of user: String, _ condition: String = "") throws -> [Record] {
        guard let person = try People.number(of: user, in: database) else { return [] }
        return try RecordQuery<Record>("WHERE person = ? \(condition)", [.integer(person)]).all(in: database)
    }

    func first<Record: StoredRecord>(_: Record.Type, of user: String) throws -> Record? {
        guard let person = try People.number(of: user, in: database) else { return nil }
        return try RecordQuery<Record>("WHERE person = ?", [.integer(person)]).first(in: database)
    }
}
