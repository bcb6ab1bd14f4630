extension Store {
    /// Inserts or replaces challenges by id. If this throws, no challenge is stored.
    ///
    /// A challenge whose `updated_at` is earlier than the stored challenge's is skipped.
    ///
    /// - Returns: The number of skipped challenges.
    /// - Throws: `.inputOutput`.
    @discardableResult
    public func put(_ challenges: [Challenge]) throws(KinError) -> Int {
        try putAll(challenges, "challenges")
    }

    /// A person's preferences; nil if no preferences are stored.
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

    /// The decisions made for a person, oldest first: a log for off-policy evaluation.
    ///
    /// - Throws: As ``challengeCatalog()``.
    public nonisolated func challengeDecisions(of user: String) throws(KinError) -> [ChallengeDecision] {
        try read("read the decisions for \(user)") { try RecordQuery(of: user, "ORDER BY decision").all(in: $0) }
    }

    /// Passes the decisions to a body, one call per person with decisions, oldest decision first.
    ///
    /// - Parameters:
    ///   - user: The only person whose decisions are read; nil for all people.
    ///   - body: Receives all decisions of a person.
    /// - Throws: The errors of `body` (see `KinError.underlying`); otherwise as ``challengeCatalog()``.
    /// - Complexity: O(decisions) time; memory for the decisions of one person.
    public nonisolated func forEachDecisionLog(
        of user: String? = nil, _ body: ([ChallengeDecision]) throws -> Void
    ) throws(KinError) {
        if let user {
            let log = try challengeDecisions(of: user)
            return log.isEmpty ? () : try callingBack { try body(log) }
        }
        try readSnapshot("read the decisions for all people") { database in
            var log: [ChallengeDecision] = []
            try RecordQuery<ChallengeDecision>("ORDER BY person, decision").forEach(in: database) { decision, _ in
                if let last = log.last, last.userID != decision.userID {
                    try callingBack { try body(log) }
                    log.removeAll()
                }
                log.append(decision)
            }
            if !log.isEmpty { try callingBack { try body(log) } }
        }
    }

    /// A copy of a person's challenge selector; changes to it are not stored.
    ///
    ///     var selector = try store.selector(for: "u42", in: zone)
    ///     let coming = try selector.today(at: now)
    ///
    /// A person without records has the default preferences.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - zone: The person's time zone; nil for the zone in their preferences.
    ///   - profile: The person's learned profile by dimension, used as features; may be empty.
    /// - Throws: `.invalidArgument` if the store has no challenges; `.unknownID` for an unknown time zone;
    ///   `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(challenges + challenges given to the person).
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
    ///   - zone: The person's time zone. Default: the zone in their preferences.
    ///   - profile: The person's learned profile by dimension, used as features; may be empty.
    ///   - body: The changes.
    /// - Returns: The result of the body.
    /// - Throws: The errors of the body; `.unknownID` for a person without records, so that a mistyped id adds no
    ///   person; otherwise as ``Store/selector(for:in:profile:)``.
    /// - Complexity: O(challenges + challenges given to the person).
    public func withSelector<Result>(
        for user: String, in zone: LocalZone? = nil, profile: [String: Double] = [:],
        _ body: (inout ChallengeSelector) throws -> Result
    ) throws -> Result {
        try People.require(user, in: writer.database)
        let catalog = try writer.derived(CachedCatalog.self, for: .only).catalog
        return try withSelector(for: user, of: catalog, in: zone, profile: profile, body)
    }

    /// Teaches people's policies the outcomes that were reported or corrected in this transaction.
    func learnOutcomes() throws {
        guard !writer.outcomes.isEmpty else { return }
        let catalog = try writer.derived(CachedCatalog.self, for: .only).catalog
        guard !catalog.isEmpty else { return }
        for (user, reported) in writer.outcomes.sorted(by: { $0.key < $1.key }) {
            let log = try RecordQuery<ChallengeDecision>(of: user, "AND is_open = 0").all(in: writer.database)
            try withSelector(for: user, of: catalog, in: nil, profile: [:]) {
                try $0.learn(reported: Array(reported.values), from: log)
            }
        }
    }

    private func withSelector<Result>(
        for user: String, of catalog: ChallengeCatalog, in zone: LocalZone?, profile: [String: Double],
        _ body: (inout ChallengeSelector) throws -> Result
    ) throws -> Result {
        let database = writer.database
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
