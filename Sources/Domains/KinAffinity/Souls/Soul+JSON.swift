extension Soul: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<Soul>(
        "soul", id: "uid", aliases: [("user_id", "uid"), ("userID", "uid")], extra: .stored,
        .required("uid", \.userID, .id),
        .standard("goals", \.goals, .object, default: SoulTraits(), writesDefault: false),
        .standard("realms", \.realms, .object, default: SoulTraits(), writesDefault: false),
        .standard("objects", \.objects, .object, default: SoulTraits(), writesDefault: false),
        .optional("patterns", \.pattern, .object),
        .optional("valence", \.valence, .number("-1 to 1")),
        .optional("note", \.note, .text),
        .optional("history", \.history, .object)
    ) { user, goals, realms, objects, pattern, valence, note, history throws(KinError) in
        var soul = try Soul(
            userID: user, goals: goals, realms: realms, objects: objects, pattern: pattern, valence: valence, note: note
        )
        soul.history = history
        return soul
    }

    /// Reads a soul from its JSON object.
    ///
    ///     {"uid":"u42","goals":{"anxiety":5,"sleep":2},"realms":{"ocean":4},"objects":{"water":3,"moon":1},
    ///      "patterns":{"hours":[0,…],"minutes":20,"sessions_per_week":4,"streak":9},"valence":0.3}
    ///
    /// - Parameter json: One object; `uid` is required.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite`, naming the soul and the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The soul as a JSON object, on one line.
    public var json: String { jsonText }
}

extension SessionPattern: DeclaredRecord {
    package static let form = RecordSchema<SessionPattern>(
        "patterns",
        .standard("hours", \.hours, .list(of: .number()), default: [], writesDefault: false),
        .standard("minutes", \.minutes, .number("0 or more", unit: "min"), default: 0),
        .standard("sessions_per_week", \.sessionsPerWeek, .number("0 or more"), default: 0),
        .standard("streak", \.streak, .number("0 or more", unit: "days"), default: 0),
        make: SessionPattern.init(hours:minutes:sessionsPerWeek:streak:))
}

extension SoulHistory: DeclaredRecord {
    package static let form = RecordSchema<SoulHistory>(
        "history",
        .standard("sessions", \.sessions, .integer(in: 0...highestCount), default: 0),
        .standard("untimed", \.untimed, .integer(in: 0...highestCount), default: 0, writesDefault: false),
        .standard("recent", \.recent, .number("0 or more"), default: 0),
        .optional("first", \.first, .instant),
        .optional("last", \.last, .instant),
        .optional("last_day", \.lastDay, .date),
        .standard("reactions", \.reactions, .integer(in: 0...highestCount), default: 0)
    ) { sessions, untimed, recent, first, last, lastDay, reactions throws(KinError) in
        guard untimed <= sessions else {
            throw .field("untimed", "must be at most the number of sessions, \(sessions), not \(untimed)")
        }
        guard recent >= 0 else {
            throw .field("recent", "must be 0 or more, not \(recent)")
        }
        return SoulHistory(
            sessions: sessions, untimed: untimed, recent: recent, first: first, last: last, lastDay: lastDay,
            reactions: reactions)
    }
}

extension SoulEvent: DeclaredRecord {
    package static let form = RecordSchema<SoulEvent>(
        "soul event", id: "uid",
        .required("uid", \.userID, .id),
        .required("at", \.at, .instant),
        .standard("goals", \.goals, .texts, default: [], writesDefault: false),
        .standard("realms", \.realms, .texts, default: [], writesDefault: false),
        .standard("objects", \.objects, .texts, default: [], writesDefault: false),
        .optional("minutes", \.minutes, .number("0 or more", unit: "min")),
        .optional("reaction", \.reaction, .number("-1 to 1")),
        make: SoulEvent.init(userID:at:goals:realms:objects:minutes:reaction:))

    /// Reads an event from its JSON object.
    ///
    ///     {"uid":"u42","at":"2026-11-20T06:30:00Z","minutes":20,"goals":["sleep"],"realms":["ocean"],"objects":["moon"],"reaction":0.5}
    ///
    /// - Parameter json: One object; `uid` and `at` are required, and one of the others.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite`, naming the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The event as a JSON object, on one line.
    public var json: String { jsonText }
}

extension SoulTraits: JSONRecord, JSONObject {
    package static let recordName = "amounts by name"

    /// Reads an object of names with amounts.
    package init(from reader: inout JSONReader) throws(KinError) {
        var pairs: [(key: String, value: Double)] = []
        let start = reader
        try reader.members { reader, name throws(KinError) in pairs.append((name, try reader.number())) }
        do throws(KinError) {
            try self.init(pairs: pairs)
        } catch {
            throw start.error(error)
        }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        for trait in list { writer.member(trait.name) { $0.number(trait.amount) } }
    }
}
