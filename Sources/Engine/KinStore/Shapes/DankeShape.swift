/// The records of Danke!'s document: `DailyContent`, `UserPreferences`, `DailyReflection`.
enum DankeShape {
    static let records = [day, preferences, reflection]

    private static let day = ShapedRecord(
        name: "day", kind: "content_day", marks: [["quote", "actionDuration"]],
        fields: [
            ShapeField("id", "id"), ShapeField("quote", "quote"), ShapeField("quoteSource", "source"),
            ShapeField("action", "action"), ShapeField("actionDuration", "duration", minutes),
            ShapeField("domain", "domain"), ShapeField("difficulty", "difficulty"),
        ], kept: ["minimum_app_version"])

    /// A duration, which the app writes as text.
    private static let minutes = ShapeConversion(
        description: "a text such as 15 min to minutes",
        read: { value, _ throws(KinError) in
            guard case .text = value else { return value }
            return .number(try JSONReader.read(value.jsonText) { reader throws(KinError) in try reader.minutes() })
        }, write: { value, _ in .text("\(value.jsonText) min") })

    private static let preferences = ShapedRecord(
        name: "preferences", kind: "rotation",
        marks: [
            ["currentDay", "widgetRefreshTime"], ["currentDay", "domainFocus"], ["currentDay", "eveningReminderTime"],
        ],
        fields: [
            ShapeField("currentDay", "current_day"), ShapeField("domainFocus", "domain_focus"),
            ShapeField("widgetRefreshTime", "refresh_time", .timeOfDay),
            ShapeField("eveningReminderTime", "evening_reminder", .timeOfDay, .mayNotCount),
        ], others: ["eveningReminderEnabled"], ids: [.user],
        prepare: { record throws(KinError) in
            let enabled = record[path: ["eveningReminderEnabled"]] ?? .null
            guard let isEnabled = enabled == .null ? false : enabled.truth else {
                throw .field("eveningReminderEnabled", "must be true or false", .malformedInput)
            }
            let time = record[path: ["eveningReminderTime"]] ?? .null
            record[path: ["eveningReminderTime"]] = !isEnabled ? nil : time == .null ? .text("20:00") : time
        },
        restore: { record, ours, context in
            if let now = context.now, let rotation = try? ContentRotation(json: ours.jsonText) {
                record[path: ["currentDay"]] = .number("\(rotation.at(now, in: context.zone).day)")
            }
            let reminder = ours[path: ["evening_reminder"]]
            record[path: ["eveningReminderEnabled"]] = .boolean(reminder != nil && reminder != .null)
        },
        complete: continueRotation,
        assumption: """
            currentDay is the day of today; the times of day are in the time zone of the person's preferences, and in UTC if these are not stored yet
            """)

    /// Sets the date of the day or, in a stored rotation, the day and the focus; its earlier days stay. The day lasts until
    /// the next refresh.
    private static let continueRotation: @Sendable (inout JSONTree, JSONTree, ShapeLookup) throws -> Void = {
        ours, _, lookup in
        guard case .text(let user)? = ours[path: ["user_id"]] else { return }
        let (zone, now) = (try lookup.zone(of: user), lookup.now)
        ours[path: ["date"]] = .text(zone.day(at: now).description)
        // An invalid document is left to Kin's reader.
        guard let document = try? ContentRotation(json: ours.jsonText) else { return }
        let shown = document.date(at: now, in: zone)
        guard var rotation = try lookup.rotation(of: user) else {
            ours[path: ["date"]] = .text(shown.description)
            ours[path: ["reached"]] = .text(now.description)
            return
        }
        rotation.correctClock(at: now, in: zone)
        if rotation.refresh != document.refresh || rotation.reached == nil, rotation.date > shown,
            try !lookup.hasReflection(of: user, from: shown)
        {
            rotation.goBack(to: shown)
        }
        rotation.refresh = document.refresh
        rotation.advance(to: now, in: zone)
        _ = try rotation.change(at: now, in: zone) { $0.set(day: document.day, focus: document.focus) }
        let changed = try JSONTree(parsing: rotation.json)
        for name in ["current_day", "date", "is_advanced", "days_in_all", "reached", "segments"] {
            ours[path: [name]] = changed[path: [name]]
        }
    }

    private static let reflection = ShapedRecord(
        name: "reflection", kind: "reflection", marks: [["dayNumber", "completed"], ["day_number", "completed"]],
        fields: [
            ShapeField("dayNumber", "day"), ShapeField("completed", "completed", .boolean),
            ShapeField("reflectionText", "text"),
            ShapeField("timestamp", "time", .instant),
            // The columns of the table in a database.
            ShapeField("day_number", "day", .same, .alias), ShapeField("reflection_text", "text", .same, .alias),
            ShapeField("created_at", "time", .instant, .alias),
        ], others: ["id"], ids: [.user],
        complete: { ours, _, lookup in
            guard case .text(let user)? = ours[path: ["user_id"]], case .text(let text)? = ours[path: ["time"]],
                let day = ours[path: ["day"]]?.double.flatMap({ Int(exactly: $0) }), day > 0
            else { return }
            let (date, domain) = try lookup.place(ofDay: day, for: user, at: Timestamp(parsing: text))
            ours[path: ["date"]] = .text(date.description)
            ours[path: ["domain"]] = .text(domain)
        },
        assumption: """
            a reflection belongs to the last date of its day in the person's rotation or, without such a date in the last week, to the date of its timestamp
            """)
}
