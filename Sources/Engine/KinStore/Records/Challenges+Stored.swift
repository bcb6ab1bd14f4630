import KinChallenges
import KinJSON

// Challenges, daily content and people's answers to them, as rows.

extension Challenge: StoredRecord {
    static let table = RecordTable<Challenge>("challenge", .text("id", \.id), order: ["id"])

    static func isRecognized(by members: [String]) -> Bool { members.contains("time_investment") }
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

    /// Keeps the stored state if it has more decisions or, with as many, more learned rewards.
    static let adoption: (@Sendable (ChallengeState, WriteTransaction) throws -> ChallengeState)? = {
        state, transaction in
        let stored = try RecordQuery<ChallengeState>(of: state.userID).first(in: transaction.database)
        return transaction.later(stored, than: state) {
            ($0.decisions, $0.policy.observations) < ($1.decisions, $1.policy.observations)
        }
    }
}

extension UserChallenge: StoredRecord {
    static let table = RecordTable<UserChallenge>(
        "user_challenge", owner: \.userID, .text("challenge", \.challengeID), .instant("assigned", \.assigned),
        key: ["person", "challenge", "assigned"], order: ["assigned", "challenge"])

    static let adoption: (@Sendable (UserChallenge, WriteTransaction) throws -> UserChallenge)? = {
        try $0.adapted(to: $1)
    }

    var needsStoreContext: Bool { appID != nil }

    private var keyOfPerson: [SQLValue] { [.text(challengeID), .integer(assigned.microseconds)] }

    /// The id of the assignment in an app; nil for none.
    private var appID: JSONTree? { extra.flatMap { try? JSONTree(parsing: $0)[path: ["id"]] } }

    /// Removes the stored version of an app's assignment if its challenge or its date was different.
    private func adapted(to transaction: WriteTransaction) throws -> UserChallenge {
        guard let id = appID else { return self }
        var keys = try keysByAppID(in: transaction)
        let earlier = keys.updateValue(keyOfPerson, forKey: id)
        transaction.assignments[userID] = keys
        if let earlier, !keys.values.contains(earlier) {
            _ = try transaction.remove(Self.kind, key: [.integer(transaction.number(ofPerson: userID))] + earlier)
        }
        return self
    }

    /// The keys of the person's assignments by their ids in an app.
    private func keysByAppID(in transaction: WriteTransaction) throws -> [JSONTree: [SQLValue]] {
        if let keys = transaction.assignments[userID] { return keys }
        return try Dictionary(
            RecordQuery<UserChallenge>(of: userID).all(in: transaction.database).compactMap { item in
                item.appID.map { ($0, item.keyOfPerson) }
            }, uniquingKeysWith: { $1 })
    }

    /// Whether the stored assignment, with the same key or the same id in an app, has an outcome.
    fileprivate func hasStoredOutcome(in transaction: WriteTransaction) throws -> Bool {
        let moved = try appID.flatMap { try keysByAppID(in: transaction)[$0] }
        return try [keyOfPerson, moved ?? keyOfPerson].contains { key in
            try RecordQuery<UserChallenge>(of: userID, "AND challenge = ? AND assigned = ?", key)
                .first(in: transaction.database).map { $0.status != .pending } ?? false
        }
    }
}

extension WriteTransaction {
    /// The stored record if it is later than an imported one, which then counts in ``older``.
    fileprivate func later<Record: StoredRecord>(
        _ stored: Record?, than record: Record, by isEarlier: (Record, Record) -> Bool
    ) -> Record {
        guard let stored, isEarlier(record, stored) else { return record }
        older[Record.kind, default: 0] += 1
        return stored
    }

    /// Collects the outcome of an assignment that an app reports, unless the stored assignment has one.
    func noteOutcome(of given: UserChallenge) throws {
        guard given.status != .pending, try !given.hasStoredOutcome(in: self) else { return }
        outcomes.append(given)
    }
}

extension ChallengeDecision: StoredRecord {
    static let table = RecordTable<ChallengeDecision>(
        "challenge_decision", owner: \.userID, .integer("decision", \.number), .boolean("is_open", \.isOpen),
        key: ["person", "decision"], order: ["decision"])

    /// Keeps the outcome of the stored decision if the record has none or an earlier one, and a stored
    /// outcome that the record would replace by that of a different decision.
    static let adoption: (@Sendable (ChallengeDecision, WriteTransaction) throws -> ChallengeDecision)? = {
        decision, transaction in
        let query = try RecordQuery<ChallengeDecision>(
            of: decision.userID, "AND decision = ?", [.integer(Int64(decision.number))])
        let stored = try query.first(in: transaction.database)
        if let stored, decision.conflicts(with: stored) {
            transaction.conflicting[kind, default: 0] += 1
            return stored
        }
        return transaction.later(stored, than: decision) { $0.progress < $1.progress }
    }

    /// Whether a stored decision with an outcome is a different choice, or has a different outcome that is final.
    private func conflicts(with stored: ChallengeDecision) -> Bool {
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
    static let adoption: (@Sendable (NotificationRecord, WriteTransaction) throws -> NotificationRecord)? = {
        var record = $0
        let sent = SQLValue.integer(record.sent.microseconds)
        let stored = try RecordQuery<NotificationRecord>(of: record.userID, "AND sent = ?", [sent])
        record.wasAnswered = try record.wasAnswered ?? stored.first(in: $1.database)?.wasAnswered
        return record
    }

    var needsStoreContext: Bool { wasAnswered == nil }
}

extension ContentRotation: StoredRecord {
    static let table = RecordTable<ContentRotation>("rotation", owner: \.userID)
}

extension DailyReflection: StoredRecord {
    static let table = RecordTable<DailyReflection>(
        "reflection", owner: \.userID, .integer("date", \.date.number), key: ["person", "date"], order: ["date"])
    var updated: Timestamp? { time }
}
