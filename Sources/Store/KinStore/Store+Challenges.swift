import GRDB
public import KinChallenges
public import KinCore

extension Store {
    /// Puts challenges in: new ids are added, those that are there get the new form. All of them or, when this throws, none. A challenge
    /// that was updated (`updated_at`) before the one that is there changes nothing.
    ///
    /// - Returns: How many changed nothing.
    /// - Throws: `.inputOutput`.
    @discardableResult
    public func put(_ challenges: [Challenge]) throws(KinError) -> Int {
        try write("put in \(challenges.count) challenges") { transaction in
            for challenge in challenges { try transaction.put(challenge) }
            return transaction.older[.challenge] ?? 0
        }
    }

    /// Puts a person's preferences in, in the place of those that are there.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ preferences: ChallengePreferences) throws(KinError) {
        _ = try write("put in the preferences of \(preferences.userID)") { try $0.put(preferences) }
    }

    /// All challenges, active or not.
    ///
    /// - Throws: `.corruptFile` when one is not as it was written; `.inputOutput`.
    public nonisolated func challengeCatalog() throws(KinError) -> ChallengeCatalog {
        try read("read the challenges") { try ChallengeRecords(database: $0).catalog() }
    }

    /// A person's preferences, or nil when they have said nothing.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengePreferences(of user: String) throws(KinError) -> ChallengePreferences? {
        try read("read the preferences of \(user)") {
            try ChallengeRecords(database: $0).first(ChallengePreferences.self, of: user)
        }
    }

    /// What a person was given, the oldest first.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengeHistory(of user: String) throws(KinError) -> [UserChallenge] {
        try read("read the challenges of \(user)") {
            try ChallengeRecords(database: $0).all(UserChallenge.self, of: user, "ORDER BY assigned, challenge")
        }
    }

    /// The decisions that were made for a person, the oldest first: a log that policies can be evaluated on.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengeDecisions(of user: String) throws(KinError) -> [ChallengeDecision] {
        try read("read the decisions for \(user)") {
            try ChallengeRecords(database: $0).all(ChallengeDecision.self, of: user, "ORDER BY decision")
        }
    }

    /// A person's challenges as they are now: what is done with the copy is not kept, so it answers what would come.
    ///
    ///     var selector = try store.selector(for: "u42", in: zone)
    ///     let coming = try selector.today(at: now)
    ///
    /// Somebody who is not in the store gets the preferences of somebody who has not said anything.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - zone: Where the person is; where their preferences say when nil.
    ///   - profile: Their profile by dimension, if it is to count.
    /// - Throws: `.invalidArgument` when there are no challenges; `.unknownID` for a zone that there is not; `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(challenges + what the person was given).
    public nonisolated func selector(
        for user: String, in zone: LocalZone? = nil, profile: [String: Double] = [:]
    ) throws(KinError) -> ChallengeSelector {
        try read("read the challenges of \(user)") { database in
            try ChallengeRecords(database: database).selector(for: user, in: zone, profile: profile)
        }
    }

    /// Does something with a person's challenges, and keeps what that changes: all of it or, when it throws, nothing.
    ///
    ///     let today = try await store.withSelector(for: "u42", in: zone) { selector throws(KinError) in try selector.today(at: now) }
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - zone: Where the person is; where their preferences say when nil.
    ///   - profile: Their profile by dimension, if it is to count.
    ///   - body: What is done with their challenges.
    /// - Throws: What `body` throws; `.unknownID` for somebody who is not in the store, so that a mistyped id makes nobody; else as
    ///   ``selector(for:in:profile:)``.
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

/// Reads records of a person.
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
