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
        try putAll(challenges, "challenges")
    }

    /// The preferences of a person; nil when none are stored.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengePreferences(of user: String) throws(KinError) -> ChallengePreferences? {
        try challenges(of: user).preferences
    }

    /// The challenges given to a person, by ascending time.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengeHistory(of user: String) throws(KinError) -> [UserChallenge] {
        try challenges(of: user).given
    }

    /// The decisions made for a person, the oldest first: a log for off-policy evaluation.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengeDecisions(of user: String) throws(KinError) -> [ChallengeDecision] {
        try read("read the decisions for \(user)") { try RecordQuery(of: user, "ORDER BY decision").all(in: $0) }
    }

    /// Passes on the decisions of each person who has any, the oldest first, one person after another.
    ///
    /// - Parameters:
    ///   - user: The only person whose decisions are read; nil for everybody.
    ///   - body: Receives all decisions of a person.
    /// - Throws: What `body` throws; else as ``challengeCatalog()``.
    /// - Complexity: O(decisions), in the memory of one person's.
    public nonisolated func forEachDecisionLog(
        of user: String? = nil, _ body: ([ChallengeDecision]) throws(KinError) -> Void
    ) throws(KinError) {
        if let user {
            let log = try challengeDecisions(of: user)
            return log.isEmpty ? () : try body(log)
        }
        try read("read the decisions for everybody") { database in
            var log: [ChallengeDecision] = []
            try RecordQuery<ChallengeDecision>("ORDER BY person, decision").forEach(in: database) { decision, _ in
                if let last = log.last, last.userID != decision.userID {
                    try body(log)
                    log.removeAll()
                }
                log.append(decision)
                return true
            }
            if !log.isEmpty { try body(log) }
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
        try challenges(of: user).selector(for: user, of: challengeCatalog(), in: zone, profile: profile)
    }
}

extension StoreTransaction {
    /// Changes a person's challenge selector and stores the changes.
    ///
    ///     let today = try await store.transaction { transaction in
    ///         try transaction.withSelector(for: "u42", in: zone) { selector in try selector.today(at: now) }
    ///     }
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - zone: The person's time zone. Default: that of their preferences.
    ///   - profile: The person's learned profile by dimension, as features; empty for none.
    ///   - body: The changes.
    /// - Returns: The result of the body.
    /// - Throws: The errors of the body; `.unknownID` for a person without records, so that a mistyped id adds no person; else
    ///   as ``Store/selector(for:in:profile:)``.
    /// - Complexity: O(challenges + challenges given to the person).
    public func withSelector<Result>(
        for user: String, in zone: LocalZone? = nil, profile: [String: Double] = [:],
        _ body: (inout ChallengeSelector) throws -> Result
    ) throws -> Result {
        let database = writer.database
        try People.require(user, in: database)
        let catalog = try writer.derived(CachedCatalog.self, for: .only).catalog
        let kept = try CachedChallenges(for: RecordID.checked(user, field: "user"), in: database)
        var selector = try kept.selector(for: user, of: catalog, in: zone, profile: profile)
        let before = selector.state
        let result = try body(&selector)
        if !selector.changes.late.isEmpty {
            try selector.learnLate(from: RecordQuery(of: user, "AND is_open = 0").all(in: database))
        }
        for given in selector.changes.given { try writer.put(given) }
        for (_, decision) in selector.changes.decisions.sorted(by: { $0.key < $1.key }) {
            try writer.put(decision)
            let last = decision.number - ChallengeDecision.mostCandidateSets
            guard decision.number > before.decisions, last > 0 else { continue }
            let earlier = try RecordQuery<ChallengeDecision>(of: user, "AND decision = ?", [.integer(Int64(last))])
            for old in try earlier.all(in: database) where old.candidates != nil {
                try writer.put(old.withoutCandidates)
            }
        }
        if selector.state != before { try writer.put(selector.state) }
        return result
    }
}
