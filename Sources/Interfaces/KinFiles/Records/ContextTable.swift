import Foundation
public import Kin

/// The rows of a CSV file as contexts: numbers as they are, words as one feature for each word of the column.
public struct ContextTable: Sendable {
    /// The names of the features.
    public private(set) var features: [String] = []
    /// A row for each round.
    public private(set) var contexts = Matrix<Double>(rows: 0, columns: 0)
    /// The number of columns that the features come from.
    public private(set) var columns = 0
    /// The fields of the columns that were set aside, by name.
    public private(set) var setAside: [String: [String]] = [:]

    /// Reads a CSV file whose first line names the columns.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - names: Columns that are no features but wanted by themselves.
    ///   - ignored: Columns that are left out.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with the line; also where no column is
    ///   left, or each is the same in all rows.
    public init(reading path: String, settingAside names: [String] = [], ignoring ignored: [String] = [])
        throws(KinError)
    {
        try ByteReader.read(path) { text throws(KinError) in
            let table = try CSVTable(text, delimiter: nil, columns: "features, and what a policy learns from")
            guard !table.rows.isEmpty else {
                throw KinError(.malformedInput, "the file has no rows; its first line names the columns")
            }
            for name in names + ignored { _ = try table.column(name) }
            for name in names {
                let place = try table.column(name)
                setAside[name] = table.rows.map { $0.fields[place].trimmingCharacters(in: .whitespaces) }
            }
            let kept = table.header.indices.filter {
                !names.contains(table.header[$0]) && !ignored.contains(table.header[$0])
            }
            guard !kept.isEmpty else { throw KinError(.malformedInput, "no column is left that could be a feature") }
            columns = kept.count
            try encode(table.rows.map(\.fields), columns: kept.map { ($0, table.header[$0]) })
        }
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

extension ContextTable {
    /// The different words of a column that was set aside, ascending, and for each row the number of its word.
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
            do throws(KinError) { numbers.append(try CSVTable.number(field, column: column)) } catch {
                throw error.within("row", row + 1)
            }
        }
        return numbers
    }
}
