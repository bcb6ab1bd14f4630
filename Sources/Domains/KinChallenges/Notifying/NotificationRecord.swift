public import KinCore
package import KinJSON

/// A sent notification, and whether the person answered it.
public struct NotificationRecord: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The instant at which it was sent.
    public let sent: Timestamp
    /// The time of day in the person's zone at that instant.
    public let time: TimeOfDay
    /// The day of the week in the person's zone at that instant.
    public let weekday: Weekday
    /// Whether the person answered; nil while unknown.
    public var wasAnswered: Bool?

    /// Creates a record of a sent notification.
    ///
    /// - Parameters:
    ///   - userID: The id of the person.
    ///   - sent: The instant at which it was sent.
    ///   - zone: The time zone of the person.
    ///   - wasAnswered: Whether the person answered; nil while unknown.
    /// - Throws: `.invalidArgument` for an invalid user id (`RecordID`).
    public init(userID: String, sent: Timestamp, in zone: LocalZone, wasAnswered: Bool? = nil) throws(KinError) {
        try self.init(
            userID: userID, sent: sent, time: zone.timeOfDay(at: sent), weekday: zone.day(at: sent).weekday,
            wasAnswered: wasAnswered)
    }

    init(
        userID: String, sent: Timestamp, time: TimeOfDay, weekday: Weekday, wasAnswered: Bool?
    ) throws(KinError) {
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.sent = sent
        self.time = time
        self.weekday = weekday
        self.wasAnswered = wasAnswered
    }
}

extension NotificationRecord: JSONRecord {
    package static let recordName = "notification"

    private static let fields = RecordFields(
        ["user_id", "sent", "local_time", "weekday", "answered"],
        required: ["user_id", "sent", "local_time", "weekday"])
    private static let weekdays = JSONKeys(Weekday.names)

    package init(from reader: inout JSONReader) throws(KinError) {
        var userID = ""
        var sent = Timestamp(unchecked: 0)
        var time = TimeOfDay(minute: 0)
        var weekday = Weekday.monday
        var wasAnswered: Bool?
        try Self.fields.read(&reader) { reader, field throws(KinError) in
            switch field {
            case 0: userID = try reader.string()
            case 1: sent = try reader.instant()
            case 2: time = try reader.parsed { text throws(KinError) in try TimeOfDay(parsing: text) }
            case 3: weekday = Weekday.allCases[try reader.choice(of: Self.weekdays, "weekday")]
            default: wasAnswered = try reader.boolean()
            }
        }
        try self.init(userID: userID, sent: sent, time: time, weekday: weekday, wasAnswered: wasAnswered)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user_id") { $0.string(userID) }
            writer.member("sent") { $0.string(sent.description) }
            writer.member("local_time") { $0.string(time.description) }
            writer.member("weekday") { $0.string(weekday.name) }
            writer.member("answered") { writer in
                if let wasAnswered { writer.boolean(wasAnswered) } else { writer.null() }
            }
        }
    }
}
