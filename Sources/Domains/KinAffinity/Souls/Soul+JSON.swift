public import KinCore
public import KinJSON

extension Soul: JSONRecord {
    package static let recordName = "soul"

    private static let keys = JSONKeys(
        ["uid", "goals", "realms", "objects", "patterns", "valence", "note"], required: ["uid"])

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

    package init(from reader: inout JSONReader) throws(KinError) {
        var userID: String?
        var traits = [SoulTraits(), SoulTraits(), SoulTraits()]
        var pattern: SessionPattern?
        var valence: Double?
        var note: String?
        do throws(KinError) {
            try reader.members(of: Self.keys) { reader, key throws(KinError) in
                switch key {
                case 0: userID = try reader.string()
                case 1...3: traits[key - 1] = try SoulTraits(from: &reader)
                case 4: pattern = try reader.takesNull() ? nil : SessionPattern(from: &reader)
                case 5: valence = try reader.takesNull() ? nil : reader.number()
                default: note = try reader.optionalString()
                }
            }
            try self.init(
                userID: userID ?? "", goals: traits[0], realms: traits[1], objects: traits[2], pattern: pattern,
                valence: valence, note: note)
        } catch {
            throw error.inRecord(Self.recordName, userID)
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("uid") { $0.string(userID) }
            for block in SoulBlock.named where !traits(block).isEmpty {
                writer.member(block.name) { traits(block).write(to: &$0) }
            }
            if let pattern { writer.member("patterns") { pattern.write(to: &$0) } }
            if let valence { writer.member("valence") { $0.number(valence) } }
            if let note { writer.member("note") { $0.string(note) } }
        }
    }
}

extension SoulTraits {
    /// Reads an object of names with amounts; null is an empty one.
    init(from reader: inout JSONReader) throws(KinError) {
        self.init()
        if try reader.takesNull() { return }
        var pairs: [(key: String, value: Double)] = []
        let start = reader
        try reader.members { reader, name throws(KinError) in pairs.append((name, try reader.number())) }
        do throws(KinError) {
            try self.init(pairs: pairs)
        } catch {
            throw start.error(error.message, code: error.code).within(error)
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for trait in list { writer.member(trait.name) { $0.number(trait.amount) } }
        }
    }
}

extension SessionPattern {
    private static let keys = JSONKeys(["hours", "minutes", "sessions_per_week", "streak"], required: [])

    init(from reader: inout JSONReader) throws(KinError) {
        var hours: [Double] = []
        var numbers = [0.0, 0.0, 0.0]
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            if try reader.takesNull() { return }
            if key > 0 {
                numbers[key - 1] = try reader.number()
            } else {
                hours = try reader.list { reader throws(KinError) in try reader.number() }
            }
        }
        try self.init(hours: hours, minutes: numbers[0], sessionsPerWeek: numbers[1], streak: numbers[2])
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if !hours.isEmpty { writer.member("hours") { $0.array { $0.numbers(hours) } } }
            writer.member("minutes") { $0.number(minutes) }
            writer.member("sessions_per_week") { $0.number(sessionsPerWeek) }
            writer.member("streak") { $0.number(streak) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func numbers(_ values: [Double]) {
        for value in values { number(value) }
    }
}

extension KinError {
    /// The same error with the context of another.
    fileprivate func within(_ other: KinError) -> KinError {
        other.context.reversed().reduce(self) { $0.within($1.name, $1.value) }
    }
}
