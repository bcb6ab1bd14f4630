import Foundation
import Kin

/// Reads a log from CSV.
struct RhythmCSVReader {
    let text: String
    /// The zone whose clocks show the log's instants; nil when it is not known.
    let zone: LocalZone?

    /// Reads the log of a baby, as ``RhythmLogFile/read(_:born:zone:)`` says.
    func log() throws(KinError) -> RhythmLog {
        let table = try CSVTable(text, columns: "type,start,end,duration_min,subtype,amount_ml")
        let columns = try Columns(table)
        var (records, repairs) = ([RhythmRecord](), [RhythmRepair]())
        records.reserveCapacity(table.rows.count)
        var firstUnknown: Int?
        for row in table.rows {
            do throws(KinError) {
                let start = try columns.start(row.fields)
                guard RhythmRecord.typeNames.contains(columns.type(of: row.fields)) else {
                    repairs.append(
                        .unknownType(columns.typeText(of: row.fields), row: row.number, start: start))
                    firstUnknown = firstUnknown ?? row.line
                    continue
                }
                let end = try columns.end(row.fields)
                records.append(
                    try columns.record(
                        row.fields, from: start, to: end, number: row.number, repairs: &repairs))
            } catch {
                throw error.within("line", row.line)
            }
        }
        if records.isEmpty, let firstUnknown, let repair = repairs.first {
            throw KinError(.malformedInput, repair.text).within("column", "type").within("line", firstUnknown)
        }
        return RhythmLog(records, baby: RhythmLog.Baby(), readingRepairs: repairs, zone: zone)
    }
}

extension RhythmCSVReader {
    /// The position of each column by its name, and the meaning of its fields.
    private struct Columns {
        private let positions: [String: Int]

        init(_ table: CSVTable) throws(KinError) {
            let names = table.header.map { $0.lowercased() }
            guard names.contains("type"), names.contains("start") else {
                throw KinError(
                    .malformedInput,
                    "the first line has the columns \(names.joined(separator: ", ")); a log needs at least type and start"
                ).within("line", table.headerLine)
            }
            positions = Dictionary(zip(names, names.indices)) { first, _ in first }
        }

        /// A field without the blanks around it; empty where there is no such column.
        func field(_ row: [String], _ column: String) -> String {
            positions[column].map { row[$0].trimmingCharacters(in: .whitespaces) } ?? ""
        }

        func typeText(of row: [String]) -> String { field(row, "type") }

        /// The type of a row, which may be written in any case.
        func type(of row: [String]) -> String { typeText(of: row).lowercased() }

        func end(_ row: [String]) throws(KinError) -> LoggedTime? {
            try time(row, "end")
        }

        func start(_ row: [String]) throws(KinError) -> LoggedTime {
            guard let start = try time(row, "start") else {
                throw KinError(.malformedInput, "the field is empty; every row has a start")
                    .within("column", "start")
            }
            return start
        }

        func record(
            _ row: [String], from start: LoggedTime, to logged: LoggedTime?, number: Int,
            repairs: inout [RhythmRepair]
        ) throws(KinError) -> RhythmRecord {
            var found: [RhythmRepair] = []
            func note(_ problem: RhythmRepair.Problem, _ text: String) {
                found.append(RhythmRepair(row: number, start: start, problem: problem, text: text))
            }
            defer { repairs += found }
            var end = logged
            let minutes = try self.number(row, "duration_min")
            let subtype = field(row, "subtype")
            let word = subtype.lowercased()
            // A file without a column of ends tells them by durations; where there is one, that is worth a word.
            if end == nil, let minutes, minutes > 0, minutes <= Self.longestDuration {
                end = start.later(by: minutes)
                if positions["end"] != nil {
                    note(.endByDuration, "has no end; \(minutes) minutes after its beginning are taken")
                }
            } else if end == nil, let minutes, minutes != 0 {
                note(.endByDuration, "has no end, and a duration of \(minutes) minutes tells none")
            }
            switch type(of: row) {
            case "sleep":
                if let end, let minutes, abs(end.minutes(since: start) - minutes) > 1.5 {
                    note(
                        .endByDuration,
                        "takes \(DecimalText.short(end.minutes(since: start))) minutes by its end and \(minutes) by "
                            + "duration_min; the end counts")
                }
                return RhythmRecord(start: start, event: .sleep(RhythmRecord.Sleep(end: end)), row: number)
            case "feed":
                if !Self.isFeed(word) {
                    note(.unknownWord, "\"\(subtype.prefix(40))\" is no way to be fed; left open")
                }
                let feed = RhythmRecord.Feed(
                    end: end, method: Self.method(word), side: Self.side(word),
                    millilitres: try self.number(row, "amount_ml"), minutes: minutes)
                return RhythmRecord(start: start, event: .feed(feed), row: number)
            case "diaper":
                let diaper = word == "mixed" ? .both : RhythmRecord.Diaper(rawValue: word)
                if diaper == nil {
                    note(
                        .unknownWord,
                        "\"\(subtype.prefix(40))\" is no kind of diaper, which are wet, dirty, both and dry; counted as both"
                    )
                }
                return RhythmRecord(start: start, event: .diaper(diaper ?? .both), row: number)
            default:
                return RhythmRecord(start: start, event: .milestone(title: subtype, category: .physical), row: number)
            }
        }

        /// Minutes of the longest duration that tells an end: a week.
        private static let longestDuration = 10_080.0

        private static func isFeed(_ subtype: String) -> Bool {
            method(subtype) != nil || subtype.isEmpty || subtype == "unspecified"
        }

        private func time(
            _ row: [String], _ column: String
        ) throws(KinError) -> LoggedTime? {
            let text = field(row, column)
            guard !text.isEmpty else { return nil }
            do {
                return try LoggedTime(parsing: text)
            } catch {
                throw error.within("column", column)
            }
        }

        private func number(_ row: [String], _ column: String) throws(KinError) -> Double? {
            let text = field(row, column)
            return text.isEmpty ? nil : try CSVTable.number(text, column: column)
        }

        private static func method(_ subtype: String) -> RhythmRecord.Feed.Method? {
            if subtype.hasPrefix("breast") { return .breast }
            if subtype.hasPrefix("bottle") { return .bottle }
            return subtype.hasPrefix("solid") ? .solids : nil
        }

        private static func side(_ subtype: String) -> RhythmRecord.Feed.Side? {
            switch subtype {
            case "breast-left": .left
            case "breast-right": .right
            case "breast": .both
            default: nil
            }
        }
    }
}
