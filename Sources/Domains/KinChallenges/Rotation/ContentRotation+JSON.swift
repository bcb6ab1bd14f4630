public import KinCore
package import KinJSON

extension ContentRotation {
    /// Reads a rotation from its JSON object.
    ///
    /// - Parameter json: One object; `user_id`, `current_day` and `date` are required.
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The rotation as a JSON object, on one line.
    public var json: String { jsonText }
}

extension ContentRotation: JSONRecord {
    package static let recordName = "rotation"

    private static let fields = RecordFields(
        [
            "user_id", "current_day", "date", "domain_focus", "is_advanced", "days_in_all", "refresh_time",
            "evening_reminder", "reached", "segments",
        ], required: ["user_id", "current_day", "date"])
    private static let segmentFields = RecordFields(
        ["from", "domain_focus", "is_advanced"], required: ["from"])

    package init(from reader: inout JSONReader) throws(KinError) {
        var userID = ""
        var day = 1
        var daysInAll: Int?
        var date = LocalDay(clamping: 0)
        var focus: ContentDomain?
        var isAdvanced = false
        var times: [TimeOfDay?] = [nil, nil]
        var reached: Timestamp?
        var segments: [Segment] = []
        do throws(KinError) {
            try Self.fields.read(&reader) { reader, field throws(KinError) in
                switch field {
                case 0: userID = try reader.string()
                case 1: day = try reader.integer(in: 1...(1 << 40))
                case 2: date = try reader.parsed { text throws(KinError) in try LocalDay(parsing: text) }
                case 3: focus = try reader.word("domain")
                case 4: isAdvanced = try reader.boolean()
                case 5: daysInAll = try reader.integer(in: 1...(1 << 40))
                case 8: reached = try reader.instant()
                case 9: segments = try reader.list { reader throws(KinError) in try Self.segment(&reader) }
                default:
                    times[field - 6] = try reader.parsed { text throws(KinError) in try TimeOfDay(parsing: text) }
                }
            }
            if segments.isEmpty {
                segments = try Self.segments(
                    date: date, day: day, daysInAll: daysInAll ?? day, focus: focus, isAdvanced: isAdvanced)
            }
            try self.init(
                userID: userID, date: date, reached: reached, segments: segments, refresh: times[0], reminder: times[1])
        } catch {
            throw userID.isEmpty ? error : error.inRecord(Self.recordName, userID)
        }
    }

    private static func segment(_ reader: inout JSONReader) throws(KinError) -> Segment {
        var from = LocalDay(clamping: 0)
        var focus: ContentDomain?
        var isAdvanced = false
        try segmentFields.read(&reader) { reader, field throws(KinError) in
            switch field {
            case 0: from = try reader.parsed { text throws(KinError) in try LocalDay(parsing: text) }
            case 1: focus = try reader.word("domain")
            default: isAdvanced = try reader.boolean()
            }
        }
        return Segment(from: from, focus: focus, isAdvanced: isAdvanced)
    }

    /// The segments of a rotation without them in its JSON, as of release 0.1.0 and of other apps: the days before the present segment become
    /// one segment of the same focus.
    private static func segments(
        date: LocalDay, day: Int, daysInAll: Int, focus: ContentDomain?, isAdvanced: Bool
    ) throws(KinError) -> [Segment] {
        let most = date.number - LocalDay.range.lowerBound + 1
        guard day <= most else { throw .field("current_day", "it is \(day), more days than there were until \(date)") }
        guard (day...most).contains(daysInAll) else {
            throw .field(
                "days_in_all", "it is \(daysInAll), and must be from the current day, \(day), to \(most)")
        }
        let (first, present) = (date.advanced(by: 1 - daysInAll), date.advanced(by: 1 - day))
        let last = Segment(from: present, focus: focus, isAdvanced: isAdvanced)
        return first < present ? [Segment(from: first, focus: focus, isAdvanced: false), last] : [last]
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
            writer.member("reached") { $0.string(reached?.description) }
            writer.member("segments") { writer in
                writer.array(segments) { segment, writer in
                    writer.object { writer in
                        writer.member("from") { $0.string(segment.from.description) }
                        writer.member("domain_focus") { $0.string(segment.focus?.rawValue) }
                        writer.member("is_advanced") { $0.boolean(segment.isAdvanced) }
                    }
                }
            }
        }
    }
}
