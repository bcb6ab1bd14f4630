public import KinCore
package import KinJSON

/// What a person says of a day of the rotation.
public struct DailyReflection: Sendable, Hashable {
    /// Whose it is.
    public let userID: String
    /// The date that it is about, of which there is one reflection.
    public let date: LocalDay
    /// The day of the rotation then.
    public let day: Int
    /// What the day's content was about.
    public let domain: ContentDomain
    /// Whether the person did the day's action.
    public let isCompleted: Bool
    /// What they wrote.
    public let text: String
    /// When.
    public let time: Timestamp

    /// A reflection.
    ///
    /// - Throws: `.invalidArgument` naming the field, for a user id that is none (`RecordID`) or a day below 1.
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
