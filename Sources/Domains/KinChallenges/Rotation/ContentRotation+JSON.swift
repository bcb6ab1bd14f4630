extension ContentRotation: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<ContentRotation>(
        "rotation", id: "user_id", extra: .stored,
        .required("user_id", \.userID, .id),
        .required("current_day", \.day, .ordinal),
        .required("date", \.date, .date),
        .optional("domain_focus", \.focus, .word("domain"), writesNull: true),
        .standard("is_advanced", \.isAdvanced, .boolean, default: false),
        .optional("days_in_all", { @Sendable in $0.daysInAll }, .ordinal),
        .optional("refresh_time", { @Sendable in $0.refresh }, .timeOfDay),
        .optional("evening_reminder", \.reminder, .timeOfDay, writesNull: true),
        .optional("reached", \.reached, .instant, writesNull: true),
        .standard("segments", \.segments, .list(of: JSONForm(segment)), default: [])
    ) { user, day, date, focus, isAdvanced, daysInAll, refresh, reminder, reached, segments throws(KinError) in
        var segments = segments
        if segments.isEmpty {
            segments = try Self.segments(
                date: date, day: day, daysInAll: daysInAll ?? day, focus: focus, isAdvanced: isAdvanced)
        }
        return try ContentRotation(
            userID: user, date: date, reached: reached, segments: segments, refresh: refresh, reminder: reminder)
    }

    private static let segment = RecordSchema<Segment>(
        "segment",
        .required("from", \.from, .date),
        .optional("domain_focus", \.focus, .word("domain"), writesNull: true),
        .standard("is_advanced", \.isAdvanced, .boolean, default: false),
        .optional("first_day", { @Sendable in $0.firstDay == 1 ? nil : $0.firstDay }, .ordinal)
    ) { from, focus, isAdvanced, firstDay in
        Segment(from: from, focus: focus, isAdvanced: isAdvanced, firstDay: firstDay ?? 1)
    }

    /// Reads a rotation from its JSON object.
    ///
    /// - Parameter json: One object; `user_id`, `current_day` and `date` are required.
    /// - Throws: `.malformedInput` or `.invalidArgument`, naming the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The rotation as a JSON object, on one line.
    public var json: String { jsonText }

    /// The segments of a rotation whose JSON has none, such as those of release 0.1.0 and of other apps: the days
    /// before the present segment become one segment with the same focus.
    private static func segments(
        date: LocalDay, day: Int, daysInAll: Int, focus: ContentDomain?, isAdvanced: Bool
    ) throws(KinError) -> [Segment] {
        let most = date.number - LocalDay.range.lowerBound + 1
        guard day <= most else {
            throw .field("current_day", "must be at most \(most), the days until \(date), not \(day)")
        }
        guard (day...most).contains(daysInAll) else {
            throw .field("days_in_all", "must be from the current day, \(day), to \(most), not \(daysInAll)")
        }
        let (first, present) = (date.advanced(by: 1 - daysInAll), date.advanced(by: 1 - day))
        let last = Segment(from: present, focus: focus, isAdvanced: isAdvanced)
        return first < present ? [Segment(from: first, focus: focus, isAdvanced: false), last] : [last]
    }
}
