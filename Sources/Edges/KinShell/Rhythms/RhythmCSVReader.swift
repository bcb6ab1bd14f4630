import Foundation
import Kin
import SwiftCSV

/// Reads a log from CSV: columns type, start, end, duration_min, subtype, amount_ml, in any order; others are left alone.
struct RhythmCSVReader {
    let text: String

    /// The log of a baby that was read. Blank lines are passed over; a row whose type is none of a log's is left out and listed among the
    /// log's repairs, as is each word that is none of its column's.
    ///
    /// - Throws: `.malformedInput` with line and column; also where no row has a type of a log's.
    func log() throws(KinError) -> RhythmLog {
        let rows = RowList()
        do {
            let ended = text.hasSuffix("\n") ? text : text + "\n"
            try CSV<RecordsOnDemand>(string: ended, delimiter: .comma).enumerateAsArray(startAt: 0, rowLimit: nil) {
                rows.all.append($0)
            }
        } catch {
            throw KinError(
                .malformedInput,
                "the text is not CSV: a quote stands inside a field; double it and quote the whole field")
        }
        return try log(rows.all)
    }

    private func log(_ rows: [[String]]) throws(KinError) -> RhythmLog {
        guard let header = rows.first else {
            throw KinError(
                .malformedInput,
                "the file is empty; its first line should be type,start,end,duration_min,subtype,amount_ml")
        }
        let columns = try Columns(header)
        var (records, repairs) = ([RhythmRecord](), [RhythmRepair]())
        records.reserveCapacity(rows.count)
        var line = 1
        var firstUnknown: Int?
        for (number, row) in rows.enumerated() {
            defer { line += 1 + row.reduce(0) { $0 + CSVBlockParser.lineEnds(in: $1) } }
            guard number > 0, !(row.count == 1 && row[0].allSatisfy(\.isWhitespace)) else { continue }
            guard row.count == header.count else {
                throw KinError(
                    .malformedInput, "\(NumberText.count(row.count, "field")), where \(header.count) are expected"
                ).within("line", line)
            }
            let start = try columns.start(row, line: line)
            guard RhythmRecord.typeNames.contains(columns.type(of: row)) else {
                repairs.append(.unknownType(columns.type(of: row), row: number, start: start))
                firstUnknown = firstUnknown ?? line
                continue
            }
            records.append(try columns.record(row, from: start, number: number, line: line, repairs: &repairs))
        }
        if records.isEmpty, let firstUnknown, let repair = repairs.first {
            throw KinError(.malformedInput, repair.text).within("column", "type").within("line", firstUnknown)
        }
        return RhythmLog(records, baby: RhythmLog.Baby(), readingRepairs: repairs)
    }
}

extension RhythmCSVReader {
    /// The position of each column, and the meaning of its fields.
    private struct Columns {
        let type: Int
        let start: Int
        let end: Int?
        let duration: Int?
        let subtype: Int?
        let amount: Int?
        let last: Int

        init(_ header: [String]) throws(KinError) {
            let names = header.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            guard let type = names.firstIndex(of: "type"), let start = names.firstIndex(of: "start") else {
                throw KinError(
                    .malformedInput,
                    "the first line has the columns \(names.joined(separator: ", ")); a log needs at least type and start"
                ).within("line", 1)
            }
            self.type = type
            self.start = start
            end = names.firstIndex(of: "end")
            duration = names.firstIndex(of: "duration_min")
            subtype = names.firstIndex(of: "subtype")
            amount = names.firstIndex(of: "amount_ml")
            last = header.count - 1
        }

        func field(_ row: [String], _ column: Int?) -> String {
            column.map { row[$0].trimmingCharacters(in: .whitespaces) } ?? ""
        }

        func type(of row: [String]) -> String { field(row, type) }

        func start(_ row: [String], line: Int) throws(KinError) -> LocalDateTime {
            guard let start = try instant(row, self.start, "start", line: line) else {
                throw KinError(.malformedInput, "the field is empty; every row has a start")
                    .within("column", "start").within("line", line)
            }
            return start
        }

        func record(
            _ row: [String], from start: LocalDateTime, number: Int, line: Int, repairs: inout [RhythmRepair]
        ) throws(KinError) -> RhythmRecord {
            var found: [RhythmRepair] = []
            func note(_ problem: RhythmRepair.Problem, _ text: String) {
                found.append(RhythmRepair(row: number, start: start, problem: problem, text: text))
            }
            defer { repairs += found }
            var end = try instant(row, self.end, "end", line: line)
            let minutes = try self.number(row, duration, "duration_min", line: line)
            let subtype = field(row, self.subtype)
            // A file without a column of ends tells them by durations; where there is one, that is worth a word.
            if end == nil, let minutes, minutes > 0, minutes <= Self.longestDuration {
                end = LocalDateTime(localMinutes: start.localMinutes + minutes)
                if self.end != nil {
                    note(.endByDuration, "has no end; \(minutes) minutes after its beginning are taken")
                }
            } else if end == nil, let minutes, minutes != 0 {
                note(.endByDuration, "has no end, and a duration of \(minutes) minutes tells none")
            }
            switch type(of: row) {
            case "sleep":
                if let end, let minutes, abs(end.localMinutes - start.localMinutes - minutes) > 1.5 {
                    note(
                        .endByDuration,
                        "takes \(NumberText.short(end.localMinutes - start.localMinutes)) minutes by its end and \(minutes) by "
                            + "duration_min; the end counts")
                }
                return RhythmRecord(start: start, event: .sleep(RhythmRecord.Sleep(end: end)), row: number)
            case "feed":
                if !Self.isFeed(subtype) {
                    note(.unknownWord, "\"\(subtype.prefix(40))\" is no way to be fed; left open")
                }
                let feed = RhythmRecord.Feed(
                    end: end, method: Self.method(subtype), side: Self.side(subtype),
                    millilitres: try self.number(row, amount, "amount_ml", line: line), minutes: minutes)
                return RhythmRecord(start: start, event: .feed(feed), row: number)
            case "diaper":
                let diaper = subtype == "mixed" ? .both : RhythmRecord.Diaper(rawValue: subtype)
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

        private func instant(_ row: [String], _ column: Int?, _ name: String, line: Int) throws(KinError)
            -> LocalDateTime?
        {
            let text = field(row, column)
            guard !text.isEmpty else { return nil }
            do {
                return try LocalDateTime(parsing: text)
            } catch {
                throw error.within("column", name).within("line", line)
            }
        }

        private func number(_ row: [String], _ column: Int?, _ name: String, line: Int) throws(KinError) -> Double? {
            let text = field(row, column)
            guard !text.isEmpty else { return nil }
            guard let value = Double(text), value.isFinite else {
                throw KinError(.malformedInput, "'\(CSVBlockParser.shown(text))' is not a number")
                    .within("column", name).within("line", line)
            }
            return value
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

/// Collects rows; a class, because SwiftCSV hands them to an escaping closure.
private final class RowList {
    var all: [[String]] = []
}
