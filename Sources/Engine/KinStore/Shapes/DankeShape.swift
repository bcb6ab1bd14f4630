import KinChallenges
import KinCore
import KinJSON

/// The records of Danke!'s document: `DailyContent`, `UserPreferences`, `DailyReflection`.
enum DankeShape {
    static let records = [day, preferences, reflection]

    private static let day = ShapedRecord(
        name: "day", kind: "content_day", marks: [["quote", "actionDuration"]],
        fields: [
            ShapeField("id", "id"), ShapeField("quote", "quote"), ShapeField("quoteSource", "source"),
            ShapeField("action", "action"), ShapeField("actionDuration", "duration", minutes),
            ShapeField("domain", "domain"), ShapeField("difficulty", "difficulty"),
        ])

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
        prepare: { record in
            if record[path: ["eveningReminderEnabled"]] != .boolean(true) {
                record[path: ["eveningReminderTime"]] = nil
            }
        },
        restore: { record, ours in
            let reminder = ours[path: ["evening_reminder"]]
            record[path: ["eveningReminderEnabled"]] = .boolean(reminder != nil && reminder != .null)
        },
        complete: { ours, _, lookup in
            guard case .text(let user)? = ours[path: ["user_id"]] else { return }
            ours[path: ["date"]] = .text(try lookup.zone(of: user).day(at: lookup.now).description)
        },
        assumption: """
            currentDay is the day of today; the times of day are in the time zone of the person's preferences, and in UTC if these are not stored yet
            """)

    private static let reflection = ShapedRecord(
        name: "reflection", kind: "reflection", marks: [["dayNumber", "completed"]],
        fields: [
            ShapeField("dayNumber", "day"), ShapeField("completed", "completed"), ShapeField("reflectionText", "text"),
            ShapeField("timestamp", "time", .instant),
        ], ids: [.user],
        complete: { ours, _, lookup in
            guard case .text(let user)? = ours[path: ["user_id"]], case .text(let text)? = ours[path: ["time"]],
                let day = ours[path: ["day"]]?.double.flatMap({ Int(exactly: $0) }), day > 0
            else { return }
            let (zone, time) = (try lookup.zone(of: user), try Timestamp(parsing: text))
            ours[path: ["date"]] = .text(zone.day(at: time).description)
            ours[path: ["domain"]] = .text(try lookup.domain(ofDay: day, for: user, at: time, in: zone))
        }, assumption: "a reflection has the date of its timestamp, in the person's time zone")
}
