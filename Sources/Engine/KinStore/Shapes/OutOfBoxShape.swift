import KinChallenges
import KinCore
import KinJSON

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
                "difficultyLevel", "difficulty_level", .level(DifficultyLevel.allCases.map(\.rawValue), from: 1)),
            ShapeField("tags", "tags"), ShapeField("isActive", "is_active"),
            ShapeField("createdAt", "created_at", .instant), ShapeField("updatedAt", "updated_at", .instant),
            ShapeField("minAppVersion", "minimum_app_version"),
        ], others: ["contentHash"],
        ids: [ShapeID(ours: ["id"], names: ["id", "challengeID", "challengeId"], option: "id")],
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
            ShapeField("completedDate", "completed_date", .instant), ShapeField("userRating", "rating"),
            ShapeField("completionTime", "completion_time", .scaled("seconds to minutes", by: 1 / 60.0)),
        ], others: ["id", "photoPath"], ids: [.user], part: ("challenge", "challenge"))

    private static let preferences = ShapedRecord(
        name: "preferences", kind: "challenge_preferences",
        marks: [
            ["timeWindow", "maxTimeInvestment"], ["timeWindow", "preferredCategories"],
            ["socialComfortLevel", "budgetLevel"],
        ],
        fields: [
            ShapeField("timeWindow", "time_window", window), ShapeField("preferredCategories", "preferred_categories"),
            ShapeField("maxTimeInvestment", "max_time", time), ShapeField("budgetLevel", "budget_level", cost),
            ShapeField("socialComfortLevel", "social_comfort", social),
            ShapeField("notificationsEnabled", "notifications"), ShapeField("timeZone", "time_zone", .same, .alias),
        ], others: ["id", "lastPersonalizationUpdate"], ids: [.user],
        assumption: "socialComfortLevel and budgetLevel count from 0 in the order of Kin's words")

    /// The private record of CloudKit, which contains the preferences as encoded bytes.
    private static let sync = ShapedRecord(
        name: "user sync record", kind: "challenge_preferences", marks: [["userID", "preferences"]],
        fields: [ShapeField("preferences", "", encodedPreferences)],
        others: ["completedChallenges", "lastSyncDate", "deviceIdentifier"],
        ids: [.user], exportedWith: ["completedChallenges", "lastSyncDate", "deviceIdentifier"],
        assumption: "completedChallenges has no dates and is stored unread; put the assignments to have them counted")

    private static let social = ShapeConversion.level(SocialRequirement.allCases.map(\.rawValue), from: 0)
    private static let cost = ShapeConversion.level(CostLevel.allCases.map(\.rawValue), from: 0)

    /// Minutes, or a rough length by its word or its number, counted from 0.
    private static let time = ShapeConversion(
        description:
            "minutes; below 5 a rough length: \(TimeInvestment.Length.allCases.map(\.rawValue).joined(separator: ", "))",
        read: { value, _ in
            let lengths = TimeInvestment.Length.allCases
            guard let number = value.double.flatMap({ Int(exactly: $0) }), lengths.indices.contains(number) else {
                return value
            }
            return .text(lengths[number].rawValue)
        }, write: { value, _ in value })

    private static let challengeID = ShapeConversion(
        description: "the id of the challenge, which is stored too",
        read: { value, _ in value[path: ["id"]] ?? value }, write: { value, _ in value })

    private static let window = ShapeConversion(
        description: "an object of start and end to 09:00-18:00",
        read: { value, _ in
            guard case .text(let start)? = value[path: ["start"]], case .text(let end)? = value[path: ["end"]] else {
                return value
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

    private static let encodedPreferences = ShapeConversion(
        description: "preferences as JSON in Base64, or as an object",
        read: { value, context throws(KinError) in
            try preferences.read(try decoded(value), ids: [:], keepsUnknown: true, in: context)
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
