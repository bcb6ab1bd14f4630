// Daily content, reflections and notifications.

extension Engine {
    /// The days of content from the day of an instant.
    ///
    /// - Throws: `.unknownID` for an unknown time zone; `.invalidArgument` if the content has none for the focus, or unless
    ///   there are 0 to 1,000 days.
    public func timeline(
        of user: String, days: Int = 7, at instant: Timestamp? = nil, in zone: LocalZone? = nil
    ) throws(KinError) -> [RotationTimelineEntry] {
        try store.timeline(of: user, at: self.instant(instant), in: zone, days: days)
    }

    /// The rotation of a person at an instant.
    ///
    /// - Throws: `.unknownID` for an unknown time zone; `.corruptFile`, `.inputOutput`.
    public func rotation(of user: String, at instant: Timestamp? = nil, in zone: LocalZone? = nil) throws(KinError)
        -> ContentRotation
    {
        try store.rotation(of: user, at: self.instant(instant), in: zone)
    }

    /// Changes the rotation of a person from an instant on, until the next change if there is a later one.
    ///
    /// - Returns: The rotation after the change, at the instant.
    /// - Throws: `.unknownID` for a person without records; `.invalidArgument` if the content has none for the focus.
    @discardableResult
    public func rotate(
        _ user: String, _ change: RotationChange, at instant: Timestamp? = nil, in zone: LocalZone? = nil
    ) async throws(KinError) -> ContentRotation {
        guard !change.isEmpty else { return try rotation(of: user, at: instant, in: zone) }
        let (at, present) = (try self.instant(instant), try now())
        return try await store.transaction("change the daily content of \(user)") { transaction in
            try transaction.rotate(user, change, at: at, in: zone, present: present)
        }
    }

    /// Stores a person's reflection on a day's content; it replaces an earlier reflection on that day. Without a text, the
    /// earlier text stays. A reflection on that day with a later instant stays, and is returned.
    ///
    /// - Throws: `.unknownID` for a person without records; `.invalidArgument`; `.inputOutput`.
    @discardableResult
    public func reflect(
        _ user: String, _ text: String? = nil, completed isCompleted: Bool = true, at instant: Timestamp? = nil,
        in zone: LocalZone? = nil
    ) async throws(KinError) -> DailyReflection {
        let (at, present) = (try self.instant(instant), try now())
        return try await store.transaction("keep a reflection of \(user)") { transaction in
            try transaction.reflect(user, completed: isCompleted, text: text, at: at, in: zone, present: present)
        }
    }

    /// The reflections of a person, newest first.
    ///
    /// - Parameters:
    ///   - user: The person's id. The list of an unknown person is empty.
    ///   - first: The first date; nil for any.
    ///   - last: The last date; nil for any.
    ///   - count: The largest number of reflections, 0 or more.
    /// - Throws: `.invalidArgument` for the count; `.corruptFile`, `.inputOutput`.
    public func reflections(
        of user: String, from first: LocalDay? = nil, to last: LocalDay? = nil, count: Int = 50
    ) throws(KinError) -> [DailyReflection] {
        try KinError.requireCount(count, "count")
        return try store.reflections(of: user, from: first, to: last, limit: count)
    }

    /// The statistics of a person's reflections and challenges.
    ///
    /// - Throws: `.unknownID` for an unknown time zone; `.corruptFile`, `.inputOutput`.
    public func progress(of user: String, at instant: Timestamp? = nil, in zone: LocalZone? = nil) throws(KinError)
        -> PersonProgress
    {
        let zone = try self.zone(of: user, zone)
        let now = try self.instant(instant)
        // After travelling west, the day stays on the later date.
        let today = max(zone.day(at: now), try store.rotation(of: user, at: now, in: zone).date)
        let history = try store.challengeHistory(of: user)
        var counts: [UserChallenge.Status: Int] = [:]
        for challenge in history { counts[challenge.status, default: 0] += 1 }
        let completed = history.filter { $0.status == .completed }.map { $0.date(in: zone) }
        return PersonProgress(
            content: RotationStatistics(try store.reflections(of: user), today: today), challenges: counts,
            challengeStreaks: DateStreaks(completed, today: today))
    }

    /// Plans the next notification of a person, or gives the reason for none.
    ///
    /// - Parameters:
    ///   - user: The id of the person.
    ///   - phase: The rule that chooses the minute.
    ///   - seed: The seed of all draws.
    ///   - prior: A population's answer times, as ``notificationPrior(of:from:)`` returns them.
    ///   - instant: The notification is later than this instant; nil for now.
    ///   - zone: The time zone; nil for the zone in the person's preferences, else UTC.
    /// - Throws: `.unknownID` for an unknown time zone; `.corruptFile`, `.inputOutput`.
    public func nextNotification(
        for user: String, phase: NotificationPlanner.Phase = .learned, seed: UInt64 = 1,
        prior: NotificationPrior = .uniform, at instant: Timestamp? = nil, in zone: LocalZone? = nil
    ) throws(KinError) -> NotificationPlanner.Outcome {
        try NotificationPlanner(phase: phase, prior: prior, seed: seed).next(
            for: user, after: self.instant(instant), in: self.zone(of: user, zone),
            rules: NotificationRules(preferences(of: user)), past: store.notifications(of: user))
    }

    /// The expected numbers of people by the best time and the shape of their answers to notifications, from the answers
    /// in the store.
    ///
    /// - Parameters:
    ///   - user: The only person to count, given `prior`; nil to count up to 1,000 people.
    ///   - prior: The knowledge to begin with.
    /// - Throws: `.corruptFile`, `.inputOutput`; `.cancelled`.
    /// - Complexity: About 1 ms for one person, about 10 ms per person for all.
    public func notificationPrior(
        of user: String? = nil, from prior: NotificationPrior = .uniform
    ) throws(KinError) -> NotificationPrior {
        if let user { return prior.counting(try store.notifications(of: user)) }
        return try NotificationPrior.learned(from: store.notificationsOfPeople(), from: prior)
    }

    /// Stores that a notification was sent, or answered.
    ///
    /// - Parameters:
    ///   - user: The id of the person.
    ///   - sent: The instant when it was sent, at most an hour after `instant`: clocks differ.
    ///   - answered: Whether it was answered; nil if unknown, which does not change a stored answer.
    ///   - instant: The instant of the call; nil for now.
    ///   - zone: The person's time zone; nil for the zone in their preferences, else UTC.
    /// - Returns: The notification as it is now stored.
    /// - Throws: `.invalidArgument` for a notification of the future; `.unknownID` for a person without records and for
    ///   an unknown time zone; `.inputOutput`.
    @discardableResult
    public func notified(
        _ user: String, sent: Timestamp, answered: Bool? = nil, at instant: Timestamp? = nil, in zone: LocalZone? = nil
    ) async throws(KinError) -> NotificationRecord {
        let now = try self.instant(instant)
        try sent.requirePassed("sent", by: now, "the instant of the call (at)")
        return try await store.transaction("keep a notification of \(user)") { transaction in
            try transaction.requireKnown(user)
            return try transaction.put(
                NotificationRecord(
                    userID: user, sent: sent, in: transaction.zone(of: user, zone), wasAnswered: answered))
        }
    }
}

extension Timestamp {
    /// Checks that the instant has passed (``hasPassed(by:)``).
    ///
    /// - Throws: `.invalidArgument` with the name of the field and of the present.
    func requirePassed(_ field: String, by present: Timestamp, _ name: String) throws(KinError) {
        guard !hasPassed(by: present) else { return }
        throw .field(field, "must be at most an hour after \(name), \(present), not \(self)")
    }
}

extension StoreTransaction {
    /// Changes the rotation of a person from an instant on and returns it.
    ///
    /// - Throws: As ``withRotation(of:at:in:present:_:)``; `.invalidArgument` if the content has none for the focus.
    @discardableResult
    func rotate(
        _ user: String, _ change: RotationChange, at instant: Timestamp, in zone: LocalZone?, present: Timestamp
    ) throws -> ContentRotation {
        try withRotation(of: user, at: instant, in: zone, present: present) { rotation, library, zone in
            let day = try rotation.change(at: instant, in: zone) { rotation throws(KinError) in
                if let focus = change.focus { try rotation.setFocus(focus, in: library) }
                if change.startsAdvancedYear { try rotation.startAdvancedYear(in: library) }
                if let day = change.day { try rotation.setDay(day) }
            }
            if let refresh = change.refresh { rotation.refresh = refresh }
            if let reminder = change.reminder { rotation.reminder = reminder }
            return rotation.on(day)
        }
    }
}

/// The changes of a rotation; fields that are nil do not change.
public struct RotationChange: Sendable {
    /// The new focus; an inner nil for all domains.
    public var focus: ContentDomain??
    /// The new time of day when the content changes.
    public var refresh: TimeOfDay?
    /// The new reminder; an inner nil for none.
    public var reminder: TimeOfDay??
    /// Whether to begin the advanced year.
    public var startsAdvancedYear = false
    /// The new number of the day of the instant, after the other changes.
    public var day: Int?

    /// Creates a change without effect.
    public init() {}

    /// Whether no field changes anything.
    public var isEmpty: Bool { focus == nil && refresh == nil && reminder == nil && !startsAdvancedYear && day == nil }
}

extension RotationChange {
    /// The fields of a person's preferences that concern daily content.
    static let fields = ["current_day", "domain_focus", "refresh_time", "evening_reminder"]

    /// Whether a field of preferences, in snake or camel case, concerns daily content.
    static func isField(_ name: String) -> Bool { field(name) != nil }

    private static func field(_ name: String) -> Int? {
        fields.firstIndex { ChallengePreferences.isSameField($0, name) }
    }

    /// Reads the change among some fields of preferences, with values in JSON.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming the field.
    init(among fields: [(name: String, value: String)]) throws(KinError) {
        for (name, value) in fields {
            guard let field = Self.field(name) else { continue }
            do throws(KinError) {
                try JSONReader.read(value) { reader throws(KinError) in try read(field, from: &reader) }
            } catch {
                throw error.without(["line", "column"]).inField(name)
            }
        }
    }

    private mutating func read(_ field: Int, from reader: inout JSONReader) throws(KinError) {
        switch field {
        case 0: day = try reader.integer(in: 1...ContentRotation.mostDays)
        case 1:
            let name = try reader.optionalString() ?? "none"
            focus = .some(try ContentDomain.named(Spelling.plain(name) == "all" ? "none" : name))
        case 2: refresh = try TimeOfDay(parsing: reader.string())
        default:
            let text = try reader.optionalString() ?? "none"
            reminder = .some(text == "none" ? nil : try TimeOfDay(parsing: text))
        }
    }
}

/// The progress of a person in daily content and challenges.
public struct PersonProgress: Sendable {
    /// The statistics of reflections.
    public let content: RotationStatistics
    /// The number of challenges by status.
    public let challenges: [UserChallenge.Status: Int]
    /// The runs of consecutive dates whose challenge was completed, on the date or later.
    public let challengeStreaks: DateStreaks
}
