import GRDB
public import KinChallenges
public import KinCore

extension Store {
    /// Puts a year of daily content in, in the place of the one that is there.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ library: ContentLibrary) throws(KinError) {
        try write("put in the daily content") { transaction in
            for item in library.items { try transaction.put(item) }
        }
    }

    /// The daily content: what was put in or, when there is none, the year that comes with Kin.
    ///
    /// - Throws: `.invalidArgument` when only a part of a year was put in; `.corruptFile`, `.inputOutput`.
    public nonisolated func contentLibrary() throws(KinError) -> ContentLibrary {
        try read("read the daily content") { try Self.library(in: $0) }
    }

    /// The days that are not there of a year of content of which a part was put in; none when there is no content at all.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func missingContentDays() throws(KinError) -> [Int] {
        try read("read the daily content") {
            // The days alone: an import asks this every time, and need not read what they are about.
            let days = try Int.fetchAll($0, sql: "SELECT day FROM content_day")
            return days.isEmpty ? [] : ContentLibrary.missingDays(among: days)
        }
    }

    private static func library(in database: Database) throws -> ContentLibrary {
        let items = try RecordQuery<ContentItem>("ORDER BY day").all(in: database)
        return items.isEmpty ? ContentGenerator().library() : try ContentLibrary(items)
    }

    /// A person's rotation, or nil when they have not begun.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func rotation(of user: String) throws(KinError) -> ContentRotation? {
        try read("read the rotation of \(user)") {
            try ChallengeRecords(database: $0).first(ContentRotation.self, of: user)
        }
    }

    /// Where a person is in the daily content at an instant, past, present or to come. Somebody who has not begun is at day 1.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - instant: The instant.
    ///   - zone: Where the person is; where their preferences say when nil.
    /// - Throws: `.unknownID` for a zone that there is not; `.corruptFile`, `.inputOutput`.
    public nonisolated func rotation(
        of user: String, at instant: Timestamp, in zone: LocalZone? = nil
    ) throws(KinError) -> ContentRotation {
        try read("read the rotation of \(user)") { database in
            try ChallengeRecords(database: database).rotation(of: user, at: instant, in: zone).rotation
        }
    }

    /// The days of content from an instant on; see `ContentRotation.timeline(at:in:library:count:)`.
    ///
    /// - Throws: As ``rotation(of:at:in:)``, and `.invalidArgument` when the content is not whole or has nothing of the focus.
    public nonisolated func timeline(
        of user: String, at instant: Timestamp, in zone: LocalZone? = nil, days: Int = 7
    ) throws(KinError) -> [RotationTimelineEntry] {
        try read("read the daily content of \(user)") { database in
            let (rotation, zone) = try ChallengeRecords(database: database).rotation(of: user, at: instant, in: zone)
            return try rotation.timeline(at: instant, in: zone, library: Self.library(in: database), count: days)
        }
    }

    /// Brings a person's rotation up to an instant, does something with it and keeps it. Somebody who has not begun begins at day 1.
    ///
    /// What a clock that was ahead has written is set right first: see `ContentRotation.correctClock(at:in:)`.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - now: The instant.
    ///   - zone: Where the person is; where their preferences say when nil.
    ///   - present: The present, when `now` is another instant: what was begun before it stays.
    ///   - body: What is done with their rotation.
    /// - Throws: What `body` throws; `.unknownID` for a zone that there is not, or somebody who is not in the store; `.invalidArgument`,
    ///   `.corruptFile`, `.inputOutput`. Nothing is changed then.
    public func withRotation<Result: Sendable>(
        of user: String, at now: Timestamp, in zone: LocalZone? = nil, present: Timestamp? = nil,
        _ body: (inout ContentRotation, ContentLibrary, LocalZone) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try write("go on in the daily content of \(user)") { transaction in
            let library = try Self.library(in: transaction.database)
            return try transaction.withRotation(of: user, at: now, in: zone, present: present) { rotation, zone in
                try body(&rotation, library, zone)
            }
        }
    }

    /// Begins a person's rotation if they have not begun, and sets it right after a clock was ahead.
    ///
    /// - Throws: As ``withRotation(of:at:in:present:_:)``.
    public func keepRotation(
        of user: String, at now: Timestamp, in zone: LocalZone? = nil, present: Timestamp? = nil
    ) throws(KinError) {
        try write("go on in the daily content of \(user)") { transaction in
            try transaction.withRotation(of: user, at: now, in: zone, present: present) { _, _ in }
        }
    }

    /// Keeps what a person says of a day's content, in the place of what they said of that day before.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - isCompleted: Whether they did the day's action.
    ///   - text: What they say.
    ///   - now: An instant of the day that it is about.
    ///   - zone: Where the person is; where their preferences say when nil.
    ///   - present: The present, when `now` is another instant.
    /// - Throws: As ``withRotation(of:at:in:present:_:)``.
    @discardableResult
    public func reflect(
        _ user: String, completed isCompleted: Bool, text: String = "", at now: Timestamp, in zone: LocalZone? = nil,
        present: Timestamp? = nil
    ) throws(KinError) -> DailyReflection {
        try write("keep a reflection of \(user)") { transaction in
            let then = try transaction.withRotation(of: user, at: now, in: zone, present: present) { rotation, zone in
                rotation.at(now, in: zone)
            }
            let item = try then.item(in: Self.library(in: transaction.database))
            let reflection = try DailyReflection(
                userID: user, date: then.date, day: then.day, domain: item.domain, completed: isCompleted, text: text,
                time: now)
            try transaction.put(reflection)
            return reflection
        }
    }

    /// What a person said of the days, the oldest first.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func reflections(of user: String) throws(KinError) -> [DailyReflection] {
        try read("read the reflections of \(user)") {
            try ChallengeRecords(database: $0).all(DailyReflection.self, of: user, "ORDER BY date")
        }
    }

    /// A person's notifications, the oldest first.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func notifications(of user: String) throws(KinError) -> [NotificationRecord] {
        try read("read the notifications of \(user)") {
            try ChallengeRecords(database: $0).all(NotificationRecord.self, of: user, "ORDER BY sent")
        }
    }

    /// Keeps that a person was notified, or whether they answered.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ notification: NotificationRecord) throws(KinError) {
        _ = try write("keep a notification of \(notification.userID)") { try $0.put(notification) }
    }

    /// Where a person is, as their preferences say.
    ///
    /// - Throws: `.unknownID` for a zone that there is not; `.corruptFile`, `.inputOutput`.
    public nonisolated func zone(of user: String) throws(KinError) -> LocalZone {
        try read("read the time zone of \(user)") { try ChallengeRecords(database: $0).zone(of: user) }
    }
}

extension WriteTransaction {
    /// Does something with a person's rotation, brought up to an instant and set right, and keeps it.
    fileprivate func withRotation<Result>(
        of user: String, at now: Timestamp, in zone: LocalZone?, present: Timestamp?,
        _ body: (inout ContentRotation, LocalZone) throws -> Result
    ) throws -> Result {
        try People.require(user, in: database)
        let records = ChallengeRecords(database: database)
        let zone = try zone ?? records.zone(of: user)
        let before = try records.first(ContentRotation.self, of: user)
        var rotation = try before ?? ContentRotation(userID: user, from: zone.day(at: now))
        rotation.correctClock(at: max(now, present ?? now), in: zone)
        rotation.advance(to: now, in: zone)
        let result = try body(&rotation, zone)
        if rotation != before { try put(rotation) }
        return result
    }
}

extension ChallengeRecords {
    /// A person's rotation at an instant, and where they are.
    func rotation(
        of user: String, at instant: Timestamp, in zone: LocalZone?
    ) throws -> (rotation: ContentRotation, zone: LocalZone) {
        let zone = try zone ?? self.zone(of: user)
        let known = try first(ContentRotation.self, of: user)
        return (try (known ?? ContentRotation(userID: user, from: zone.day(at: instant))).at(instant, in: zone), zone)
    }

    func zone(of user: String) throws -> LocalZone {
        try LocalZone(named: first(ChallengePreferences.self, of: user)?.timeZone ?? "UTC")
    }
}
