import Foundation
import Kin
import SwiftCSV

/// A delimited text with a header: the names of its columns, and its rows with the lines that they begin on.
///
/// The whole text is in memory; blank lines are left out. Vectors are read by ``CSVVectorReader``, in blocks.
struct CSVTable {
    /// A row of as many fields as there are columns.
    struct Row {
        /// The number of records before it, the header and blank ones among them.
        let number: Int
        /// The line that it begins on, from 1.
        let line: Int
        let fields: [String]
    }

    /// The names of the columns, without the blanks around them.
    let header: [String]
    /// The line of the header, from 1.
    let headerLine: Int
    let rows: [Row]

    /// Reads header and rows of a text.
    ///
    /// - Parameters:
    ///   - text: Lines of fields as RFC 4180 has them.
    ///   - delimiter: The character between fields; nil: guessed from the first lines.
    ///   - columns: The columns that a text of this kind has, for the error about a text without a header.
    /// - Throws: `.malformedInput` with the line.
    init(_ text: String, delimiter: Character? = ",", columns: String) throws(KinError) {
        let records = try Self.records(text, delimiter: delimiter)
        guard let first = records.first else {
            throw KinError(.malformedInput, "the file is empty; its first line names the columns: \(columns)")
        }
        for row in records where row.fields.count != first.fields.count {
            throw Self.wrongCount(row.fields.count, expected: first.fields.count).within("line", row.line)
        }
        header = first.fields.map { $0.trimmingCharacters(in: .whitespaces) }
        headerLine = first.line
        rows = Array(records.dropFirst())
    }

    /// The place of a column.
    ///
    /// - Throws: `.malformedInput` with the line of the header and a likely correction.
    func column(_ name: String) throws(KinError) -> Int {
        if let place = header.firstIndex(of: name) { return place }
        let near = Spelling.nearest(to: name, in: header).map { "; did you mean \($0)?" } ?? ""
        throw KinError(
            .malformedInput, "there is no column \(name)\(near); the columns are \(header.joined(separator: ", "))"
        ).within("line", headerLine)
    }

    /// A number in a field.
    ///
    /// - Throws: `.malformedInput` with the column.
    static func number(_ field: String, column: String) throws(KinError) -> Double {
        guard let value = Double(field), value.isFinite else {
            throw notANumber(field, column: column)
        }
        return value
    }

    /// The error about a field that is no number.
    static func notANumber(_ field: String, column: String) -> KinError {
        KinError(.malformedInput, "'\(CSVField.shown(field))' is not a number").within("column", column)
    }

    /// The error about a row with too few or too many fields.
    static func wrongCount(_ count: Int, expected: Int) -> KinError {
        KinError(.malformedInput, "\(Plural.count(count, "field")), where \(expected) are expected")
    }

    private static func records(_ text: String, delimiter: Character?) throws(KinError) -> [Row] {
        var (rows, count, line) = ([Row](), 0, 1)
        do {
            // SwiftCSV drops an empty last field where the last line lacks its line end.
            let ended = text.hasSuffix("\n") ? text : text + "\n"
            let delimiter =
                delimiter.map { CSVDelimiter(unicodeScalarLiteral: $0) }
                ?? CSVDelimiter.guessed(string: String(text.prefix(1 << 16)))
            try CSV<RecordsOnDemand>(string: ended, delimiter: delimiter).enumerateAsArray(startAt: 0, rowLimit: nil) {
                if !CSVField.areBlank($0) { rows.append(Row(number: count, line: line, fields: $0)) }
                count += 1
                line += 1 + $0.reduce(0) { $0 + CSVField.lineEnds(in: $1) }
            }
        } catch {
            throw KinError(.malformedInput, "the text is not CSV: \(CSVField.strayQuote)")
        }
        return rows
    }
}

/// Facts about the fields of delimited text.
enum CSVField {
    /// The message about a quote that neither begins nor ends a field.
    static let strayQuote = "a quote stands inside a field; double it and quote the whole field"

    /// A number as it stands in a field; blanks around it are allowed.
    static func number(_ field: String) -> Double? { Double(field.trimmingCharacters(in: .whitespaces)) }

    /// Line ends inside a quoted field.
    static func lineEnds(in field: String) -> Int { field.utf8.count { $0 == 0x0A } }

    /// A field as an error shows it: on one line and not too long.
    static func shown(_ field: String) -> String {
        let line = String(field.map { $0.isNewline ? "⏎" : $0 })
        return line.count > 40 ? line.prefix(40) + "…" : line
    }

    /// Whether a record is a blank line.
    static func areBlank(_ fields: [String]) -> Bool { fields.count == 1 && fields[0].allSatisfy(\.isWhitespace) }
}

/// A view that keeps no rows, so that SwiftCSV's records are only ever enumerated, never stored twice.
struct RecordsOnDemand: CSVView {
    var rows: [[String]] { [] }
    var columns: [[String]]? { nil }

    init(header: [String], text: String, delimiter: CSVDelimiter, loadColumns: Bool, rowLimit: Int?) {}

    func serialize(header: [String], delimiter: CSVDelimiter) -> String { "" }
}
