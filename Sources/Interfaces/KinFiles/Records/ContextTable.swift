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
    /// A column is one feature if at least half of its fields are numbers; the mean replaces missing fields. Other
    /// columns, and those named as categories, become a feature for each word. A first column without a name that has
    /// different whole numbers, or one named `index` that counts from 0 or 1, numbers the rows and is not a feature.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - names: Columns that are set aside and not features.
    ///   - ignored: Columns to leave out.
    ///   - categories: Columns whose numbers are words.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with the line; also if no column is
    ///   left, every column is constant, or a mostly numeric column has a word.
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
            if let first = kept.first, categories.isEmpty || !categories.contains(table.header[first]),
                RowNumbers.areIn(table.header[first], table.rows.map { $0.fields[first] })
            {
                kept.removeFirst()
                notes.append(RowNumbers.note(table.header[first]))
            }
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
            let hasComma = table.separator != "commas"
            let numbers = fields.map { CSVField.number($0, decimalComma: hasComma).flatMap { $0.isFinite ? $0 : nil } }
            let known = zip(numbers, isMissing).compactMap { $1 ? nil : $0 }
            guard known.count > 0, 2 * known.count >= fields.count - count, !categories.contains(name) else {
                note(count, of: name, "none of its words")
                if !known.isEmpty, known.count < fields.count - count, !categories.contains(name) {
                    notes.append(
                        "column \(name): \(known.count) of \(fields.count) fields are numbers, and are taken as words")
                }
                let words = Set(zip(fields, isMissing).compactMap { $1 ? nil : $0 })
                guard features.count + words.count < PolicySettings.maximumWidth else {
                    throw KinError(
                        .malformedInput,
                        "\(words.count) words make more features than the \(PolicySettings.maximumWidth - 1) of a policy; leave the column out"
                    ).within("column", name)
                }
                for word in words.sorted() {
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
    /// Whether a name is the default name of a data frame's index.
    static func isNamed(_ name: String) -> Bool { ["", "index", "unnamed: 0"].contains(name.lowercased()) }

    /// Whether a column numbers the rows: `index` counts from 0 or 1, and a column without a name, which may be of a
    /// selection of rows, has different whole numbers.
    static func areIn(_ name: String, _ fields: [String]) -> Bool {
        guard isNamed(name) else { return false }
        let numbers = fields.compactMap { Int($0.trimmed) }
        guard numbers.count == fields.count, name.lowercased() == "index" else {
            return Set(numbers).count == fields.count
        }
        return numbers.first.map { (0...1).contains($0) && numbers == Array($0..<$0 + numbers.count) } ?? true
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
