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

    /// Where a person is in the daily content, or nil when they have not begun.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func rotation(of user: String) throws(KinError) -> Rotation? {
        try read("read the rotation of \(user)") { try ChallengeRecords(database: $0).first(Rotation.self, of: user) }
    }

    /// Brings a person's rotation up to an instant, does something with it and keeps it. Somebody new begins at day 1.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - now: The instant.
    ///   - zone: Where the person is; where their preferences say when nil.
    ///   - body: What is done with their rotation.
    /// - Throws: What `body` throws; `.unknownID` for a zone that there is not; `.invalidArgument`, `.corruptFile`, `.inputOutput`. Nothing is
    ///   changed then.
    public func withRotation<Result: Sendable>(
        of user: String, at now: Timestamp, in zone: LocalZone? = nil,
        _ body: (inout Rotation, ContentLibrary, LocalZone) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try write("go on in the daily content of \(user)") { transaction in
            let records = ChallengeRecords(database: transaction.database)
            let zone = try zone ?? records.zone(of: user)
            let before = try records.first(Rotation.self, of: user)
            var rotation = try before ?? Rotation(userID: user, from: zone.day(at: now))
            rotation.advance(to: now, in: zone)
            let result = try body(&rotation, Self.library(in: transaction.database), zone)
            if rotation != before { try transaction.put(rotation) }
            return result
        }
    }

    /// Keeps what a person says of today's content, in the place of what they said before.
    ///
    /// - Throws: As ``withRotation(of:at:in:_:)``.
    @discardableResult
    public func reflect(
        _ user: String, completed isCompleted: Bool, text: String = "", at now: Timestamp, in zone: LocalZone? = nil
    ) throws(KinError) -> Reflection {
        let today = try withRotation(of: user, at: now, in: zone) { rotation, library, _ throws(KinError) in
            let item = try rotation.item(in: library)
            return try Reflection(
                userID: user, date: rotation.date, day: rotation.day, domain: item.domain, completed: isCompleted,
                text: text,
                time: now)
        }
        _ = try write("keep a reflection of \(user)") { try $0.put(today) }
        return today
    }

    /// What a person said of the days, the oldest first.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func reflections(of user: String) throws(KinError) -> [Reflection] {
        try read("read the reflections of \(user)") {
            try ChallengeRecords(database: $0).all(Reflection.self, of: user, "ORDER BY date")
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

extension ChallengeRecords {
    func zone(of user: String) throws -> LocalZone {
        try LocalZone(named: first(ChallengePreferences.self, of: user)?.timeZone ?? "UTC")
    }
}
