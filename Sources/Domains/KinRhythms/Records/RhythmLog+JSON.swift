extension RhythmLog {
    private static let keys = JSONKeys(["name", "date_of_birth", "events", "time_zone"], required: ["events"])

    /// Whether a log or an event has a field of a name.
    package static func isField(_ name: String) -> Bool {
        (keys.names + RhythmRecord.keys.names).contains(name)
    }

    /// Reads a log: an array of events, or an object of `name`, `date_of_birth`, `time_zone` and `events`.
    ///
    /// Times with an offset (`Z`, `+02:00`) are instants: their order and the time between them do not depend on a
    /// zone. The clocks of the log's time zone show them. Without a zone, the clock is that of the first beginning's
    /// offset; ``repairs`` report differing offsets. Times without an offset are readings of the clock on the baby's
    /// wall. An event with its own `time_zone` has that zone's day and times of day.
    ///
    /// An event of an unknown type is left out and listed among ``repairs``.
    ///
    /// - Throws: `.malformedInput`, naming line and column, the event and the field; also if no event has a known type.
    public init(json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in try RhythmLog(from: &reader) }
    }

    /// Reads a log as ``init(json:)`` does, as part of a larger text.
    ///
    /// - Parameter zone: The zone whose clocks show a log that names none; nil if unknown.
    package init(from reader: inout JSONReader, in zone: LocalZone? = nil) throws(KinError) {
        var baby = RhythmLog.Baby()
        var rows = RowReader()
        // Anything but an object must be the array itself.
        if reader.isAtObject() {
            // The zone may come after the events.
            var events: JSONReader?
            try reader.members(of: Self.keys) { reader, key throws(KinError) in
                switch key {
                case 0: baby.name = try reader.optionalString() ?? ""
                case 2:
                    events = reader
                    try reader.skip()
                case 3: baby.zone = try reader.optional(JSONForm.zone.read)
                default: baby.born = try reader.optional(JSONForm.birth.read)
                }
            }
            if var events { try rows.read(from: &events) }
        } else {
            try rows.read(from: &reader)
        }
        try rows.requireAny()
        self.init(rows.records, baby: baby, readingRepairs: rows.repairs, zone: baby.zone ?? zone)
    }

    /// The log as JSON: `name`, `date_of_birth`, `time_zone` and `events`, which ``init(json:)`` reads.
    public var json: String { json(of: records) }

    /// The log as ``json``, each event with an id.
    package var identifiedJSON: String { json(of: identified) }

    /// The rows, each with an id: that of the file, or type, start and a hash of the content.
    var identified: [RhythmRecord] {
        var counts: [String: Int] = [:]
        return records.map { row in
            guard row.note?.id?.isEmpty ?? true else { return row }
            var (row, hash) = (row, ContentHash())
            hash.mix(row.json)
            let id = "\(row.type.rawValue)-\(row.start)-\(hash.text)"
            let count = counts[id, default: 0] + 1
            counts[id] = count
            row.note = row.note ?? RhythmRecord.Note()
            row.note?.id = count == 1 ? id : "\(id)-\(count)"
            return row
        }
    }

    private func json(of rows: [RhythmRecord]) -> String {
        JSONWriter.object { writer in
            writer.member("name", baby.name)
            if let born = baby.born { writer.member("date_of_birth", born.dateOrDateTime) }
            if let zone = baby.zone ?? clock.zone { writer.member("time_zone", zone.name) }
            writer.member("events", rows)
        }
    }
}

/// A reader of the rows of a log.
private struct RowReader {
    var records: [RhythmRecord] = []
    var repairs: [RhythmRepair] = []
    /// The number of rows that were left out.
    private var leftOut = 0

    mutating func read(from reader: inout JSONReader) throws(KinError) {
        try reader.array { reader throws(KinError) in
            let row = records.count + leftOut + 1
            let beginning = reader
            do throws(KinError) {
                var record = try RhythmRecord(from: &reader)
                record.row = row
                records.append(record)
            } catch {
                reader = beginning
                guard let repair = unknownType(at: &reader, row: row) else { throw error.within("event", row) }
                repairs.append(repair)
                leftOut += 1
            }
        }
    }

    /// The repair for an event of an unknown type, which is skipped; nil for any other event.
    private func unknownType(at reader: inout JSONReader, row: Int) -> RhythmRepair? {
        guard let members = try? reader.rawMembers() else { return nil }
        func text(_ name: String) -> String? {
            members.first { $0.name == name }.flatMap { member in
                try? JSONReader.read(member.value) { reader throws(KinError) in try reader.string() }
            }
        }
        // Words are read in any case, so a known type is not the reason for the failure.
        guard let type = text("type"), !RhythmRecord.typeNames.contains(type.lowercased()) else { return nil }
        let start = (text("start") ?? text("timestamp")).flatMap { try? LoggedTime(parsing: $0) }
        return .unknownType(type, row: row, start: start ?? records.last?.start)
    }

    func requireAny() throws(KinError) {
        if records.isEmpty, let first = repairs.first {
            throw KinError(.malformedInput, first.text).within("event", first.row)
        }
    }
}
