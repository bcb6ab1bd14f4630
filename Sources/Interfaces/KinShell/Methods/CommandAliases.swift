/// Short forms of the names of methods and parameters on the command line: `for 90min`, `within 3km`, `store backup`.
enum CommandAliases {
    /// The names of methods, by the first words of a command line that mean them.
    private static let methods = [
        "kin": "similar_souls", "notify": "next_notification", "challenge notify": "next_notification",
        "challenge assign": "assign", "challenge history": "history",
        "store backup": "backup", "store check": "check", "store forget": "forget", "store route": "route",
        "challenge prefer": "prefer", "challenge rotation": "rotation", "challenge notified": "notified",
    ]

    /// The names of parameters, by method; an alias with `=` also sets a value.
    private static let parameters: [String: [String: String]] = [
        "backup": ["force": "overwrite"],
        "inventory": ["for": "minutes", "within": "within_km", "in": "season", "as": "user", "like": "point"],
        "missions": ["for": "minutes", "within": "within_km", "in": "season"],
        "forecast": ["at": "now"],
        "sleep_state": ["at": "now"],
        "check_content": ["challenges": "kind=challenges"],
        "reflect": ["not_done": "completed=false"],
        "rotation": ["advanced": "start_advanced_year=true"],
        "next_notification": ["uniform": "phase=uniform"],
        "backtest": ["jsonl": "json_lines"],
        "policy replay": ["memory": "effective_window"],
    ]

    /// The members of objects that can be given by their own names.
    static let members: [String: [String: [ParameterDescription]]] = [
        "prefer": [
            "preferences": [
                .option("time_window", .text, "The hours for notifications: 08:00-21:00. Also --window."),
                .option("quiet_hours", .list("text"), "Hours without notifications: 12:00-13:00. Also --quiet."),
                .option("daily_budget", .integer(0...24), "The largest number of notifications per day."),
                .option("notifications", .boolean, "Whether notifications are wanted."),
                .option("preferred_categories", .list("text"), "Categories: calm,nature. Also --categories."),
                .option(
                    "max_time", .duration(TimeInvestment.Length.allCases.map(\.rawValue)),
                    "The largest number of minutes of a challenge, or a rough length such as quick."),
                .option(
                    "budget_level", .choice(CostLevel.allCases.map(\.rawValue)), "The highest cost. Also --budget."),
                .option(
                    "social_comfort", .choice(SocialRequirement.allCases.map(\.rawValue)),
                    "The largest number of other people that a challenge may need. Also --social."),
                .option("time_zone", .zone, "The person's time zone."),
                .option("recovery_days", .integer(0...3650), "The days before a repetition. Also --recovery."),
                .option(
                    "selection", .choice(ChallengePreferences.Selection.allCases.map(\.rawValue)),
                    "How challenges are chosen."),
                .option("app_version", .text, "The version of the app, such as 1.4; newer content is not shown."),
            ]
        ]
    ]

    /// Shorter names of members.
    static let memberNames = [
        "window": "time_window", "quiet": "quiet_hours", "categories": "preferred_categories", "budget": "budget_level",
        "social": "social_comfort", "recovery": "recovery_days",
    ]

    /// The method of a request's first words, and the number of words in its name; nil if there is no such method.
    static func method(_ words: [String]) -> (method: EngineMethod, count: Int)? {
        guard let first = words.first.map(plain) else { return nil }
        if words.count > 1, let name = methods["\(first) \(plain(words[1]))"] {
            return (try? MethodTable.method(named: name)).map { ($0, 2) }
        }
        return (try? MethodTable.method(named: methods[first] ?? first)).map { ($0, 1) }
    }

    /// The methods whose alias starts with a prefix.
    static func methods(beginningWith prefix: String) -> [MethodCommand] {
        methods.filter { $0.key.hasPrefix(prefix) }.map(\.value).sorted()
            .compactMap { (try? MethodTable.method(named: $0)).map(MethodCommand.init) }
    }

    /// The name of a parameter, and the value that the alias sets.
    static func parameter(_ name: String, of method: String) -> (name: String, value: String?) {
        let name = plain(name)
        let known = parameters[method]?[name]
        let parts = (known ?? (members[method] == nil ? nil : memberNames[name]) ?? name).split(
            separator: "=", maxSplits: 1)
        return (parts.first.map(String.init) ?? name, parts.count == 2 ? String(parts[1]) : nil)
    }

    /// The aliases of a method's parameters.
    static func names(of method: String) -> [String] { parameters[method]?.keys.sorted() ?? [] }

    /// A name in the table's spelling: lower case, with underscores.
    static func plain(_ name: String) -> String { name.lowercased().replacing("-", with: "_") }
}
