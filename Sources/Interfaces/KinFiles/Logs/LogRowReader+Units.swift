/// The units that a table leaves open, by the sizes of its numbers.
extension LogRowReader {
    /// Gives columns of durations without a unit the unit of their plain numbers, by the size of the middle one.
    ///
    /// Half of all sleeps are longer than 12 minutes and shorter than 1000. Such numbers are too many hours and too few
    /// seconds for a sleep.
    static func withUnits(
        _ columns: LogColumns, of table: LogTable, type: String?, _ notes: inout [String]
    ) -> LogColumns {
        var known = columns
        for field in [LogField.duration, .left, .right] {
            for (place, column) in columns[field].enumerated() {
                var (sizes, clocks): ([LogWords.Kind: [Double]], [LogWords.Kind: [Double]]) = ([:], [:])
                for row in table.rows {
                    let text = row.text(column)
                    guard !text.isEmpty, let kind = kind(of: row, columns, type: type) else { continue }
                    if let plain = LogQuantity.amount(text, decimalComma: table.hasDecimalComma) {
                        if plain.unit == nil, plain.value > 0 { sizes[kind, default: []].append(plain.value) }
                    } else if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1,
                        let minutes = LogQuantity.minutes(text, unit: nil, decimalComma: false), minutes > 0
                    {
                        clocks[kind, default: []].append(minutes)
                    }
                }
                if let (middle, limits) = typical(of: clocks), middle > limits.1 {
                    known.columns[field]?[place] = LogColumn(name: column.name, index: column.index, unit: "mm:ss")
                    notes.append(
                        "durations of \(column.name) such as 7:30 are minutes and seconds, because half of them are "
                            + "\(DecimalText.short(middle / 60)) or more")
                    continue
                }
                defer { notes += mixedHours(known.columns[field]?[place], table) }
                guard column.unit == nil, let (middle, limits) = typical(of: sizes) else { continue }
                let (unit, name) =
                    middle < limits.0 / 60
                    ? ("d", "days")
                    : middle < limits.0
                        ? ("h", "hours")
                        : middle <= limits.1
                            ? ("min", "minutes") : middle < 1e5 ? ("s", "seconds") : ("ms", "milliseconds")
                known.columns[field]?[place] = LogColumn(name: column.name, index: column.index, unit: unit)
                if unit == "min", !columns[.end].isEmpty { continue }
                let least = middle < 1e5 ? DecimalText.short(middle) : "\(Int(min(middle, 1e15)))"
                notes.append(
                    "durations of \(column.name) without a unit are \(name), because half of them are \(least) or more")
            }
        }
        return known
    }

    /// A note on decimal hours that may be hours and minutes, as 1.15 may be 1 h 15 min: no decimals are 60 or more, and
    /// some are not multiples of 25.
    private static func mixedHours(_ column: LogColumn?, _ table: LogTable) -> [String] {
        guard let column, column.unit == "h" else { return [] }
        let decimals = table.rows.lazy.map { $0.text(column).split { $0 == "." || $0 == "," } }
            .filter { $0.count == 2 && $0[0].allSatisfy(\.isNumber) }
        guard decimals.allSatisfy({ $0[1].count <= 2 && $0[1] < "6" }),
            let example = decimals.first(where: { $0[1].count == 2 && !["00", "25", "50"].contains($0[1]) })
        else { return [] }
        return [
            "durations of \(column.name) such as \(example[0]).\(example[1]) are decimal hours; if this one is \(example[0]) h \(example[1]) min, write "
                + "\(example[0]):\(example[1])"
        ]
    }

    /// The middle one of the durations of sleeps, or else of feeds, and the least and the most that it may be in minutes.
    private static func typical(of sizes: [LogWords.Kind: [Double]]) -> (middle: Double, limits: (Double, Double))? {
        (sizes[.sleep] ?? sizes[.feed]).map {
            (middle: $0.sorted()[$0.count / 2], limits: sizes[.sleep] != nil ? (12.0, 1000.0) : (1.5, 100.0))
        }
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
                guard kind(of: row, columns, type: type) == .feed, !isSolid(row, columns, type: type),
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
        guard middle.value > RhythmRecord.mostOunces else {
            throw KinError(
                .malformedInput,
                "amounts have no unit, and \(DecimalText.short(middle.value)) in row \(middle.row) may be ounces or millilitres; "
                    + "set the unit: --unit oz or --unit ml"
            ).within("column", names)
        }
        notes.append(
            "amounts of \(names) without a unit are millilitres, because half of them are above \(DecimalText.short(RhythmRecord.mostOunces))"
        )
        return "ml"
    }

    /// The column with the unit of an amount: `Volume Unit` of `Volume`, or the only one.
    static func unitColumn(of column: LogColumn, in columns: LogColumns) -> LogColumn? {
        let name = LogColumns.base(of: column.name).base + " unit"
        if let index = columns.names.firstIndex(where: { LogColumns.base(of: $0).base == name }) {
            return LogColumn(name: columns.names[index], index: index, unit: nil)
        }
        return columns[.unit].first
    }

    /// The amount of a row in millilitres: the sum of its parts, else the first of amounts that say the same. An amount
    /// of solids is a weight, unless it has a unit of milk.
    func amount(
        _ row: inout LogRow, isSolid: Bool, _ note: (RhythmRepair.Problem, String) -> Void
    ) throws(KinError) -> Double? {
        var amounts: [LogField: Double] = [:]
        for field in [LogField.part, .amount] {
            for column in columns[field] where !row.text(column).isEmpty {
                let text = row.text(column)
                guard let (value, written) = LogQuantity.amount(text, decimalComma: hasDecimalComma) else {
                    note(.unknownWord, "\"\(CSVField.shown(text))\" is not an amount; the amount is not used")
                    row.use(column)
                    continue
                }
                let unitColumn = unitColumns[column.index]
                let named = unitColumn.map { row.text($0) }.flatMap { $0.isEmpty ? nil : LogQuantity.unit($0) }
                guard let amount = millilitres(value, written ?? named ?? column.unit ?? (isSolid ? nil : unit)) else {
                    if isSolid { continue }
                    note(
                        .unknownWord,
                        "\"\(CSVField.shown(written ?? named ?? text))\" is not a unit of milk (ml or oz); the amount is not used"
                    )
                    continue
                }
                let total = amounts[.part] ?? amounts[.amount]
                if field == .part {
                    amounts[.part, default: 0] += amount
                } else if total == nil {
                    amounts[.amount] = amount
                }
                if field == .part || total == nil || abs((total ?? 0) - amount) < 0.02 * amount + 0.5 {
                    row.use(column)
                    if let unitColumn { row.use(unitColumn) }
                }
            }
        }
        return amounts[.part] ?? amounts[.amount]
    }

    func millilitres(_ value: Double, _ unit: String?) -> Double? {
        switch unit {
        case "ml": value
        case "oz": value * RhythmRecord.millilitresPerOunce
        case "cl": value * 10
        case "dl": value * 100
        case "l": value * 1000
        default: nil
        }
    }
}
