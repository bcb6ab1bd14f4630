// Challenges: suggestions, assignments and their outcomes. Every query takes an instant (default: now) and a time zone
// (default: the zone in the person's preferences).

extension Engine {
    /// The challenges that ``assign(to:at:in:)`` would offer, with reasons; nothing is assigned.
    ///
    /// Variety decides how many choices avoid the categories given last (`ChallengePreferences.variety`).
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - instant: The instant; nil for now.
    ///   - zone: The person's time zone; nil for the zone in their preferences, else UTC.
    ///   - excluded: The ids of challenges to omit.
    /// - Throws: `.invalidArgument` if there are no challenges; `.unknownID` for an unknown time zone; `.corruptFile`,
    ///   `.inputOutput`.
    /// - Complexity: O(challenges + challenges given to the person).
    public func suggest(
        for user: String, at instant: Timestamp? = nil, in zone: LocalZone? = nil, excluding excluded: Set<String> = []
    ) throws(KinError) -> ChallengeSelector.Suggestions {
        let now = try self.instant(instant)
        var selector = try selector(of: user, at: now, in: zone)
        return try selector.suggestions(at: now, excluding: Set(excluded.map { RecordID.normalized($0) }))
    }

    /// Today's content and challenge: the assigned challenge or, if none is assigned, the next.
    ///
    /// - Throws: As ``suggest(for:at:in:excluding:)``. A store without challenges is not an error: the offer then has
    ///   only content.
    public func today(of user: String, at instant: Timestamp? = nil, in zone: LocalZone? = nil) throws(KinError)
        -> DailyOffer
    {
        let now = try self.instant(instant)
        guard let entry = try store.timeline(of: user, at: now, in: zone, days: 1).first else {
            throw KinError(.invalidArgument, "there is no day of content at \(now)")
        }
        var challenge: OfferedChallenge?
        if try !store.challengeCatalog().isEmpty {
            var selector = try selector(of: user, at: now, in: zone)
            let today = try selector.today(at: now)
            challenge = OfferedChallenge(today: today, isAssigned: selector.changes.given.isEmpty)
        }
        return DailyOffer(
            content: entry, challenge: challenge, hasBegun: try store.rotation(of: user) != nil,
            missingDays: try store.missingContentDays())
    }

    /// Assigns today's challenge unless one was assigned. Pending challenges of earlier days count as ignored until
    /// they have an outcome.
    ///
    /// - Throws: `.unknownID` for a person without records; otherwise as ``suggest(for:at:in:excluding:)``.
    @discardableResult
    public func assign(to user: String, at instant: Timestamp? = nil, in zone: LocalZone? = nil) async throws(KinError)
        -> OfferedChallenge
    {
        let now = try self.instant(instant)
        let today = try await changeChallenges(of: user, at: now, in: zone) { selector throws(KinError) in
            try selector.today(at: now)
        }
        return OfferedChallenge(today: today, isAssigned: true)
    }

    /// Marks a person's challenge as completed. For a challenge of an earlier day, its reward replaces the reward for
    /// being ignored.
    ///
    /// - Parameters:
    ///   - id: The challenge, whenever it was assigned; nil for the challenge of ``today(of:at:in:)``.
    ///   - user: The person's id.
    ///   - rating: 1 to 5; nil for none.
    ///   - minutes: The minutes that it took; nil if unknown.
    ///   - instant: The instant; nil for now.
    ///   - zone: The person's time zone.
    /// - Throws: `.unknownID` if no such challenge is pending, or for a person without records; `.invalidArgument` for
    ///   the rating.
    @discardableResult
    public func complete(
        _ id: String? = nil, by user: String, rating: Int? = nil, minutes: Double? = nil, at instant: Timestamp? = nil,
        in zone: LocalZone? = nil
    ) async throws(KinError) -> ChallengeOutcome {
        let now = try self.instant(instant)
        return try await outcome(of: user, at: now, in: zone) { selector throws(KinError) in
            try selector.complete(id, rating: rating, minutes: minutes, at: now)
        }
    }

    /// Skips a person's challenge. Default: the challenge of ``today(of:at:in:)``.
    ///
    /// - Throws: As ``complete(_:by:rating:minutes:at:in:)``.
    @discardableResult
    public func skip(_ id: String? = nil, by user: String, at instant: Timestamp? = nil, in zone: LocalZone? = nil)
        async throws(KinError) -> ChallengeOutcome
    {
        let now = try self.instant(instant)
        return try await outcome(of: user, at: now, in: zone) { selector throws(KinError) in
            try selector.skip(id, at: now)
        }
    }

    /// The challenges given to a person, the newest first.
    ///
    /// - Parameters:
    ///   - user: The person's id. The list of an unknown person is empty.
    ///   - statuses: The statuses to list; nil for all.
    ///   - category: The category to list; nil for all, including challenges that are no longer stored.
    ///   - count: The largest number of challenges, 0 or more.
    /// - Throws: `.invalidArgument` if no stored challenge has the category, or for the count; `.corruptFile`, `.inputOutput`.
    public func history(
        of user: String, statuses: Set<UserChallenge.Status>? = nil, category: String? = nil, count: Int = 20
    ) throws(KinError) -> [ChallengeOutcome] {
        try KinError.requireCount(count, "count")
        let catalog = try store.challengeCatalog()
        let word = category.map { Spelling.plain($0) }
        func isListed(_ challenge: Challenge) -> Bool { word == nil || Spelling.plain(challenge.category) == word }
        if let category, !catalog.challenges.isEmpty, !catalog.challenges.contains(where: isListed) {
            let categories = Set(catalog.challenges.map(\.category)).sorted()
            throw KinError.field(
                "category",
                "no challenge has the category \"\(category.prefix(40))\"; \(Spelling.advice(on: category, among: categories))"
            )
        }
        return try Array(
            store.challengeHistory(of: user).reversed().lazy
                .filter { statuses?.contains($0.status) ?? true }
                .map { ChallengeOutcome(given: $0, challenge: catalog.challenge($0.challengeID)) }
                .filter { $0.challenge.map(isListed) ?? (category == nil) }
                .prefix(count))
    }

    /// Replaces some fields of a person's preferences.
    ///
    /// - Parameters:
    ///   - user: The person's id; a new person is created.
    ///   - changes: The fields that change, by their names in JSON, with values in JSON. `current_day`, `domain_focus`,
    ///     `refresh_time` and `evening_reminder` change the rotation of daily content, as ``rotate(_:_:at:in:)`` does.
    ///   - instant: The instant; nil for now.
    ///   - zone: The person's time zone.
    /// - Returns: All preferences.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.unknownID`, naming the field.
    @discardableResult
    public func prefer(
        _ user: String, _ changes: [(name: String, value: String)], at instant: Timestamp? = nil,
        in zone: LocalZone? = nil
    ) async throws(KinError) -> ChallengePreferences {
        guard !changes.isEmpty else { return try preferences(of: user) }
        let rotation = try RotationChange(among: changes)
        let changes = changes.filter { !RotationChange.isField($0.name) }
        if let named = changes.first(where: { $0.name == "user_id" || $0.name == "userId" }) {
            throw KinError(.invalidArgument, "preferences stay with their person").inField(named.name)
        }
        let names = ChallengePreferences.form.fields.map(\.name) + RotationChange.fields
        for (name, _) in changes where !names.contains(where: { ChallengePreferences.isSameField($0, name) }) {
            throw KinError(
                .malformedInput, "there is no field \"\(name.prefix(40))\"; \(Spelling.advice(on: name, among: names))")
        }
        let (at, present) = (try self.instant(instant), try now())
        return try await store.transaction("change the preferences of \(user)") { transaction in
            let preferences = try transaction.change(.preferences(of: user)) { stored in
                let known = try stored ?? ChallengePreferences(userID: user)
                let changed = try known.with(changes)
                // A preference equal to its default also creates the person.
                stored = changed
                return changed
            }
            try transaction.advanceRotation(of: user, at: at, in: zone, present: present)
            if !rotation.isEmpty {
                try transaction.rotate(user, rotation, at: at, in: zone, present: present)
            }
            return preferences
        }
    }

    /// A person's preferences; the default preferences if none are stored.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public func preferences(of user: String) throws(KinError) -> ChallengePreferences {
        if let known = try store.challengePreferences(of: user) { return known }
        return try ChallengePreferences(userID: user)
    }

    // MARK: Parts

    /// Changes a person's challenges and begins their year of content.
    private func changeChallenges<Result: Sendable>(
        of user: String, at now: Timestamp, in zone: LocalZone?,
        _ body: @Sendable (inout ChallengeSelector) throws(KinError) -> Result
    ) async throws(KinError) -> Result {
        let present = try self.now()
        return try await store.transaction("choose for \(user)") { transaction in
            // First, so that the selector has corrected dates.
            try transaction.advanceRotation(of: user, at: now, in: zone, present: present)
            let profile = try Self.learnedByDimension(transaction.history(of: user), at: now)
            return try transaction.withSelector(for: user, in: zone, profile: profile, body)
        }
    }

    private func outcome(
        of user: String, at now: Timestamp, in zone: LocalZone?,
        _ body: @Sendable (inout ChallengeSelector) throws(KinError) -> UserChallenge
    ) async throws(KinError) -> ChallengeOutcome {
        try await changeChallenges(of: user, at: now, in: zone) { selector throws(KinError) in
            let given = try body(&selector)
            return ChallengeOutcome(given: given, challenge: selector.catalog.challenge(given.challengeID))
        }
    }

    /// A copy of a person's selector, for a query.
    private func selector(of user: String, at now: Timestamp, in zone: LocalZone?) throws(KinError) -> ChallengeSelector
    {
        let profile = try store.withHistory(of: user) { Self.learnedByDimension($0, at: now) }
        return try store.selector(for: user, in: zone, profile: profile)
    }

    /// The learned profile by the names of dimensions; empty if nothing is known.
    private static func learnedByDimension(_ history: PersonHistory, at now: Timestamp) -> [String: Double] {
        guard let taste = history.taste.profiles(at: now) else { return [:] }
        let pairs = Pleasure.Dimension.allCases.map { ($0.name, Double(taste.learned[$0])) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

/// The content and challenge of a day.
public struct DailyOffer: Sendable {
    /// The day of content.
    public let content: RotationTimelineEntry
    /// The day's challenge; nil if the store has no challenges.
    public let challenge: OfferedChallenge?
    /// Whether the person's year of content has begun.
    public let hasBegun: Bool
    /// The days that the imported year of content lacks; the content is then from the year that comes with Kin.
    public let missingDays: [Int]
}

/// Today's challenge of a person.
public struct OfferedChallenge: Sendable {
    /// The challenge, or the reason for none.
    public let today: ChallengeSelector.Today
    /// Whether the challenge is stored as given. If false, ``Engine/assign(to:at:in:)`` would give it.
    public let isAssigned: Bool
}

/// A challenge that was given to a person, with its status.
public struct ChallengeOutcome: Sendable {
    /// The assignment with its status.
    public let given: UserChallenge
    /// The challenge; nil if it is no longer stored.
    public let challenge: Challenge?
}

extension ChallengePreferences {
    /// The preferences with some fields replaced.
    ///
    /// - Parameter changes: The fields by their names in JSON, in snake or camel case, with values in JSON.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.unknownID`, naming the field.
    fileprivate func with(_ changes: [(name: String, value: String)]) throws(KinError) -> ChallengePreferences {
        let members = try JSONReader.read(json) { reader throws(KinError) in try reader.rawMembers() }
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in members
            where !changes.contains(where: { ChallengePreferences.isSameField($0.name, name) }) {
                writer.member(name) { $0.raw(value) }
            }
            for (name, value) in changes { writer.member(name) { $0.raw(value) } }
        }
        let preferences: ChallengePreferences
        do throws(KinError) {
            preferences = try ChallengePreferences(json: writer.text)
        } catch {
            // The position is in a text that the caller did not write.
            throw error.without(["line", "column"])
        }
        // An unknown time zone is rejected before it is stored.
        _ = try LocalZone(named: preferences.timeZone)
        return preferences
    }
}
