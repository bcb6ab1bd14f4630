public import KinCore
package import KinJSON

/// The reflection of a person on a day of the rotation.
public struct DailyReflection: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The date of the day; a person has one reflection for each.
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
        guard day >= 1 else { throw .field("day", "it is \(day), and must be 1 or more") }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.date = date
        self.day = day
        self.domain = domain
        self.isCompleted = isCompleted
        self.text = text
        self.time = time
    }
}

extension DailyReflection: JSONRecord {
    package static let recordName = "reflection"

    private static let fields = RecordFields(
        ["user_id", "date", "day", "domain", "completed", "text", "time"],
        required: ["user_id", "date", "day", "domain", "completed", "time"])

    package init(from reader: inout JSONReader) throws(KinError) {
        var (userID, text) = ("", "")
        var date = LocalDay(clamping: 0)
        var day = 0
        var domain = ContentDomain.health
        var isCompleted = false
        var time = Timestamp(unchecked: 0)
        try Self.fields.read(&reader) { reader, field throws(KinError) in
            switch field {
            case 0: userID = try reader.string()
            case 1: date = try reader.parsed { text throws(KinError) in try LocalDay(parsing: text) }
            case 2: day = try reader.integer(in: 1...(1 << 40))
            case 3: domain = try reader.word("domain")
            case 4: isCompleted = try reader.boolean()
            case 5: text = try reader.string()
            default: time = try reader.instant()
            }
        }
        try self.init(
            userID: userID, date: date, day: day, domain: domain, completed: isCompleted, text: text, time: time)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user_id") { $0.string(userID) }
            writer.member("date") { $0.string(date.description) }
            writer.member("day") { $0.integer(day) }
            writer.member("domain") { $0.string(domain.rawValue) }
            writer.member("completed") { $0.boolean(isCompleted) }
            writer.member("text") { $0.string(text) }
            writer.member("time") { $0.string(time.description) }
        }
    }
}
