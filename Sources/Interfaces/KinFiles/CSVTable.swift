import Foundation

/// A delimited text with a header: the names of its columns, and its rows with their first lines.
///
/// The whole text is in memory; blank lines are left out. ``CSVVectorReader`` reads vectors in blocks instead.
struct CSVTable {
    /// A row with one field for each column.
    struct Row {
        /// The number of records before the row, including the header and blank lines.
        let number: Int
        /// The first line of the row, from 1.
        let line: Int
        let fields: [String]
    }

    /// The names of the columns, without surrounding whitespace.
    let header: [String]
    /// The separator in words: "commas".
    let separator: String
    /// The line of the header, from 1.
    let headerLine: Int
    let rows: [Row]

    /// Reads header and rows of a text.
    ///
    /// - Parameters:
    ///   - text: Lines of fields, as in RFC 4180; the separator is detected.
    ///   - columns: The columns of such a text, for the error about a missing header.
    ///   - isPadded: Whether a row may lack its last fields, or have additional fields.
    /// - Throws: `.malformedInput` with the line.
    init(_ text: String, columns: String, isPadded: Bool = false) throws(KinError) {
        if text.first(where: { !$0.isWhitespace }) == "<" {
            throw KinError(.malformedInput, "the file is XML or HTML; convert it to CSV with the columns \(columns)")
        }
        // Excel's first line names the separator.
        let isMarked = text.prefix(4).lowercased() == "sep="
        var reader = DelimitedText(Array(text.utf8), separator: isMarked ? text.utf8.dropFirst(4).first : nil)
        separator = DelimitedText.name(of: reader.separator)
        var records = try reader.records()
        if isMarked, !records.isEmpty { records.removeFirst() }
        guard let first = records.first else {
            throw KinError(.malformedInput, "the file is empty; its first line names the columns: \(columns)")
        }
        if !isPadded, let row = records.first(where: { $0.fields.count != first.fields.count }) {
            throw Self.wrongCount(row.fields.count, expected: first.fields.count, separator).within("line", row.line)
        }
        header = first.fields.map { $0.trimmingCharacters(in: .whitespaces) }
        headerLine = first.line
        rows = Array(records.dropFirst())
    }

    /// Finds the index of a column.
    ///
    /// - Throws: `.malformedInput` with the line of the header and a likely correction.
    func column(_ name: String) throws(KinError) -> Int {
        if let place = header.firstIndex(of: name) { return place }
        let near = Spelling.nearest(to: name, in: header).map { "; did you mean \($0)?" } ?? ""
        throw KinError(
            .malformedInput, "there is no column \(name)\(near); the columns are \(header.joined(separator: ", "))"
        ).within("line", headerLine)
    }

    /// A number in a field; a comma is the decimal mark unless commas separate the fields.
    ///
    /// - Throws: `.malformedInput` with the column.
    func number(_ field: String, column: String) throws(KinError) -> Double {
        guard let value = CSVField.number(field, decimalComma: separator != "commas"), value.isFinite else {
            throw Self.notANumber(field, column: column)
        }
        return value
    }

    /// The error about a field that is not a number.
    static func notANumber(_ field: String, column: String) -> KinError {
        KinError(.malformedInput, "'\(CSVField.shown(field))' is not a number").within("column", column)
    }

    /// The error about a row with too few or too many fields.
    static func wrongCount(_ count: Int, expected: Int, _ separator: String) -> KinError {
        KinError(
            .malformedInput,
            "\(Plural.count(count, "field")), where \(expected) are expected; \(separator) separate the fields")
    }
}

/// Facts about the fields of delimited text.
enum CSVField {
    /// The number in a field, with optional surrounding spaces; nil for other text, also for hexadecimal numbers.
    ///
    /// - Parameter decimalComma: Whether a single comma may be the decimal mark.
    static func number(_ field: String, decimalComma: Bool = false) -> Double? {
        let text = field.trimmingCharacters(in: .whitespaces)
        if let value = Double(text) { return isHexadecimal(text) ? nil : value }
        guard decimalComma, text.utf8.count(where: { $0 == 0x2C }) == 1, !text.contains(".") else { return nil }
        return Double(text.replacing(",", with: "."))
    }

    /// The numbers of a column in a different writing: with a unit that all have (`5.25%`, `5 kg`, `$5`), a decimal comma,
    /// or separated thousands (`5,250.00`); nil unless most fields are such numbers. Fields are nil if they
    /// are not, and empty ones do not count.
    ///
    /// A comma before three digits separates thousands, unless another field of the column has a decimal comma.
    static func measures(_ fields: [String], decimalComma: Bool) -> [Double?]? {
        let hasComma =
            decimalComma
            || fields.contains { field in
                let parts = field.split(separator: ",", omittingEmptySubsequences: false)
                return parts.count == 2 && !field.contains(".") && parts[1].prefix(while: \.isNumber).count != 3
            }
        let found = fields.map { measure($0, decimalComma: hasComma) }
        let known = found.compactMap(\.self)
        let isOne = Set(known.map(\.unit)).subtracting([""]).count <= 1
        return isOne && 2 * known.count > fields.count { !$0.isEmpty } ? found.map { $0?.value } : nil
    }

    private static func measure(_ field: String, decimalComma: Bool) -> (value: Double, unit: String)? {
        let text = field.drop { $0.isCurrencySymbol || $0.isWhitespace }
        guard let last = text.lastIndex(where: { $0.isASCII && $0.isNumber }) else { return nil }
        let number = text[...last]
        let isMark = { (character: Character) in ",.'’".contains(character) || character.isWhitespace }
        let marks = number.filter(isMark)
        var groups = number.split(omittingEmptySubsequences: false, whereSeparator: isMark)
        // The last of different marks is the decimal one.
        let isDecimal =
            marks.count == 1
            ? marks == "." || marks == "," && decimalComma : marks.dropLast().allSatisfy { $0 != marks.last }
        let fraction = isDecimal && !marks.isEmpty ? "." + groups.removeLast() : ""
        guard groups.dropFirst().allSatisfy({ $0.count == 3 }),
            let value = self.number(groups.joined() + fraction), value.isFinite
        else { return nil }
        return (value, String(text[text.index(after: last)...]).trimmed)
    }

    /// The texts of a list such as `[0.1, 0.2]`, `{0.1, 0.2}`, `(0.1, 0.2)` or NumPy's `[0.1 0.2]`; nil for other fields.
    static func list(_ field: String) -> [String]? {
        let text = field.trimmed.utf8
        guard text.count > 2, let first = text.first, let last = text.last,
            ["[]", "{}", "()"].contains(String(decoding: [first, last], as: UTF8.self))
        else { return nil }
        return text.dropFirst().dropLast().split { $0 <= 0x20 || $0 == DelimitedText.comma }.map { String($0)! }
    }

    /// Whether a number is hexadecimal, such as `0x10`.
    static func isHexadecimal(_ number: String) -> Bool { number.utf8.contains { $0 | 0x20 == 0x78 } }

    /// A field as shown in errors: on one line, and shortened.
    static func shown(_ field: String) -> String {
        let line = String(field.map { $0.isNewline ? "⏎" : $0 })
        return line.count > 40 ? line.prefix(40) + "…" : line
    }
}
