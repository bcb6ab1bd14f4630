import Foundation
import Kin
import SwiftCSV

/// Reads a log from CSV: columns type, start, end, duration_min, subtype, amount_ml, in any order; others are left alone.
struct RhythmCSVReader {
    let text: String

    /// The rows; nothing is left out but blank lines.
    ///
    /// - Throws: `.malformedInput` with line and column.
    func records() throws(KinError) -> [RhythmRecord] {
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
        return try records(rows.all)
    }

    private func records(_ rows: [[String]]) throws(KinError) -> [RhythmRecord] {
        guard let header = rows.first else {
            throw KinError(
                .malformedInput,
                "the file is empty; its first line should be type,start,end,duration_min,subtype,amount_ml")
        }
        let columns = try Columns(header)
        var records: [RhythmRecord] = []
        records.reserveCapacity(rows.count)
        var line = 1
        for (number, row) in rows.enumerated() {
            defer { line += 1 + row.reduce(0) { $0 + CSVBlockParser.lineEnds(in: $1) } }
            guard number > 0, !(row.count == 1 && row[0].allSatisfy(\.isWhitespace)) else { continue }
            guard row.count == header.count else {
                throw KinError(
                    .malformedInput, "\(NumberText.count(row.count, "field")), where \(header.count) are expected"
                ).within("line", line)
            }
            records.append(try columns.record(row, number: number, line: line))
        }
        return records
    }
}

extension RhythmCSVReader {
    /// Where each column is, and what its fields mean.
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

        func record(_ row: [String], number: Int, line: Int) throws(KinError) -> RhythmRecord {
            let start = try instant(row, self.start, "start", line: line)
            guard let start else {
                throw KinError(.malformedInput, "the field is empty; every row has a start")
                    .within("column", "start").within("line", line)
            }
            var end = try instant(row, self.end, "end", line: line)
            let minutes = try self.number(row, duration, "duration_min", line: line)
            let subtype = field(row, self.subtype)
            switch field(row, type) {
            case "sleep":
                // A file without the column tells ends by durations. Where there is one, an empty field is an end not known.
                if self.end == nil, let minutes, minutes > 0, minutes < 1e6 {
                    end = Timestamp(localMinutes: start.localMinutes + minutes)
                }
                return RhythmRecord(start: start, event: .sleep(RhythmRecord.Sleep(end: end)), row: number)
            case "feed":
                let feed = RhythmRecord.Feed(
                    end: end, method: Self.method(subtype), side: Self.side(subtype),
                    millilitres: try self.number(row, amount, "amount_ml", line: line), minutes: minutes)
                return RhythmRecord(start: start, event: .feed(feed), row: number)
            case "diaper":
                let diaper: RhythmRecord.Diaper =
                    switch subtype {
                    case "wet": .wet
                    case "dirty": .dirty
                    case "dry": .dry
                    default: .both
                    }
                return RhythmRecord(start: start, event: .diaper(diaper), row: number)
            case "milestone":
                return RhythmRecord(start: start, event: .milestone(title: subtype, category: .physical), row: number)
            case let other:
                throw KinError(
                    .malformedInput,
                    "'\(CSVBlockParser.shown(other))' is not a type; write sleep, feed, diaper or milestone"
                ).within("column", "type").within("line", line)
            }
        }

        private func instant(_ row: [String], _ column: Int?, _ name: String, line: Int) throws(KinError) -> Timestamp?
        {
            let text = field(row, column)
            guard !text.isEmpty else { return nil }
            do {
                return try LocalClock.instant(text)
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
