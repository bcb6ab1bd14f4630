/// The preferences of a person for challenges and notifications.
///
///     var preferences = try ChallengePreferences(
///         userID: "u42", window: DailyWindow(parsing: "08:00-21:30"), longestMinutes: 30, timeZone: "Europe/Berlin")
///     preferences.categories = ["movement", "calm"]
///     preferences.budget = .low
///     let selector = try ChallengeSelector(catalog: catalog, preferences: preferences, zone: zone)
public struct ChallengePreferences: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The daily window of notifications, in the person's zone.
    public var window: DailyWindow
    /// The preferred categories; empty when unknown.
    public var categories: [String]
    /// The longest allowed time of a challenge, in minutes; nil for no limit.
    public private(set) var longestMinutes: Double?
    /// The highest allowed cost level.
    public var budget: CostLevel
    /// The highest allowed social requirement.
    public var social: SocialRequirement
    /// Whether notifications are wanted at all.
    public var wantsNotifications: Bool
    /// The daily windows without notifications, even inside the window.
    public var quietHours: [DailyWindow]
    /// The largest number of notifications on a day, 0 to 24.
    public private(set) var dailyBudget: Int
    /// The name of the person's time zone, such as `Europe/Berlin`.
    public var timeZone: String
    /// The number of days before a challenge may be assigned again, 0 to 3,650.
    public private(set) var recoveryDays: Int
    /// The rule for choosing challenges.
    public var selection: Selection
    /// The version of the person's app, which determines the challenges and days that can be shown; nil for an app that
    /// can show everything.
    public var appVersion: AppVersion?
    /// The share of choices that avoid the categories given last, 0…1. nil to learn it from what the person completes.
    /// The challenges of a queue have different categories in any case.
    public private(set) var variety: Double?

    /// The rules for choosing challenges.
    public enum Selection: String, Sendable, Hashable, CaseIterable {
        /// A choice by a policy that learns from outcomes.
        case learned
        /// A uniform choice among the challenges that the limits allow; outcomes are learned for later use.
        case random
    }

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates preferences, and checks them; the defaults are those of a new person.
    ///
    /// - Parameters:
    ///   - userID: The id of the person.
    ///   - window: The daily window of notifications; nil for ``usualWindow``.
    ///   - categories: The preferred categories, none empty.
    ///   - longestMinutes: The longest allowed time of a challenge; nil for no limit.
    ///   - budget: The highest allowed cost level.
    ///   - social: The highest allowed social requirement.
    ///   - wantsNotifications: Whether notifications are wanted at all.
    ///   - quietHours: The daily windows without notifications.
    ///   - dailyBudget: The largest number of notifications on a day, 0 to 24.
    ///   - timeZone: The name of the time zone, not empty.
    ///   - recoveryDays: The days before a challenge may be assigned again, 0 to 3,650.
    ///   - selection: The rule for choosing challenges.
    ///   - appVersion: The version of the person's app; nil for an app that can show everything.
    ///   - variety: The share of choices that avoid the categories given last, 0…1; nil to learn it.
    /// - Throws: `.invalidArgument` or `.notFinite`, naming the field.
    public init(
        userID: String, window: DailyWindow? = nil, categories: [String] = [], longestMinutes: Double? = nil,
        budget: CostLevel = .high, social: SocialRequirement = .group, wantsNotifications: Bool = true,
        quietHours: [DailyWindow] = [], dailyBudget: Int = 1, timeZone: String = "UTC", recoveryDays: Int = 14,
        selection: Selection = .learned, appVersion: AppVersion? = nil, variety: Double? = nil
    ) throws(KinError) {
        guard !categories.contains("") else { throw .field("preferred_categories", "a category is empty") }
        try KinError.check(longestMinutes, "max_time", "above 0 minutes") { $0 > 0 }
        try KinError.requireCount(dailyBudget, "daily_budget", upTo: 24)
        try KinError.requireCount(recoveryDays, "recovery_days", upTo: 3650)
        if let variety, !(0...1).contains(variety) {
            throw .field(
                "variety", "must be from 0 to 1, not \(variety)", variety.isFinite ? .invalidArgument : .notFinite)
        }
        guard !timeZone.isEmpty else { throw .field("time_zone", "must not be empty") }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.window = window ?? Self.usualWindow
        self.categories = categories
        self.longestMinutes = longestMinutes
        self.budget = budget
        self.social = social
        self.wantsNotifications = wantsNotifications
        self.quietHours = quietHours
        self.dailyBudget = dailyBudget
        self.timeZone = timeZone
        self.recoveryDays = recoveryDays
        self.selection = selection
        self.appVersion = appVersion
        self.variety = variety
    }

    /// The default window, 08:00 to 21:00.
    public static let usualWindow = DailyWindow(
        from: TimeOfDay(minute: 8 * 60), to: TimeOfDay(minute: 21 * 60))

    /// Reads preferences from their JSON object.
    ///
    /// - Parameter json: One object; `user_id` is required.
    /// - Throws: `.malformedInput`, or as the other initializer, naming the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The preferences as a JSON object, on one line.
    public var json: String { jsonText }
}

extension ChallengePreferences: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<ChallengePreferences>(
        "challenge preferences", id: "user_id", aliases: otherNames, extra: .stored,
        .required("user_id", \.userID, .id),
        .standard("time_window", \.window, window, default: usualWindow),
        .standard("preferred_categories", \.categories, .texts, default: []),
        .optional("max_time", \.longestMinutes, .longestTime),
        .standard("budget_level", \.budget, .word("budget level"), default: .high),
        .standard("social_comfort", \.social, .word("social comfort"), default: .group),
        .standard("notifications", \.wantsNotifications, .boolean, default: true),
        .standard("quiet_hours", \.quietHours, .list(of: window), default: []),
        .standard("daily_budget", \.dailyBudget, .integer(in: 0...24), default: 1),
        .standard("time_zone", \.timeZone, .text, default: "UTC"),
        .standard("recovery_days", \.recoveryDays, .integer(in: 0...3650), default: 14),
        .standard("selection", \.selection, .word("selection"), default: .learned),
        .optional("app_version", \.appVersion, .appVersion),
        .optional("variety", \.variety, .number("0 to 1")),
        make: ChallengePreferences.init(
            userID:window:categories:longestMinutes:budget:social:wantsNotifications:quietHours:dailyBudget:timeZone:
            recoveryDays:selection:appVersion:variety:))

    /// The field names that other apps use.
    private static let otherNames: [(alias: String, name: String)] = [
        ("preferred_time_window", "time_window"), ("notification_window", "time_window"),
        ("categories", "preferred_categories"), ("max_time_investment", "max_time"), ("budget", "budget_level"),
        ("social_comfort_level", "social_comfort"), ("notifications_on", "notifications"),
        ("notifications_enabled", "notifications"),
    ]

    /// A daily window, `08:00-21:30`; an object of `start` and `end` is read too.
    private static let window = JSONForm<DailyWindow>(
        "daily window, such as 08:00-21:30",
        read: { reader throws(KinError) in
            if reader.isAtObject() { return try bounds.read(&reader) }
            return try reader.parsed { text throws(KinError) in try DailyWindow(parsing: text) }
        }, write: { $1.string($0.description) })

    private static let bounds = RecordSchema<DailyWindow>(
        "daily window", .required("start", \.start, .timeOfDay), .required("end", \.end, .timeOfDay),
        make: DailyWindow.init(from:to:))
}

extension JSONForm<Double> {
    /// The longest time of a challenge, in minutes; a text such as `30 min` and a rough length are read too.
    fileprivate static let longestTime = JSONForm(
        "minutes above 0, or quick, short, medium, long, extended",
        read: { reader throws(KinError) in try TimeInvestment(from: &reader).longestMinutes },
        write: { $1.number($0) })
}

extension ChallengePreferences {
    /// Whether two names, in snake or camel case or as used by other apps, are the same field.
    package static func isSameField(_ a: String, _ b: String) -> Bool {
        func known(_ name: String) -> String {
            let plain = Spelling.plain(name)
            return otherNames.first { Spelling.plain($0.alias) == plain }.map { Spelling.plain($0.name) } ?? plain
        }
        return known(a) == known(b)
    }
}
