package import KinCore

/// Draws requests to an engine: mostly right, often with a number or value that nothing can have, sometimes no JSON.
package struct RequestGenerator: Sendable {
    /// A request and what it is to.
    package struct Request: Sendable {
        package let method: String
        package let json: String
    }

    private let world: SampleWorld
    private let files: [String]

    /// - Parameter files: Paths that `import` is told to read.
    package init(_ world: SampleWorld, files: [String]) {
        self.world = world
        self.files = files
    }

    /// The methods that only ask. What they find is the same however often they are called, and they change nothing.
    package static let questions: Set<String> = [
        "near", "sessions", "profile", "insight", "inventory", "missions", "map", "users", "info", "check", "export",
        "cluster", "world", "place", "absorb", "rank_images", "forecast", "backtest", "rhythm", "repairs", "affinity",
        "match",
        "similar_souls", "why", "affinity_model", "inbox", "digest", "suggest", "today", "timeline", "history",
        "decisions",
        "progress",
        "next_notification",
        "check_content",
    ]

    /// What a method is called how often.
    private static let rare: Set<String> = ["forget", "export", "check", "cluster", "backtest", "import", "suspend"]

    /// A request to one of some methods.
    package func request(_ random: inout SeededGenerator, of methods: [String]) -> Request {
        var method = methods[random.below(methods.count)]
        // What takes long is asked less often.
        while Self.rare.contains(method), random.below(8) > 0 { method = methods[random.below(methods.count)] }
        var members: [String] = []
        let parameters = Self.parameters[method] ?? []
        let isWild = random.below(4) == 0
        for (name, kind, isNeeded) in parameters where isNeeded || random.below(3) == 0 {
            if isWild, random.below(12) == 0 { continue }
            var value = value(kind, &random)
            if isWild, random.below(3) == 0 { value = wild(value, &random) }
            members.append("\"\(name)\":\(value)")
        }
        if isWild, random.below(12) == 0 { members.append("\"whatever\":1") }
        var json = "{\(members.joined(separator: ","))}"
        if random.below(60) == 0 { json = Self.damaged(json, &random) }
        return Request(method: method, json: json)
    }

    /// A value with something in it that does not belong there.
    private func wild(_ value: String, _ random: inout SeededGenerator) -> String {
        switch random.below(6) {
        case 0: Self.odd[random.below(Self.odd.count)]
        case 1: HostileNumbers.all[random.below(HostileNumbers.all.count)]
        default: HostileNumbers.mutated(value, &random)
        }
    }

    /// A text in the form of a date that no calendar has; answers have it where it was put in as somebody's id or name.
    static let noDate = "2026-02-30"

    private static let odd = [
        "null", "true", "\"\"", "[]", "{}", "[[]]", "\"\\u0000\"", "\"x\"", "\"\(noDate)\"", "\"\\u00e9\"",
        "\"e\\u0301\"",
        "[1,\"x\",{}]", "{\"lat\":91,\"lng\":0}", "\"9999-12-31T23:59:59Z\"", "\"0000-01-01T00:00:00Z\"",
    ]

    /// The text with a byte changed, left out or cut off.
    private static func damaged(_ json: String, _ random: inout SeededGenerator) -> String {
        var bytes = Array(json.utf8)
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(0x20 + random.below(0x5F))
        case 1: bytes.remove(at: place)
        default: bytes.removeLast(bytes.count - place)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Values

    private enum Kind {
        case id(String), text(String), words([String]), list([String]), number(Double, Double), count(Int), boolean
        case instant, zone, clock, point, place, senses, weights, soul, souls, records, contribution, analysis
        case analyses, clusters, realmIndex, world, log, wall, walls, filter, preferences, file, content, seed
    }

    private func value(_ kind: Kind, _ random: inout SeededGenerator) -> String {
        switch kind {
        case .id(let kind):
            let ids = world.ids[kind] ?? []
            return random.below(20) == 0 || ids.isEmpty ? "\"nobody\"" : "\"\(ids[random.below(ids.count)])\""
        case .text(let text): return "\"\(text)\""
        case .words(let words): return "\"\(words[random.below(words.count)])\""
        case .list(let words):
            let some = words.filter { _ in random.below(3) == 0 }.map { "\"\($0)\"" }
            return "[\(some.joined(separator: ","))]"
        case .number(let low, let high): return "\(low + (high - low) * random.uniform())"
        case .count(let most): return "\(1 + random.below(most))"
        case .seed: return "\(random.next())"
        case .boolean: return random.below(2) == 0 ? "true" : "false"
        case .zone: return "\"\(Self.zones[random.below(Self.zones.count)])\""
        case .clock:
            return random.below(5) == 0 ? "\"none\"" : "\"\(Self.two(random.below(24))):\(Self.two(random.below(60)))\""
        case .instant: return "\"\(Self.instant(&random))\""
        case .wall: return "\"\(Self.wall(&random))\""
        case .walls: return "[\((0..<random.below(4)).map { _ in "\"\(Self.wall(&random))\"" }.joined(separator: ","))]"
        case .point:
            let names = ["order", "food", "mobility", "power", "nature_mirror", "horizon"].filter { _ in
                random.below(2) == 0
            }
            return "{\(names.map { "\"\($0)\":\(random.uniform())" }.joined(separator: ","))}"
        case .place: return "{\"lat\":\(40.7 + 0.1 * random.uniform()),\"lng\":\(-73.9 + 0.1 * random.uniform())}"
        case .senses: return "[{\"sense\":\"touch\",\"intensity\":\"low\"},{\"context\":\"outdoors\"}]"
        case .weights: return "{\"goals\":\(random.uniform()),\"realms\":\(random.uniform()),\"valence\":1}"
        case .soul: return world.souls[random.below(world.souls.count)]
        case .souls: return "[\(world.souls.prefix(1 + random.below(world.souls.count)).joined(separator: ","))]"
        case .records:
            let some = (0..<1 + random.below(3)).map { _ in world.records[random.below(world.records.count)].json }
            return "[\(some.joined(separator: ","))]"
        case .contribution: return Self.contributions[random.below(Self.contributions.count)]
        case .analysis:
            return world.analyses[random.below(world.analyses.count)]
                .replacing("\"image_id\":\"", with: "\"image_id\":\"new-\(random.below(50))-", maxReplacements: 1)
        case .analyses: return "[\(world.analyses.prefix(2 + random.below(12)).joined(separator: ","))]"
        case .clusters: return world.clusters
        case .realmIndex: return world.realmIndex
        case .world: return world.world
        case .log: return world.log
        case .filter: return "\"\(Self.filters[random.below(Self.filters.count)])\""
        case .preferences: return Self.preferences[random.below(Self.preferences.count)]
        case .file: return "\"\(files[random.below(files.count)])\""
        case .content:
            return
                #""{\"id\":1,\"quote\":\"x\"}\n[]\n{\"id\":\"c\",\"title\":\"t\",\"category\":\"x\",\"time_investment\":5}""#
        }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Instants of any year; many at midnight in UTC and around both changes of the clock in Europe and America.
    private static func instant(_ random: inout SeededGenerator) -> String {
        let day = [
            "2026-03-29", "2026-10-25", "2026-03-08", "2026-11-01", "2026-01-05", "2025-12-31", "2024-02-29",
            "1970-01-01",
            "2026-11-22", "2027-06-01", "2056-07-01",
        ][random.below(11)]
        let time = [
            "00:00:00Z", "00:59:59Z", "01:00:00Z", "01:30:00Z", "02:30:00+02:00", "06:00:00Z", "23:59:59.999999Z",
            "12:00:00-05:00", "00:00:00+00:00",
        ][random.below(9)]
        return random.below(12) == 0 ? day : "\(day)T\(time)"
    }

    private static func wall(_ random: inout SeededGenerator) -> String {
        ["2026-03-05T12:00", "2026-03-06T00:00:00", "2026-03-29T02:30", "2026-03-04", "2036-01-01T00:00"][
            random.below(5)]
    }

    private static let zones = [
        "Europe/Berlin", "America/New_York", "UTC", "+05:30", "Pacific/Kiritimati", "Europe/London", "Nowhere/At_All",
    ]
    private static let filters = [
        "state = drift", "start >= 2026-01-01 and state in (drift, mastery)", "not (state = idle)", "user = 'u1'",
        "start < 1e308", "state =", "id > 3",
    ]
    private static let contributions = [
        #"{"zone":{"name":"Moon pool","suggestedRealm":"ocean","therapeuticValue":{"sleep":0.8},"scenes":["tide"]}}"#,
        #"{"story":{"title":"The shell","content":"Once upon a time"}}"#,
        #"{"name":"Moon pool","suggestedRealm":"ocean","therapeuticValue":{"sleep":0.8},"scenes":4}"#,
        #"{"title":"The shell","content":"Once upon a time"}"#,
    ]
    private static let preferences = [
        #"{"max_time":45}"#, #"{"time_zone":"America/New_York"}"#, #"{"daily_budget":3,"notifications":true}"#,
        #"{"recovery_days":5,"budget_level":"low"}"#, #"{"quiet_hours":["22:00","07:00"]}"#,
        #"{"time_window":["08:00","20:00"],"social_comfort":"group"}"#, #"{"preferred_categories":["health"]}"#,
    ]

    // MARK: Parameters

    private static let slots = ["dawn", "morning", "afternoon", "evening", "night"]
    private static let states = ["idle", "drift", "mastery", "social_sync", "reflection"]
    private static let weather = ["clear", "cloudy", "wind", "rain", "snow", "storm", "heat", "cold"]
    private static let seasons = ["spring", "summer", "autumn", "winter"]
    private static let goals = ["sleep", "focus", "anxiety_relief", "grounding"]

    /// Whom a challenge is about, and when and where.
    private static let asker: [(String, Kind, Bool)] = [
        ("user", .id("user"), true), ("at", .instant, false), ("zone", .zone, false),
    ]
    private static let library: [(String, Kind, Bool)] = [
        ("clusters", .clusters, true), ("realm_index", .realmIndex, true),
    ]
    private static let inventory: [(String, Kind, Bool)] = [
        ("near", .place, true), ("within_km", .number(0, 50), false),
        ("type", .list(["tool", "space", "expert"]), false),
        ("access", .list(["owned", "peer", "rental", "public_library"]), false),
        ("status", .list(["available", "booked"]), false), ("giving", .list(["food", "mobility"]), false),
        ("senses", .senses, false), ("slot", .words(slots), false), ("minutes", .number(0, 300), false),
        ("season", .words(seasons), false), ("user", .id("user"), false), ("point", .point, false),
        ("k", .count(20), false),
    ]
    private static let missions: [(String, Kind, Bool)] = [
        ("user", .id("user"), true), ("near", .place, true), ("minutes", .number(5, 600), true),
        ("slot", .words(slots), true), ("within_km", .number(0, 100), false), ("state", .words(states), false),
        ("weather", .words(weather), false), ("season", .words(seasons), false), ("k", .count(20), false),
    ]
    private static let rhythm: [(String, Kind, Bool)] = [
        ("log", .log, false), ("user", .id("user"), false), ("baby", .id("baby"), false), ("born", .wall, false),
    ]

    /// The parameters of every method: name, what a value is drawn from, and whether a call needs it.
    private static let parameters: [String: [(String, Kind, Bool)]] = [
        "put": [("records", .records, true)],
        "import": [("path", .file, true)],
        "export": [("user", .id("user"), false)],
        "remove": [("session", .id("session"), false), ("item", .id("item"), false)],
        "forget": [("user", .id("user"), true)],
        "check": [], "save_indexes": [], "suspend": [], "users": [], "info": [],
        "near": [
            ("session", .id("session"), false), ("user", .id("user"), false), ("at", .instant, false),
            ("point", .point, false), ("k", .count(20), false), ("metric", .words(["l2", "ip", "cosine"]), false),
            ("where", .filter, false),
        ],
        "sessions": [("user", .id("user"), true), ("count", .count(20), false), ("after", .id("session"), false)],
        "profile": [("user", .id("user"), true), ("at", .instant, false)],
        "insight": [("session", .id("session"), true), ("k", .count(9), false)],
        "inventory": inventory, "missions": missions,
        "map": [("user", .id("user"), true)],
        "cluster": [
            ("analyses", .analyses, true), ("k", .count(6), false), ("seed", .seed, false),
            ("restarts", .count(3), true),
        ],
        "world": library + [
            ("name", .text("W"), true), ("theme", .words(["ocean", "zzz", "forest walks"]), false),
            ("creator", .text("c"), false), ("goals", .list(goals), false), ("minutes", .count(200), false),
            ("collaborative", .boolean, false), ("realms", .count(2), true), ("seed", .seed, false),
        ],
        "place": library + [("analysis", .analysis, true), ("world", .world, false)],
        "absorb": library + [("analysis", .analysis, true)],
        "rank_images": [("realm_index", .realmIndex, true), ("goals", .list(goals), false), ("k", .count(20), false)],
        "forecast": rhythm + [
            ("now", .wall, false), ("kind", .words(["nap", "feed"]), false), ("coverage", .number(0.1, 0.9), false),
        ],
        "backtest": rhythm + [
            ("kind", .words(["nap", "feed"]), false), ("seed", .seed, false), ("at", .walls, false),
        ],
        "rhythm": rhythm, "repairs": rhythm,
        "affinity": [("a", .soul, true), ("b", .soul, true), ("weights", .weights, false)],
        "match": [
            ("souls", .souls, true), ("user", .id("user"), false), ("k", .count(9), false),
            ("above", .number(0, 1), false), ("coverage", .number(0, 1), false), ("weights", .weights, false),
            ("every_goal_alike", .boolean, false), ("threads", .count(3), false),
        ],
        "similar_souls": [("user", .id("user"), true), ("k", .count(9), false), ("coverage", .number(0, 1), false)],
        "why": [("user", .id("user"), true), ("other", .id("user"), true)],
        "affinity_model": [],
        "keep_affinity_model": [("weights", .weights, false), ("every_goal_alike", .boolean, false)],
        "contribute": [("user", .id("user"), true), ("contribution", .contribution, true), ("made", .instant, false)],
        "route": [("threads", .count(3), false)],
        "inbox": [
            ("user", .id("user"), true), ("state", .words(["delivered", "pending", "accepted", "declined"]), false),
        ],
        "digest": [("user", .id("user"), true), ("since", .instant, true)],
        "accept": [("user", .id("user"), true), ("item", .id("contribution"), true)],
        "decline": [("user", .id("user"), true), ("item", .id("contribution"), true)],
        "block": [("user", .id("user"), true), ("item", .id("contribution"), true)],
        "suggest": asker, "today": asker, "assign": asker, "progress": asker,
        "timeline": asker + [("days", .count(30), false)],
        "complete": asker + [
            ("challenge", .id("challenge"), false), ("rating", .count(5), false), ("minutes", .number(0, 90), false),
        ],
        "skip": asker + [("challenge", .id("challenge"), false)],
        "history": asker + [("count", .count(30), false)],
        "decisions": [("user", .id("user"), true)],
        "reflect": asker + [("completed", .boolean, false), ("text", .text("good"), false)],
        "rotation": asker + [
            ("focus", .words(["health", "wealth", "none"]), false), ("refresh", .clock, false),
            ("reminder", .clock, false), ("start_advanced_year", .boolean, false),
        ],
        "prefer": asker + [("preferences", .preferences, true)],
        "next_notification": asker + [("phase", .words(["learned", "uniform"]), false), ("seed", .seed, false)],
        "notified": asker + [("sent", .instant, true), ("answered", .boolean, false)],
        "check_content": [("text", .content, true), ("kind", .words(["content", "challenges"]), false)],
    ]

    /// The methods that requests are drawn for.
    package static var methods: [String] { parameters.keys.sorted() }
}
