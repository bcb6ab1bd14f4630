/// The records of Out of Box's document: `Challenge`, `UserChallenge`, `UserPreferences`, and its CloudKit records.
enum OutOfBoxShape {
    static let records = [userChallenge, sync, preferences, challenge]

    private static let challenge = ShapedRecord(
        name: "challenge", kind: "challenge", marks: [["timeInvestment", "title"]],
        fields: [
            ShapeField("title", "title"), ShapeField("description", "description"), ShapeField("category", "category"),
            ShapeField("timeInvestment", "time_investment", time),
            ShapeField("socialRequirement", "social_requirement", social), ShapeField("costLevel", "cost_level", cost),
            ShapeField(
                "difficultyLevel", "difficulty_level", .level(DifficultyLevel.allCases.map(\.rawValue), from: 1, to: 5)),
            ShapeField("tags", "tags"), ShapeField("isActive", "is_active", .boolean),
            ShapeField("createdAt", "created_at", .instant), ShapeField("updatedAt", "updated_at", .instant),
            ShapeField("minAppVersion", "minimum_app_version"),
        ], others: ["contentHash"],
        ids: [ShapeID(ours: ["id"], names: ["challengeID", "challengeId", "id"], option: "id")],
        assumption:
            "numbers of levels count in the order of Kin's words, times below 5 are rough lengths, others minutes")

    private static let userChallenge = ShapedRecord(
        name: "user challenge", kind: "user_challenge",
        marks: [["challenge", "assignedDate"], ["challengeID", "assignedDate"], ["challengeId", "assignedDate"]],
        fields: [
            ShapeField("challenge", "challenge_id", challengeID),
            ShapeField("challengeID", "challenge_id", .same, .alias),
            ShapeField("challengeId", "challenge_id", .same, .alias), ShapeField("status", "status"),
            ShapeField("assignedDate", "assigned_date", .instant),
            ShapeField("completedDate", "completed_date", .instant, .mayNotCount),
            ShapeField("userRating", "rating", .same, .mayNotCount),
            ShapeField(
                "completionTime", "completion_time", .scaled("seconds to minutes", by: 1 / 60.0), .mayNotCount),
        ], others: ["id", "photoPath"], ids: [.user], part: ("challenge", "challenge"),
        prepare: { record in
            if case .text(let status)? = record[path: ["status"]], Spelling.plain(status) == "completed" { return }
            for name in ["completedDate", "userRating", "completionTime"] { record[path: [name]] = nil }
        }, complete: completeAssignment,
        assumption: """
            an assignment completed at an unknown time was completed when it was assigned; outcomes of assignments with a different status do not count
            """)

    /// Sets the missing time of a completion, and gives an assignment whose time the app has rounded the stored time.
    private static let completeAssignment: @Sendable (inout JSONTree, JSONTree, ShapeLookup) throws -> Void = {
        ours, _, lookup in
        guard case .text(let user)? = ours[path: ["user_id"]], case .text(let id)? = ours[path: ["challenge_id"]],
            case .text(let text)? = ours[path: ["assigned_date"]]
        else { return }
        let reported = try Timestamp(parsing: text)
        let assigned = try lookup.assignment(of: id, to: user, at: reported)
        ours[path: ["assigned_date"]] = .text(assigned.description)
        guard case .text(let status)? = ours[path: ["status"]], Spelling.plain(status) == "completed" else { return }
        var completed = assigned
        if case .text(let text)? = ours[path: ["completed_date"]] {
            completed = try Timestamp(parsing: text)
            if completed >= reported { completed = max(completed, assigned) }
        }
        ours[path: ["completed_date"]] = .text(completed.description)
    }

    private static let preferences = ShapedRecord(
        name: "preferences", kind: "challenge_preferences",
        marks: [
            ["timeWindow", "maxTimeInvestment"], ["timeWindow", "preferredCategories"],
            ["socialComfortLevel", "budgetLevel"],
        ],
        fields: [
            ShapeField("timeWindow", "time_window", window),
            ShapeField("preferredCategories", "preferred_categories", .list),
            ShapeField("maxTimeInvestment", "max_time", time), ShapeField("budgetLevel", "budget_level", cost),
            ShapeField("socialComfortLevel", "social_comfort", social),
            ShapeField("notificationsEnabled", "notifications", .boolean),
            ShapeField("timeZone", "time_zone", .same, .alias),
        ], others: ["id", "lastPersonalizationUpdate"], ids: [.user], kept: ownPreferences,
        assumption: "socialComfortLevel and budgetLevel count from 0 in the order of Kin's words")

    /// The preferences of which the app knows nothing.
    private static let ownPreferences = [
        "quiet_hours", "daily_budget", "time_zone", "recovery_days", "selection", "app_version", "variety",
    ]

    /// The private record of CloudKit, which contains the preferences as encoded bytes.
    private static let sync = ShapedRecord(
        name: "user sync record", kind: "challenge_preferences", marks: [["userID", "preferences"]],
        fields: [ShapeField("preferences", "", encodedPreferences)],
        others: ["completedChallenges", "lastSyncDate", "deviceIdentifier"],
        ids: [.user], exportedWith: ["completedChallenges", "lastSyncDate", "deviceIdentifier"], kept: ownPreferences,
        assumption: "completedChallenges has no dates and is stored unread; put the assignments to have them counted")

    private static let social = ShapeConversion.level(SocialRequirement.allCases.map(\.rawValue), from: 0)
    private static let cost = ShapeConversion.level(CostLevel.allCases.map(\.rawValue), from: 0)

    /// Minutes, or a rough length by its word or its number, counted from 0.
    private static let time = ShapeConversion(
        description:
            "minutes; below 5 a rough length: \(TimeInvestment.Length.allCases.map(\.rawValue).joined(separator: ", "))",
        read: { value, _ in
            let lengths = TimeInvestment.Length.allCases
            // Also of a number in quotation marks.
            let amount = if case .text(let text) = value { Double(text) } else { value.double }
            guard let number = amount.flatMap({ Int(exactly: $0) }), lengths.indices.contains(number) else {
                return value
            }
            return .text(lengths[number].rawValue)
        },
        write: { value, _ in
            // As a number, so few minutes would be a rough length.
            guard let minutes = value.double.flatMap({ Int(exactly: $0) }),
                TimeInvestment.Length.allCases.indices.contains(minutes)
            else { return value }
            return .text("\(minutes) min")
        })

    private static let challengeID = ShapeConversion(
        description: "the id of the challenge, which is stored too",
        read: { value, _ in value[path: ["id"]] ?? value }, write: { value, _ in value })

    private static let window = ShapeConversion(
        description: "an object of start and end to 09:00-18:00",
        read: { value, context throws(KinError) in
            guard case .object(let members) = value else { return value }
            let known = ["start", "startHour", "startMinute", "end", "endHour", "endMinute"]
            if let stranger = members.first(where: { !known.contains($0.name) })?.name, !context.keepsUnknown {
                throw KinError(
                    .malformedInput, "a time window has no such field, \(Spelling.advice(on: stranger, among: known))"
                ).inField(stranger)
            }
            let times = ["start", "end"].map { name -> TimeOfDay? in
                let time = value[path: [name]] ?? value[path: [name + "Hour"]] ?? .null
                guard let minute = value[path: [name + "Minute"]] else { return timeOfDay(time, context.zone) }
                let parts = [time, minute].compactMap { $0.double.flatMap { Int(exactly: $0) } }
                return parts.count == 2 ? try? TimeOfDay(hour: parts[0], minute: parts[1]) : nil
            }
            guard let start = times[0], let end = times[1] else {
                throw KinError(
                    .malformedInput,
                    """
                    write 09:00-18:00, or an object of start and end: times such as 09:00, hours up to 24, also with startMinute and endMinute, \
                    seconds after midnight from 3600 on, or instants
                    """)
            }
            return .text("\(start)-\(end)")
        },
        write: { value, _ in
            guard case .text(let text) = value, let window = try? DailyWindow(parsing: text) else { return value }
            return .object([
                JSONTree.Member(name: "start", value: .text(window.start.description)),
                JSONTree.Member(name: "end", value: .text(window.end.description)),
            ])
        })

    /// A time of day: `09:00`, an hour up to 24, seconds after midnight, or an instant; nil for a different value. Smaller
    /// numbers of seconds may be minutes.
    private static func timeOfDay(_ value: JSONTree, _ zone: LocalZone) -> TimeOfDay? {
        if case .text(let text) = value, let time = try? TimeOfDay(parsing: text) { return time }
        if let number = value.double, number <= 86_400 {
            guard (0...24).contains(number) || number >= 3600 else { return nil }
            let minutes = number <= 24 ? number * 60 : (number / 60).rounded(.down)
            return try? TimeOfDay(minutes: minutes == 1440 ? 0 : minutes)
        }
        return (try? AppInstant.instant(value)).map(zone.timeOfDay)
    }

    private static let encodedPreferences = ShapeConversion(
        description: "preferences as JSON in Base64, or as an object",
        read: { value, context throws(KinError) in
            try preferences.read(try decoded(value), ids: [:], in: context)
        },
        write: { value, context in
            var ours = value
            ours[path: ["extra"]] = value[path: ["extra", "preferences"]].flatMap { try? decoded($0) }
            return .text(Base64.text(Array(preferences.record(of: ours, in: context).jsonText.utf8)))
        })

    private static func decoded(_ preferences: JSONTree) throws(KinError) -> JSONTree {
        guard case .text(let text) = preferences else { return preferences }
        return try JSONTree(parsing: String(decoding: try Base64.bytes(text), as: UTF8.self))
    }
}
