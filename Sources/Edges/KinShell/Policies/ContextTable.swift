import Foundation
import Kin
import SwiftCSV

/// The rows of a CSV file as contexts: numbers as they are, words as one feature for each word of the column.
struct ContextTable {
    /// The names of the features.
    private(set) var features: [String] = []
    /// A row for each round.
    private(set) var contexts = Matrix<Double>(rows: 0, columns: 0)
    /// The number of columns that the features come from.
    private(set) var columns = 0
    /// The columns that were set aside, by name.
    private(set) var aside: [String: [String]] = [:]

    /// Reads a file whose first line names the columns.
    ///
    /// - Parameters:
    ///   - aside: Columns that are no features but wanted by themselves.
    ///   - ignored: Columns that are left out.
    init(_ path: String, aside names: [String], ignored: [String]) throws {
        let reader = try ByteReader(path: path)
        let text = try reader.text(of: "file")
        do throws(KinError) {
            try read(try Self.records(text), aside: names, ignored: ignored)
        } catch {
            throw Failure(error.within("file", reader.name))
        }
    }

    /// All records with their lines; blank lines are left out.
    private static func records(_ text: String) throws(KinError) -> [(line: Int, fields: [String])] {
        let rows = RecordList()
        do {
            let ended = text.hasSuffix("\n") ? text : text + "\n"
            let delimiter = CSVDelimiter.guessed(string: String(text.prefix(1 << 16)))
            try CSV<RecordsOnDemand>(string: ended, delimiter: delimiter).enumerateAsArray(startAt: 0, rowLimit: nil) {
                rows.all.append($0)
            }
        } catch {
            throw KinError(
                .malformedInput,
                "the text is not CSV: a quote stands inside a field; double it and quote the whole field")
        }
        var line = 1
        var records: [(line: Int, fields: [String])] = []
        for row in rows.all {
            if !(row.count == 1 && row[0].allSatisfy(\.isWhitespace)) { records.append((line, row)) }
            line += 1 + row.reduce(0) { $0 + CSVBlockParser.lineEnds(in: $1) }
        }
        return records
    }

    private mutating func read(
        _ records: [(line: Int, fields: [String])], aside names: [String], ignored: [String]
    ) throws(KinError) {
        guard let header = records.first?.fields.map({ $0.trimmingCharacters(in: .whitespaces) }), records.count > 1
        else { throw KinError(.malformedInput, "the file has no rows; its first line names the columns") }
        for name in names + ignored where !header.contains(name) {
            let near = Spelling.nearest(to: name, in: header).map { "; did you mean \($0)?" } ?? ""
            throw KinError(.malformedInput, "there is no column \(name)\(near)").within("line", records[0].line)
        }
        for (line, fields) in records where fields.count != header.count {
            throw KinError(
                .malformedInput, "\(NumberText.count(fields.count, "field")), where \(header.count) are expected"
            ).within("line", line)
        }
        for name in names {
            let place = header.firstIndex(of: name) ?? 0
            aside[name] = records.dropFirst().map { $0.fields[place].trimmingCharacters(in: .whitespaces) }
        }
        let kept = header.indices.filter { !names.contains(header[$0]) && !ignored.contains(header[$0]) }
        guard !kept.isEmpty else { throw KinError(.malformedInput, "no column is left that could be a feature") }
        columns = kept.count
        try encode(records.dropFirst().map(\.fields), columns: kept.map { ($0, header[$0]) })
    }

    /// Turns columns into features.
    private mutating func encode(_ rows: [[String]], columns: [(place: Int, name: String)]) throws(KinError) {
        var values: [[Double]] = []
        for (place, name) in columns {
            let fields = rows.map { $0[place].trimmingCharacters(in: .whitespaces) }
            let numbers = fields.compactMap { Double($0) }.filter(\.isFinite)
            if numbers.count == fields.count {
                guard numbers.contains(where: { $0 != numbers[0] }) else { continue }
                features.append(name)
                values.append(numbers)
            } else {
                for word in Set(fields).sorted() {
                    features.append("\(name)=\(word)")
                    values.append(fields.map { $0 == word ? 1 : 0 })
                }
            }
        }
        guard !features.isEmpty else { throw KinError(.malformedInput, "every column is the same in all rows") }
        var elements: [Double] = []
        elements.reserveCapacity(rows.count * values.count)
        for row in rows.indices { for column in values { elements.append(column[row]) } }
        contexts = try Matrix(rows: rows.count, columns: values.count, elements: elements)
    }
}

/// Collects what a closure that may not capture variables sees.
private final class RecordList {
    var all: [[String]] = []
}

extension ContextTable {
    /// The words of a column set aside, as numbers of the words in order.
    func arms(_ column: String) -> (names: [String], arms: [Int]) {
        let words = aside[column] ?? []
        let names = Set(words).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        return (names, words.map { numbers[$0] ?? 0 })
    }

    /// The numbers of a column set aside.
    func numbers(_ column: String) throws(KinError) -> [Double] {
        var numbers: [Double] = []
        for (row, field) in (aside[column] ?? []).enumerated() {
            guard let number = Double(field), number.isFinite else {
                throw KinError(.malformedInput, "'\(CSVBlockParser.shown(field))' is not a number")
                    .within("column", column).within("row", row + 1)
            }
            numbers.append(number)
        }
        return numbers
    }
}
