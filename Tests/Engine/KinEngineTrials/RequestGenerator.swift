package import KinCore
import KinEngine

/// Draws requests to an engine: mostly valid, often with an impossible number or value, sometimes invalid JSON.
package struct RequestGenerator: Sendable {
    /// A request and its method.
    package struct Request: Sendable {
        package let method: String
        package let json: String
    }

    private let world: SampleWorld
    private let files: [String]

    /// - Parameter files: The paths that requests use. An empty list gives the empty path, which every method refuses.
    package init(_ world: SampleWorld, files: [String]) {
        self.world = world
        self.files = files.isEmpty ? [""] : files
    }

    /// The query methods. They give the same result for every call and change nothing.
    package static let questions = Set(MethodTable.groups.flatMap(\.methods).filter { !$0.isCommand }.map(\.name))

    /// Methods that are called less often.
    private static let rare: Set<String> = [
        "forget", "export", "check", "cluster", "backtest", "import", "backup", "suspend",
    ]

    /// A request to one of some methods.
    package func request(_ random: inout SeededGenerator, of methods: [String]) -> Request {
        var method = methods[random.below(methods.count)]
        // Slow methods are called less often.
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

    /// A value with a part that does not belong there.
    private func wild(_ value: String, _ random: inout SeededGenerator) -> String {
        switch random.below(6) {
        case 0: Self.odd[random.below(Self.odd.count)]
        case 1: HostileNumbers.all[random.below(HostileNumbers.all.count)]
        default: HostileNumbers.mutated(value, &random)
        }
    }

    /// A text in the form of a date that does not exist. Answers contain it if it was stored as an id or name.
    static let noDate = "2026-02-30"

    private static let odd = [
        "null", "true", "\"\"", "[]", "{}", "[[]]", "\"\\u0000\"", "\"x\"", "\"\(noDate)\"", "\"\\u00e9\"",
        "\"e\\u0301\"",
        "[1,\"x\",{}]", "{\"lat\":91,\"lng\":0}", "\"9999-12-31T23:59:59Z\"", "\"0000-01-01T00:00:00Z\"",
    ]

    /// The text with a byte changed or removed, or cut off.
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
        case numbers, scenes, rows, event, positions, assumedSleeps, soulEvents, quantiles, notificationPrior
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
        case .soulEvents:
            let user = value(.id("user"), &random)
            return
                #"[{"uid":\#(user),"at":\#(value(.instant, &random)),"goals":["Calm"],"minutes":\#(random.below(60)),"reaction":\#(random.uniform())}]"#
        case .quantiles: return "{\"soul_mirror\":\(0.995 + 0.005 * random.uniform())}"
        case .notificationPrior:
            let centres = Array(repeating: "0.125", count: 48).joined(separator: ",")
            let shapes = Array(repeating: "0", count: 107).joined(separator: ",")
            return "{\"people\":6,\"centres\":[\(centres)],\"shapes\":[6,\(shapes)]}"
        case .weights: return "{\"goals\":\(random.uniform()),\"realms\":\(random.uniform()),\"valence\":1}"
        case .soul: return world.souls[random.below(world.souls.count)]
        case .souls: return "[\(world.souls.prefix(1 + random.below(world.souls.count)).joined(separator: ","))]"
        case .records:
            let some = (0..<1 + random.below(3)).map { _ in world.records[random.below(world.records.count)].json }
            return "[\(some.joined(separator: ","))]"
        case .contribution: return Self.contributions[random.below(Self.contributions.count)]
        case .numbers: return "[0.5,0.25,1]"
        case .rows: return "[[0.5,0.25,1],[1,0,\(random.uniform())]]"
        case .event:
            return "{\"features\":[0.5,0.25,1],\"arm\":\(["null", "0", "2"][random.below(3)]),\"propensity\":0.5}"
        case .positions:
            let start = value(.place, &random).dropFirst()
            return "[{\"at\":\"2026-03-05T12:00:00Z\",\(start),{\"at\":\"2026-03-05T12:10:00Z\",\(start)]"
        case .assumedSleeps:
            return "[{\"type\":\"sleep\",\"start\":\"\(Self.wall(&random))\",\"end\":\"\(Self.wall(&random))\"}]"
        case .scenes: return #"[{"id":"a","vector":[1,0,0]},{"id":"b","vector":[0.5,0.5,\#(random.uniform())]}]"#
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

    /// Instants in any year, many at midnight UTC and around both clock changes in Europe and America.
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
        #"{"title":"The shell","content":"Once upon a time","triggerZone":"Moon pool"}"#,
    ]
    private static let preferences = [
        #"{"max_time":45}"#, #"{"time_zone":"America/New_York"}"#, #"{"daily_budget":3,"notifications":true}"#,
        #"{"recovery_days":5,"budget_level":"low"}"#, #"{"quiet_hours":["22:00","07:00"]}"#,
        #"{"time_window":["08:00","20:00"],"social_comfort":"group"}"#, #"{"preferred_categories":["health"]}"#,
    ]

    // MARK: Parameters

    /// The source of a parameter's values, by its type and name in the table of methods.
    private static func kind(of parameter: ParameterDescription, in method: String) -> Kind {
        switch parameter.type {
        case .id:
            switch parameter.name {
            case "other": .id("user")
            case "after": method == "events" ? .words(["e1", "e2", "zzz"]) : .id("session")
            case "item": .id("contribution")
            default: .id(parameter.name)
            }
        case .text:
            switch (method, parameter.name) {
            case ("check_part", _): .words(["session", "soul 2", "zzz"])
            case ("remove", "kind"): .words(Store.recordKinds)
            case ("remove", "user"), ("remove", "baby"), ("remove", "item"): .id(parameter.name)
            case ("remove", "id"): .id("session")
            case ("history", "category"): .words(["nature", "creative", "zzz"])
            case (_, "theme"): .words(["ocean", "zzz", "forest walks"])
            default: .text("good")
            }
        case .document: .content
        case .boolean: .boolean
        case .instant: .instant
        case .localTime: .wall
        case .date: .words(["2026-01-05", "2026-03-28", "2026-04-31"])
        case .zone: .zone
        case .timeOfDay: .clock
        case .seed: .seed
        // Small, so that a request does not take minutes.
        case .integer(let range): .count(min(range.upperBound, parameter.name == "restarts" ? 3 : 20))
        case .number(let range, _): .number(range.lowerBound, min(range.upperBound, 100))
        case .duration(let words): .words(words)
        case .choice(let words): .words(words)
        case .choices(let words): .list(words)
        case .filter: .filter
        case .point: .point
        case .coordinates: .place
        case .path, .output: .file
        case .object(let kind), .list(let kind): structure(kind, named: parameter.name)
        }
    }

    /// The source of the values of a list or an object.
    private static func structure(_ kind: String, named name: String) -> Kind {
        switch (kind, name) {
        case ("record", _): .records
        case ("soul", "souls"): .souls
        case ("soul", _): .soul
        case ("weights", _): .weights
        case ("soul event", _): .soulEvents
        case ("shares by connection", _): .quantiles
        case ("notification prior", _): .notificationPrior
        case ("contribution", _): .contribution
        case ("analysis", "analyses"): .analyses
        case ("analysis", _): .analysis
        case ("clusters", _): .clusters
        case ("realm index", _): .realmIndex
        case ("world", _): .world
        case ("goal", _): .list(["sleep", "focus", "anxiety_relief", "grounding"])
        case ("log", _): .log
        case ("local time", _): .walls
        case ("sense", _): .senses
        case ("preferences", _): .preferences
        case ("number", _), ("vector", _): .numbers
        case ("scene", _): .scenes
        case ("list of numbers", _): .rows
        case ("event", _): .event
        case ("position", _): .positions
        case ("assumed sleep", _): .assumedSleeps
        case ("item id", _): .list(["i1", "i2"])
        case ("session id", _): .list(["u1-1", "u1-2", "u2-3"])
        case ("person id", _): .list(["u1", "u2", "nobody"])
        case ("image id", _): .list(["i1", "i2"])
        case ("challenge id", _): .list(["c1", "c2", "c3"])
        // Values that only an answer has: a model of affinity, the axes of a map.
        default: .text("good")
        }
    }

    /// Optional parameters without which a method takes long or has nothing to answer from.
    private static let usual: [String: Set<String>] = [
        "cluster": ["analyses", "restarts"], "world": ["clusters", "realm_index", "realms"],
        "place": ["clusters", "realm_index"], "insert_image": ["clusters", "realm_index"],
        "rank_images": ["realm_index"], "inventory": ["near"],
    ]

    /// The parameters of every method: the name, the source of values, and whether a call usually has it.
    private static let parameters: [String: [(String, Kind, Bool)]] = Dictionary(
        uniqueKeysWithValues: MethodTable.groups.flatMap { group in
            group.methods.map { method in
                (
                    method.name,
                    method.parameters.map { parameter in
                        let isUsual = usual[method.name]?.contains(parameter.name) ?? false
                        return (
                            parameter.name, kind(of: parameter, in: method.name),
                            parameter.presence == .required || isUsual
                        )
                    }
                )
            }
        })

    /// The methods that requests call.
    package static var methods: [String] { parameters.keys.sorted() }
}
