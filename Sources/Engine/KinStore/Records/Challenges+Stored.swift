// Challenges, daily content and people's answers to them, as rows.

extension Challenge: StoredRecord {
    static let table = RecordTable<Challenge>("challenge", .text("id", \.id), order: ["id"])

    static func isRecognized(by members: [String]) -> Bool { members.contains("time_investment") }

    static let isEarlier: (@Sendable (Challenge, Challenge) -> Bool)? = { isBefore($0.updated, $1.updated) }
}

extension ContentItem: StoredRecord {
    static let table = RecordTable<ContentItem>("content_day", .integer("day", \.id), order: ["day"])
    static func isRecognized(by members: [String]) -> Bool { members.contains("quote") }
}

extension ChallengePreferences: StoredRecord {
    static let table = RecordTable<ChallengePreferences>("challenge_preferences", owner: \.userID)
}

extension ChallengeState: StoredRecord {
    static let table = RecordTable<ChallengeState>("challenge_state", owner: \.userID)

    /// The earlier state has fewer decisions or, with an equal number, fewer learned rewards.
    static let isEarlier: (@Sendable (ChallengeState, ChallengeState) -> Bool)? = {
        ($0.decisions, $0.policy.observations) < ($1.decisions, $1.policy.observations)
    }
}

extension UserChallenge: StoredRecord {
    static let table = RecordTable<UserChallenge>(
        "user_challenge", owner: \.userID, .text("challenge", \.challengeID), .instant("assigned", \.assigned),
        key: ["person", "challenge", "assigned"], order: ["assigned", "challenge"])

    static let isEarlier: (@Sendable (UserChallenge, UserChallenge) -> Bool)? = { $0.lacksOutcome(of: $1) }

    /// An outcome may be corrected, but is never lost. An app may exchange the dates of assignments with different ids.
    private func lacksOutcome(of later: UserChallenge) -> Bool {
        guard status == .pending, later.status != .pending else { return false }
        return (appID ?? later.appID) == (later.appID ?? appID)
    }

    var needsStoreContext: Bool { appID != nil || status != .pending || date == nil }

    private var keyOfPerson: [SQLValue] { [.text(challengeID), .integer(assigned.microseconds)] }

    /// The id of the assignment in an app; nil for none.
    private var appID: JSONTree? { extra.flatMap { try? JSONTree(parsing: $0)[path: ["id"]] } }

    /// Takes the stored date of the same assignment if it has none, and removes the stored version of an app's assignment
    /// if its challenge or its instant was different.
    func adopted(by transaction: WriteTransaction) throws -> UserChallenge {
        var record = self
        record.date = try date ?? Self.stored(at: keyOfPerson, of: userID, in: transaction)?.date
        guard let id = appID else { return record }
        var keys = try keysByAppID(in: transaction)
        if let moved = keys[id], moved != keyOfPerson,
            let stored = try Self.stored(at: moved, of: userID, in: transaction)
        {
            guard !lacksOutcome(of: stored) else {
                transaction.older[Self.kind, default: 0] += 1
                return stored
            }
            keys[id] = nil
            if !keys.values.contains(moved) {
                let key = try [.integer(transaction.number(ofPerson: userID))] + moved
                _ = try transaction.remove(Self.kind, key: key)
            }
        }
        keys[id] = keyOfPerson
        transaction.assignments[userID] = keys
        return record
    }

    /// The keys of the person's assignments by their ids in an app.
    private func keysByAppID(in transaction: WriteTransaction) throws -> [JSONTree: [SQLValue]] {
        if let keys = transaction.assignments[userID] { return keys }
        return try Dictionary(
            RecordQuery<UserChallenge>(of: userID).all(in: transaction.database).compactMap { item in
                item.appID.map { ($0, item.keyOfPerson) }
            }, uniquingKeysWith: { $1 })
    }

    private static func stored(
        at key: [SQLValue], of user: String, in transaction: WriteTransaction
    ) throws -> UserChallenge? {
        try RecordQuery<UserChallenge>(of: user, "AND challenge = ? AND assigned = ?", key)
            .first(in: transaction.database)
    }

    /// Collects the assignment's outcome for the person's policy, unless the stored assignment, with the same key or the
    /// same id in an app, has an outcome of the same reward.
    ///
    /// - Parameter isNew: Whether the outcome of an assignment that is not stored counts. An export has the policy that
    ///   learned its outcomes.
    func noteOutcome(in transaction: WriteTransaction, isNew: Bool) throws {
        guard let reward else { return }
        let moved = try appID.flatMap { try keysByAppID(in: transaction)[$0] }
        let stored = try [keyOfPerson, moved ?? keyOfPerson].compactMap {
            try Self.stored(at: $0, of: userID, in: transaction)
        }
        guard stored.isEmpty ? isNew : !stored.contains(where: { $0.reward == reward }) else { return }
        transaction.outcomes[userID, default: [:]][keyOfPerson] = self
    }
}

extension ChallengeDecision: StoredRecord {
    static let table = RecordTable<ChallengeDecision>(
        "challenge_decision", owner: \.userID, .integer("decision", \.number), .boolean("is_open", \.isOpen),
        key: ["person", "decision"], order: ["decision"])

    /// The earlier version has no outcome, or an earlier one.
    static let isEarlier: (@Sendable (ChallengeDecision, ChallengeDecision) -> Bool)? = { $0.progress < $1.progress }

    /// Whether a stored decision with an outcome is a different choice, or has a different outcome that is final.
    func conflicts(with stored: ChallengeDecision) -> Bool {
        guard stored.reward != nil else { return false }
        return (made, challengeID) != (stored.made, stored.challengeID)
            || progress >= stored.progress && !stored.countsAsIgnored && reward != stored.reward
    }

    /// The position of the reward among the learned ones; 0 for an outcome without a position, -1 without an outcome.
    private var progress: Int { isOpen ? -1 : learned ?? 0 }
}

extension NotificationRecord: StoredRecord {
    static let table = RecordTable<NotificationRecord>(
        "notification", owner: \.userID, .instant("sent", \.sent), key: ["person", "sent"], order: ["sent"])

    /// Keeps the stored answer if the record has none: a report that a notification was sent may arrive late or again.
    func adopted(by transaction: WriteTransaction) throws -> NotificationRecord {
        var record = self
        let stored = try RecordQuery<NotificationRecord>(of: userID, "AND sent = ?", [.integer(sent.microseconds)])
        record.wasAnswered = try wasAnswered ?? stored.first(in: transaction.database)?.wasAnswered
        return record
    }

    var needsStoreContext: Bool { wasAnswered == nil }
}

extension ContentRotation: StoredRecord {
    static let table = RecordTable<ContentRotation>("rotation", owner: \.userID)
}

extension DailyReflection: StoredRecord {
    static let table = RecordTable<DailyReflection>(
        "reflection", owner: \.userID, .day("date", \.date), key: ["person", "date"], order: ["date"])
    static let isEarlier: (@Sendable (DailyReflection, DailyReflection) -> Bool)? = { $0.time < $1.time }
}
