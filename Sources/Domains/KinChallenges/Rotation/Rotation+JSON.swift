public import KinCore
package import KinJSON

extension Rotation {
    /// Reads a rotation from its JSON object.
    ///
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The rotation as a JSON object, on one line.
    public var json: String { jsonText }
}

extension Rotation: JSONRecord {
    package static let recordName = "rotation"

    private static let fields = RecordFields(
        [
            "user_id", "current_day", "date", "domain_focus", "is_advanced", "days_in_all", "refresh_time",
            "evening_reminder",
        ], required: ["user_id", "current_day", "date"])

    package init(from reader: inout JSONReader) throws(KinError) {
        var userID = ""
        var day = 1
        var daysInAll: Int?
        var date = LocalDay(unchecked: 0)
        var focus: ContentDomain?
        var isAdvanced = false
        var times: [MinuteOfDay?] = [nil, nil]
        do throws(KinError) {
            try Self.fields.read(&reader) { reader, field throws(KinError) in
                switch field {
                case 0: userID = try reader.string()
                case 1: day = try reader.integer(in: 1...(1 << 40))
                case 2: date = try reader.parsed { text throws(KinError) in try LocalDay(parsing: text) }
                case 3: focus = try reader.word("domain")
                case 4: isAdvanced = try reader.boolean()
                case 5: daysInAll = try reader.integer(in: 1...(1 << 40))
                default:
                    times[field - 6] = try reader.parsed { text throws(KinError) in try MinuteOfDay(parsing: text) }
                }
            }
            try self.init(
                userID: userID, day: day, date: date, focus: focus, isAdvanced: isAdvanced, daysInAll: daysInAll ?? day,
                refresh: times[0] ?? MinuteOfDay(unchecked: 6 * 60), reminder: times[1])
        } catch {
            throw userID.isEmpty ? error : error.within(Self.recordName, userID)
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user_id") { $0.string(userID) }
            writer.member("current_day") { $0.integer(day) }
            writer.member("date") { $0.string(date.description) }
            writer.member("domain_focus") { $0.string(focus?.rawValue) }
            writer.member("is_advanced") { $0.boolean(isAdvanced) }
            writer.member("days_in_all") { $0.integer(daysInAll) }
            writer.member("refresh_time") { $0.string(refresh.description) }
            writer.member("evening_reminder") { $0.string(reminder?.description) }
        }
    }
}
