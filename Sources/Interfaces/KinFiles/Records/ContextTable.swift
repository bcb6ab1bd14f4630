import Foundation

/// The rows of a CSV file as contexts: numbers unchanged, words as one feature for each word of the column.
public struct ContextTable: Sendable {
    /// The names of the features.
    public private(set) var features: [String] = []
    /// A row for each round.
    public private(set) var contexts = Matrix<Double>(rows: 0, columns: 0)
    /// The number of columns that the features come from.
    public private(set) var columns = 0
    /// The fields of the columns that were set aside, by name.
    public private(set) var setAside: [String: [String]] = [:]

    /// Remarks on missing fields and on a column that numbers the rows.
    public private(set) var notes: [String] = []
    private var table: CSVTable?

    /// Reads a CSV file whose first line names the columns.
    ///
    /// A column is one feature if at least half of its fields are numbers, also with a unit that all have (`5 %`), a
    /// decimal comma or separated thousands; the mean replaces missing fields. Other columns, and those named as
    /// categories, become a feature for each word. A column that numbers the rows (`RowNumbers`) is not a feature.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - names: Columns that are set aside and not features.
    ///   - ignored: Columns to leave out.
    ///   - categories: Columns whose numbers are words.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with the line; also if no column is
    ///   left, every column is constant, a mostly numeric column has a word, or nearly all words of a column differ.
    public init(
        reading path: String, settingAside names: [String] = [], ignoring ignored: [String] = [],
        categories: [String] = []
    ) throws(KinError) {
        try ByteReader.read(path) { text throws(KinError) in
            let table = try CSVTable(text, columns: "features, and what a policy learns from")
            guard !table.rows.isEmpty else {
                throw KinError(.malformedInput, "the file has no rows; its first line names the columns")
            }
            self.table = table
            for name in names + ignored + categories { _ = try table.column(name) }
            for name in names {
                let place = try table.column(name)
                setAside[name] = table.rows.map { $0.fields[place].trimmed }
            }
            var kept = table.header.indices.filter {
                !names.contains(table.header[$0]) && !ignored.contains(table.header[$0])
            }
            let open = kept.filter { !categories.contains(table.header[$0]) }
            let numbering = RowNumbers.columns(open, of: table.header, table.rows)
            kept.removeAll(where: numbering.contains)
            notes += numbering.map { RowNumbers.note(table.header[$0]) }
            guard !kept.isEmpty else { throw KinError(.malformedInput, "no column is left that could be a feature") }
            columns = kept.count
            try encode(table, columns: kept, categories: categories)
        }
    }

    /// Converts columns to features.
    private mutating func encode(_ table: CSVTable, columns: [Int], categories: [String]) throws(KinError) {
        var values: [[Double]] = []
        for place in columns {
            let name = table.header[place]
            let fields = table.rows.map { $0.fields[place].trimmed }
            let isMissing = fields.map { Self.missing.contains($0.lowercased()) }
            let count = isMissing.count { $0 }
            let (given, isCategory) = (fields.count - count, categories.contains(name))
            let hasComma = table.separator != "commas"
            var numbers = fields.map { CSVField.number($0, decimalComma: hasComma).flatMap { $0.isFinite ? $0 : nil } }
            var known = zip(numbers, isMissing).compactMap { $1 ? nil : $0 }
            if 2 * known.count < given, !isCategory,
                let measures = CSVField.measures(zip(fields, isMissing).map { $1 ? "" : $0 }, decimalComma: hasComma),
                let row = fields.indices.first(where: { numbers[$0] == nil && measures[$0] != nil })
            {
                notes.append(
                    "column \(name): fields such as '\(CSVField.shown(fields[row]))' are read as numbers, here "
                        + "\(DecimalText.short(measures[row] ?? 0)); to read them as words, choose the column as categories"
                )
                numbers = measures
                known = zip(numbers, isMissing).compactMap { $1 ? nil : $0 }
            }
            guard known.count > 0, 2 * known.count >= given, !isCategory else {
                note(count, of: name, "none of its words")
                if !known.isEmpty, known.count < given, !isCategory {
                    notes.append(
                        "column \(name): \(known.count) of \(fields.count) fields are numbers, and are taken as words")
                }
                let words = Set(zip(fields, isMissing).compactMap { $1 ? nil : $0 }).sorted()
                if words.count > 20, 10 * words.count >= 9 * given, !isCategory {
                    throw KinError(
                        .malformedInput,
                        "\(words.count) of \(Plural.count(given, "field")) are different texts, such as "
                            + "'\(CSVField.shown(words[0]))', which a policy cannot learn from; leave the column out, or choose it as categories"
                    ).within("column", name)
                }
                if words.count > 100 {
                    notes.append("column \(name): \(words.count) different words, each of which is a feature")
                }
                guard features.count + words.count < PolicySettings.maximumWidth else {
                    throw KinError(
                        .malformedInput,
                        "\(words.count) words make more features than the \(PolicySettings.maximumWidth - 1) of a policy; leave the column out"
                    ).within("column", name)
                }
                for word in words {
                    features.append("\(name)=\(word)")
                    values.append(fields.map { $0 == word ? 1 : 0 })
                }
                continue
            }
            if let row = fields.indices.first(where: { !isMissing[$0] && numbers[$0] == nil }) {
                throw KinError(
                    .malformedInput,
                    "'\(CSVField.shown(fields[row]))' is not a number, as most fields of the column are (separated by \(table.separator)); "
                        + "correct it, leave the column out, or read it as words (categories)"
                ).within("column", name).within("line", table.rows[row].line)
            }
            note(count, of: name, "the column's mean")
            guard known.contains(where: { $0 != known[0] }) else {
                notes.append("column \(name) is the same in all rows and is left out")
                continue
            }
            let mean = known.reduce(0) { $0 + $1 / Double(known.count) }
            features.append(name)
            values.append(zip(numbers, isMissing).map { $1 ? mean : $0 ?? mean })
        }
        guard !features.isEmpty else { throw KinError(.malformedInput, "every column is the same in all rows") }
        var elements: [Double] = []
        elements.reserveCapacity(table.rows.count * values.count)
        for row in table.rows.indices { for column in values { elements.append(column[row]) } }
        contexts = try Matrix(rows: table.rows.count, columns: values.count, elements: elements)
    }

    /// The fields that mean a missing value, in lower case.
    private static let missing: Set<String> = ["", "na", "n/a", "nan", "null", "none", "nil"]

    private mutating func note(_ count: Int, of name: String, _ replacement: String) {
        if count > 0 {
            notes.append("column \(name): \(Plural.count(count, "missing field")), taken as \(replacement)")
        }
    }
}

/// Columns that number the rows, such as a data frame's index in a file.
enum RowNumbers {
    /// The columns that number the rows, of the given ones.
    ///
    /// The first column without a name, and `Unnamed: 0` and `Unnamed: 0.1` as pandas calls it after reading, may be of a
    /// selection of rows and have different whole numbers. A column named `row` ascends. Columns named `index` or
    /// `Unnamed: 2` count from 0 or 1.
    static func columns(_ columns: [Int], of header: [String], _ rows: some Collection<CSVTable.Row>) -> [Int] {
        columns.filter { column in
            guard isNamed(column, of: header) else { return false }
            let numbers = rows.compactMap { $0.fields.count > column ? Int($0.fields[column].trimmed) : nil }
            guard let first = numbers.first, numbers.count == rows.count else { return false }
            if isFrames(column, of: header) { return Set(numbers).count == numbers.count }
            return header[column].lowercased() == "row"
                ? first >= 0 && zip(numbers, numbers.dropFirst()).allSatisfy(<)
                : (0...1).contains(first) && numbers == Array(first..<first + numbers.count)
        }
    }

    /// Whether a column has a name of such columns.
    static func isNamed(_ column: Int, of header: [String]) -> Bool {
        let name = header[column].lowercased()
        return isFrames(column, of: header) || ["index", "row"].contains(name) || name.hasPrefix("unnamed: ")
    }

    private static func isFrames(_ column: Int, of header: [String]) -> Bool {
        let name = header[column].lowercased()
        return name == "unnamed: 0" || name.hasPrefix("unnamed: 0.") || name.isEmpty && column == 0
    }

    /// The remark about such a column.
    static func note(_ name: String) -> String {
        "column \(name.isEmpty ? "1, which has no name," : name) numbers the rows and is left out; choose it as the ids, or rename it, to use it"
    }
}

extension ContextTable {
    /// The different words of a column that was set aside, ascending, and the index of each row's word.
    ///
    /// - Parameter column: The column's name.
    public func arms(_ column: String) -> (names: [String], arms: [Int]) {
        let words = setAside[column] ?? []
        let names = Set(words).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        return (names, words.map { numbers[$0] ?? 0 })
    }

    /// The numbers of a column that was set aside.
    ///
    /// - Parameter column: The column's name.
    /// - Throws: `.malformedInput` with the row.
    public func numbers(_ column: String) throws(KinError) -> [Double] {
        var numbers: [Double] = []
        for (row, field) in (setAside[column] ?? []).enumerated() {
            do throws(KinError) { if let table { numbers.append(try table.number(field, column: column)) } } catch {
                throw error.within("row", row + 1)
            }
        }
        return numbers
    }
}
