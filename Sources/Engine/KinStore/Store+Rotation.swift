extension Store {
    /// Inserts or replaces the year of daily content.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ library: ContentLibrary) throws(KinError) {
        try putAll(library.items, "days of content")
    }

    /// The numbers of the missing days of an incomplete year; empty if the store has no content.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func missingContentDays() throws(KinError) -> [Int] {
        try derived(CachedContent.self, for: .only).missing
    }

    /// A person's rotation; nil if they have not begun.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func rotation(of user: String) throws(KinError) -> ContentRotation? {
        try challenges(of: user).rotation
    }

    /// A person's rotation at a past, present or future instant; day 1 if they have not begun.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - instant: The instant.
    ///   - zone: The person's time zone; nil for the zone in their preferences.
    /// - Throws: `.unknownID` for an unknown time zone; `.corruptFile`, `.inputOutput`.
    public nonisolated func rotation(
        of user: String, at instant: Timestamp, in zone: LocalZone? = nil
    ) throws(KinError) -> ContentRotation {
        let kept = try challenges(of: user)
        return try kept.rotation(of: user, at: instant, in: kept.zone(zone))
    }

    /// The days of content from the day of an instant; see `ContentRotation.timeline(at:in:library:count:for:)`.
    ///
    /// - Throws: As ``rotation(of:at:in:)``, and `.invalidArgument` if the content has none for the focus.
    public nonisolated func timeline(
        of user: String, at instant: Timestamp, in zone: LocalZone? = nil, days: Int = 7
    ) throws(KinError) -> [RotationTimelineEntry] {
        let kept = try challenges(of: user)
        let zone = try kept.zone(zone)
        return try kept.rotation(of: user, at: instant, in: zone)
            .timeline(
                at: instant, in: zone, library: contentLibrary(), count: days, for: kept.preferences?.appVersion)
    }

    /// The reflections of a person, newest first.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - first: The first date; nil for any.
    ///   - last: The last date; nil for any.
    ///   - limit: The largest number of reflections, 0 or more; nil for all.
    /// - Throws: `.invalidArgument` for the limit; `.corruptFile`, `.inputOutput`.
    public nonisolated func reflections(
        of user: String, from first: LocalDay? = nil, to last: LocalDay? = nil, limit: Int? = nil
    ) throws(KinError) -> [DailyReflection] {
        try KinError.requireCount(limit ?? 0, "limit")
        let dates = [first?.number ?? .min, last?.number ?? .max, limit ?? -1].map { SQLValue.integer(Int64($0)) }
        return try read("read the reflections of \(user)") {
            try RecordQuery(of: user, "AND date BETWEEN ? AND ? ORDER BY date DESC LIMIT ?", dates).all(in: $0)
        }
    }

    /// The notifications of a person, by ascending time.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func notifications(of user: String) throws(KinError) -> [NotificationRecord] {
        try read("read the notifications of \(user)") { try RecordQuery(of: user, "ORDER BY sent").all(in: $0) }
    }

    /// The notifications of each person with notifications, by ascending time. If there are more than `limit` people, a
    /// subset is chosen evenly by row number.
    ///
    /// - Parameter limit: The largest number of people, 0 or more.
    /// - Throws: `.invalidArgument` for the limit; `.corruptFile`, `.inputOutput`.
    /// - Complexity: O(people + notifications of those chosen).
    public nonisolated func notificationsOfPeople(limit: Int = 1_000) throws(KinError) -> [[NotificationRecord]] {
        try KinError.requireCount(limit, "limit")
        return try read("read notifications") { database in
            let people = try SQLStatement("SELECT DISTINCT person FROM notification ORDER BY person", in: database)
                .all { $0.integer(0) }
            let count = min(limit, people.count)
            return try (0..<count).map { number in
                try RecordQuery<NotificationRecord>(
                    "WHERE person = ? ORDER BY sent", [.integer(people[number * people.count / count])]
                ).all(in: database)
            }
        }
    }

    /// The time zone of a person's preferences; UTC without preferences.
    ///
    /// - Throws: `.unknownID` for an unknown time zone; `.corruptFile`, `.inputOutput`.
    public nonisolated func zone(of user: String) throws(KinError) -> LocalZone {
        try challenges(of: user).zone(nil)
    }
}

extension StoreTransaction {
    /// Advances a person's rotation to an instant, changes it and stores it. A new rotation begins at day 1.
    ///
    /// Dates that a wrong clock set in the future are corrected first: see `ContentRotation.correctClock(at:in:present:)`.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - now: The instant.
    ///   - zone: The person's time zone. Default: the zone in their preferences.
    ///   - present: The present, if `now` is a different instant: dates up to the present are not corrected.
    ///   - body: The change.
    /// - Returns: The result of the body.
    /// - Throws: The errors of the body; `.unknownID` for an unknown zone or a person without records;
    ///   `.invalidArgument`, `.corruptFile`, `.inputOutput`.
    public func withRotation<Result>(
        of user: String, at now: Timestamp, in zone: LocalZone? = nil, present: Timestamp? = nil,
        _ body: (inout ContentRotation, ContentLibrary, LocalZone) throws -> Result
    ) throws -> Result {
        try changeRotation(of: user, at: now, in: zone, present: present) { try body(&$0, library, $1) }
    }

    private func changeRotation<Result>(
        of user: String, at now: Timestamp, in zone: LocalZone?, present: Timestamp?,
        _ body: (inout ContentRotation, LocalZone) throws -> Result
    ) throws -> Result {
        let zone = try self.zone(of: user, zone)
        try People.require(user, in: writer.database)
        return try change(.rotation(of: user)) { rotation in
            var changed = try rotation ?? ContentRotation(userID: user, from: zone.day(at: now))
            changed.correctClock(at: now, in: zone, present: present)
            changed.advance(to: now, in: zone)
            let result = try body(&changed, zone)
            rotation = changed
            return result
        }
    }

    /// Begins a person's rotation if needed, and corrects dates that a wrong clock set in the future. Reads no content.
    ///
    /// - Throws: As ``withRotation(of:at:in:present:_:)``.
    public func advanceRotation(
        of user: String, at now: Timestamp, in zone: LocalZone? = nil, present: Timestamp? = nil
    ) throws {
        try changeRotation(of: user, at: now, in: zone, present: present) { _, _ in }
    }

    /// Stores a person's reflection on a day's content; it replaces an earlier reflection on that day. A later one stays,
    /// and is returned.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - isCompleted: Whether the day's action was done.
    ///   - text: The reflection's text; nil for the text of the earlier reflection, if any.
    ///   - now: An instant of the day.
    ///   - zone: The person's time zone. Default: the zone in their preferences.
    ///   - present: The present, if `now` is a different instant.
    /// - Throws: As ``withRotation(of:at:in:present:_:)``.
    @discardableResult
    public func reflect(
        _ user: String, completed isCompleted: Bool, text: String? = nil, at now: Timestamp, in zone: LocalZone? = nil,
        present: Timestamp? = nil
    ) throws -> DailyReflection {
        let then = try withRotation(of: user, at: now, in: zone, present: present) { rotation, _, zone in
            rotation.at(now, in: zone)
        }
        let version = try record(.preferences(of: user))?.appVersion
        let item = try then.item(in: library, for: version)
        let earlier = try RecordQuery<DailyReflection>(of: user, "AND date = ?", [.integer(Int64(then.date.number))])
            .first(in: writer.database)
        if let earlier, earlier.time > now { return earlier }
        var reflection = try DailyReflection(
            userID: user, date: then.date, day: then.day, domain: item.domain, completed: isCompleted,
            text: text ?? earlier?.text ?? "", time: now)
        reflection.extra = earlier?.extra
        try writer.put(reflection)
        return reflection
    }

    /// Stores a notification, or its answer. A record without an answer does not change the stored answer.
    ///
    /// - Returns: The record as it is now stored.
    /// - Throws: `.inputOutput`.
    @discardableResult
    public func put(_ notification: NotificationRecord) throws -> NotificationRecord {
        let adopted = try notification.adopted(by: writer)
        try writer.put(adopted)
        return adopted
    }

    /// The given time zone, else the zone in the person's preferences, else UTC.
    ///
    /// - Throws: `.unknownID` for an unknown zone; `.corruptFile`, `.inputOutput`.
    public func zone(of user: String, _ given: LocalZone? = nil) throws -> LocalZone {
        try given ?? CachedChallenges.zone(of: record(.preferences(of: user)))
    }

    private var library: ContentLibrary { get throws { try writer.derived(CachedContent.self, for: .only).library } }
}
