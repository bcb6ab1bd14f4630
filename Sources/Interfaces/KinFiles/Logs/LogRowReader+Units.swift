import Kin

/// The units that a table leaves open, by the sizes of its numbers.
extension LogRowReader {
    /// The kind of a row by its first type.
    static func kind(of row: LogRow, _ columns: LogColumns, type: String?) -> LogWords.Kind? {
        LogWords.kind(type ?? columns[.type].lazy.map { row.text($0) }.first { !$0.isEmpty } ?? "")
    }

    /// Gives columns of durations without a unit the unit of their plain numbers, by the size of the middle one.
    ///
    /// Half of all sleeps are longer than 12 minutes and shorter than 1000. Such numbers are too many hours and too few
    /// seconds for a sleep.
    static func withUnits(
        _ columns: LogColumns, of table: LogTable, type: String?, _ notes: inout [String]
    ) -> LogColumns {
        var known = columns
        for field in [LogField.duration, .left, .right] {
            for (place, column) in columns[field].enumerated() where column.unit == nil {
                var sizes: [LogWords.Kind: [Double]] = [:]
                for row in table.rows {
                    let value = CSVField.number(row.text(column), decimalComma: table.hasDecimalComma)
                    guard let value, value > 0, let kind = kind(of: row, columns, type: type) else { continue }
                    sizes[kind, default: []].append(value)
                }
                guard let list = (sizes[.sleep] ?? sizes[.feed])?.sorted() else { continue }
                let (middle, limits) = (list[list.count / 2], sizes[.sleep] != nil ? (12.0, 1000.0) : (1.5, 100.0))
                let (unit, name) =
                    middle < limits.0
                    ? ("h", "hours")
                    : middle <= limits.1 ? ("min", "minutes") : middle < 1e5 ? ("s", "seconds") : ("ms", "milliseconds")
                known.columns[field]?[place] = LogColumn(name: column.name, index: column.index, unit: unit)
                if unit == "min", !columns[.end].isEmpty { continue }
                let least = middle < 1e5 ? DecimalText.short(middle) : "\(Int(min(middle, 1e15)))"
                notes.append(
                    "durations of \(column.name) without a unit are \(name), because half of them are \(least) or more")
            }
        }
        return known
    }

    /// The unit of amounts without a unit, by the option or by their size.
    static func unit(
        of table: LogTable, _ columns: LogColumns, _ unitColumns: [Int: LogColumn], type: String?,
        _ options: LogOptions, _ notes: inout [String]
    ) throws(KinError) -> String? {
        let open = (columns[.amount] + columns[.part]).filter { $0.unit == nil }
        var amounts: [(value: Double, row: Int)] = []
        for row in table.rows {
            for column in open where !row.text(column).isEmpty {
                guard kind(of: row, columns, type: type) == .feed,
                    unitColumns[column.index].map({ row.text($0).isEmpty }) ?? true,
                    let amount = LogQuantity.amount(row.text(column), decimalComma: table.hasDecimalComma),
                    amount.unit == nil, amount.value > 0
                else { continue }
                amounts.append((amount.value, row.number))
            }
        }
        guard !amounts.isEmpty else { return nil }
        let names = open.map(\.name).joined(separator: ", ")
        if let unit = options.unit {
            notes.append("amounts of \(names) without a unit are \(unit.rawValue), as set")
            return unit.rawValue
        }
        let middle = amounts.sorted { $0.value < $1.value }[amounts.count / 2]
        guard middle.value > LogQuantity.mostOunces else {
            throw KinError(
                .malformedInput,
                "amounts have no unit, and \(DecimalText.short(middle.value)) in row \(middle.row) may be ounces or millilitres; "
                    + "set the unit: --unit oz or --unit ml"
            ).within("column", names)
        }
        notes.append(
            "amounts of \(names) without a unit are millilitres, because half of them are above \(DecimalText.short(LogQuantity.mostOunces))"
        )
        return "ml"
    }

    /// The column with the unit of an amount: `Volume Unit` of `Volume`, or the only one.
    static func unitColumn(of column: LogColumn, in columns: LogColumns) -> LogColumn? {
        let name = column.name.lowercased() + " unit"
        if let index = columns.names.firstIndex(where: {
            $0.lowercased().replacing("_", with: " ") == name.replacing("_", with: " ")
        }) {
            return LogColumn(name: columns.names[index], index: index, unit: nil)
        }
        return columns[.unit].first
    }
}
