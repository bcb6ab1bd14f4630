/// A sent notification, and whether the person answered it.
public struct NotificationRecord: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The instant when it was sent.
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
    ///   - sent: The instant when it was sent.
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

extension NotificationRecord: DeclaredRecord {
    package static let form = RecordSchema<NotificationRecord>(
        "notification", id: "user_id",
        .required("user_id", \.userID, .id),
        .required("sent", \.sent, .instant),
        .required("local_time", \.time, .timeOfDay),
        .required("weekday", \.weekday, .word("weekday")),
        .optional("answered", \.wasAnswered, .boolean, writesNull: true),
        make: NotificationRecord.init(userID:sent:time:weekday:wasAnswered:))
}
