/// A report on an imported log: the format, the used and ignored columns, the assumptions and the repaired rows.
public struct ImportReport: Sendable {
    /// A column whose data is not used.
    public struct IgnoredColumn: Sendable, Hashable {
        /// The name of the column in the file's first line, or of the JSON member.
        public let column: String
        /// The number of rows whose field is not used.
        public let rows: Int
        /// The first field that is not used.
        public let example: String
        /// The number of the first such row.
        public let row: Int
    }

    /// A file, or a list of a JSON file.
    public struct Part: Sendable {
        /// The name of the file or list.
        public let source: String
        /// The format that was recognised; nil if only the names of the columns were used.
        public internal(set) var format: String?
        /// A second format with most of the columns.
        public internal(set) var runnerUp: String?
        /// The encoding and the separator.
        public internal(set) var text: String
        /// The columns that are used, with their meanings.
        public internal(set) var columns: [(column: String, meaning: String)] = []
        /// The columns whose data is not used.
        public internal(set) var ignored: [IgnoredColumn] = []
        /// The assumptions that were made.
        public internal(set) var assumptions: [String] = []
        /// The number of rows that became events.
        public internal(set) var rows = 0
        /// The number of events of each type.
        var counts: [RhythmRecord.EventType: Int] = [:]

        init(source: String, text: String) { (self.source, self.text) = (source, text) }
    }

    /// The files and lists in reading order.
    public internal(set) var parts: [Part]
    /// The rows repaired or left out, as in `RhythmLog.repairs`. Repairs of usual habits are not among them, such as
    /// sleeps in pieces.
    public internal(set) var repairs: [RhythmRepair] = []

    /// The repairs of logs as people write them, which are not errors, and those among the assumptions.
    static let usual: Set<RhythmRepair.Problem> = [
        .fragments, .sameMeal, .gap, .clockShift, .noEnd, .removed, .severalCaregivers, .tooShort, .overlap, .utc,
    ]

    init(parts: [Part]) { self.parts = parts }

    /// The report on a log in Kin's own JSON.
    init(of log: RhythmLog, name: String, json: String) {
        var part = Part(source: name, text: "JSON")
        (part.format, part.rows) = ("Kin", log.records.count)
        if json.contains("\"volume\""), !json.contains("\"unit\"") {
            part.assumptions.append(
                "volumes without a unit are millilitres, because they are above \(DecimalText.short(RhythmRecord.mostOunces))"
            )
        }
        (parts, repairs) = ([part], log.readingRepairs)
    }

    /// The report in sentences, with the first repaired row; empty for one of Kin's own files without remarks.
    public var lines: [String] {
        let more = repairs.count > 1 ? "; and \(repairs.count - 1) more, which kin rhythm --repairs lists" : ""
        return parts.flatMap { part in
            let place = parts.count > 1 ? "\(part.source): " : ""
            var lines: [String] = []
            if part.rows > 0 || part.ignored.isEmpty && part.assumptions.isEmpty,
                part.format != "Kin" || parts.count > 1
            {
                let format =
                    part.format.map { "read as \($0)" }
                    ?? "read by the names of the columns, because no tracker has them all"
                let near = part.runnerUp.map { "; \($0) has most of them too" } ?? ""
                let used = part.columns.map { "\($0.column) is \($0.meaning)" }.joined(separator: ", ")
                let counts = RhythmRecord.EventType.allCases.compactMap { type in
                    part.counts[type].map { Plural.count($0, type.rawValue) }
                }
                let events = counts.isEmpty ? Plural.count(part.rows, "event") : counts.joined(separator: ", ")
                lines.append("\(place)\(format)\(near) (\(part.text), \(events)): \(used)")
            }
            lines += part.assumptions.map { place + $0 }
            lines += part.ignored.map {
                "\(place)column \($0.column) is not used in \(Plural.count($0.rows, "row")), such as \"\(CSVField.shown($0.example))\" in row \($0.row)"
            }
            return lines
        } + repairs.prefix(1).map { "row \($0.row): \($0.text)\(more)" }
    }

    /// The first remark that a strict import refuses; nil if everything was understood.
    var complaint: String? {
        for part in parts {
            let place = parts.count > 1 ? "\(part.source): " : ""
            if let column = part.ignored.first {
                return
                    "\(place)column \(column.column) holds data that is not used, such as \"\(CSVField.shown(column.example))\" in row \(column.row)"
            }
            if let assumption = part.assumptions.first { return place + assumption }
        }
        return repairs.first.map { "row \($0.row): \($0.text)" }
    }

    /// The report as a JSON object: `files` and `repairs`.
    public var json: String {
        JSONWriter.object { writer in
            writer.objects("files", parts) { part, writer in
                writer.member("source", part.source)
                if let format = part.format { writer.member("format", format) }
                if let runnerUp = part.runnerUp { writer.member("runner_up", runnerUp) }
                writer.member("text", part.text)
                writer.member("events", part.rows)
                writer.objects("columns", part.columns) { column, writer in
                    writer.member("column", column.column)
                    writer.member("meaning", column.meaning)
                }
                writer.objects("ignored", part.ignored) { column, writer in
                    writer.member("column", column.column)
                    writer.member("rows", column.rows)
                    writer.member("example", column.example)
                    writer.member("row", column.row)
                }
                writer.member("assumptions", part.assumptions)
            }
            writer.member("repairs", repairs)
        }
    }
}
