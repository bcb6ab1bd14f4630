public import KinCore
public import KinJSON

extension Soul: DeclaredRecord {
    package static let form = RecordForm<Soul>(
        "soul", id: "uid",
        .required("uid", \.userID, .id),
        .standard("goals", \.goals, .object, default: SoulTraits(), writesDefault: false),
        .standard("realms", \.realms, .object, default: SoulTraits(), writesDefault: false),
        .standard("objects", \.objects, .object, default: SoulTraits(), writesDefault: false),
        .optional("patterns", \.pattern, .object),
        .optional("valence", \.valence, .number("-1 to 1")),
        .optional("note", \.note, .text),
        make: Soul.init(userID:goals:realms:objects:pattern:valence:note:))

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
    package static let form = RecordForm<SessionPattern>(
        "patterns",
        .standard("hours", \.hours, .list(of: .number()), default: [], writesDefault: false),
        .standard("minutes", \.minutes, .number("0 or more", unit: "min"), default: 0),
        .standard("sessions_per_week", \.sessionsPerWeek, .number("0 or more"), default: 0),
        .standard("streak", \.streak, .number("0 or more", unit: "days"), default: 0),
        make: SessionPattern.init(hours:minutes:sessionsPerWeek:streak:))
}

extension SoulTraits: JSONRecord {
    package static let recordName = "amounts by name"

    /// Reads an object of names with amounts.
    package init(from reader: inout JSONReader) throws(KinError) {
        var pairs: [(key: String, value: Double)] = []
        let start = reader
        try reader.members { reader, name throws(KinError) in pairs.append((name, try reader.number())) }
        do throws(KinError) {
            try self.init(pairs: pairs)
        } catch {
            throw start.error(error.message, code: error.code).within(error)
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for trait in list { writer.member(trait.name) { $0.number(trait.amount) } }
        }
    }
}

extension KinError {
    /// The same error with the context of another.
    fileprivate func within(_ other: KinError) -> KinError {
        other.context.reversed().reduce(self) { $0.within($1.name, $1.value) }
    }
}
