/// The reflection of a person on a day of the rotation.
public struct DailyReflection: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The date of the day; a person has one reflection per date.
    public let date: LocalDay
    /// The day of the rotation, 1 or more.
    public let day: Int
    /// The domain of the day's content.
    public let domain: ContentDomain
    /// Whether the day's action was completed.
    public let isCompleted: Bool
    /// The text of the reflection; may be empty.
    public let text: String
    /// The instant of the reflection.
    public let time: Timestamp

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates a reflection, and checks it.
    ///
    /// - Parameters:
    ///   - userID: The id of the person.
    ///   - date: The date of the day.
    ///   - day: The day of the rotation, 1 or more.
    ///   - domain: The domain of the day's content.
    ///   - isCompleted: Whether the day's action was completed.
    ///   - text: The text.
    ///   - time: The instant of the reflection.
    /// - Throws: `.invalidArgument` naming the field.
    public init(
        userID: String, date: LocalDay, day: Int, domain: ContentDomain, completed isCompleted: Bool, text: String = "",
        time: Timestamp
    ) throws(KinError) {
        guard day >= 1 else { throw .field("day", "must be 1 or more, not \(day)") }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.date = date
        self.day = day
        self.domain = domain
        self.isCompleted = isCompleted
        self.text = text
        self.time = time
    }
}

extension DailyReflection: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<DailyReflection>(
        "reflection", id: "user_id", extra: .stored,
        .required("user_id", \.userID, .id),
        .required("date", \.date, .date),
        .required("day", \.day, .ordinal),
        .required("domain", \.domain, .word("domain")),
        .required("completed", \.isCompleted, .boolean),
        .standard("text", \.text, .text, default: ""),
        .required("time", \.time, .instant),
        make: DailyReflection.init(userID:date:day:domain:completed:text:time:))
}
