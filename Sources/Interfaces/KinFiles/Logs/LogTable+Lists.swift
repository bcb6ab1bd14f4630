/// Types and events in the columns of a table.
extension LogTable {
    /// Whether the table has no events by the name of its list, of the objects around it, or of the file in a folder.
    var isNoLog: Bool { path.contains(where: LogWords.isNoLog) }

    /// Whether a column has times of day.
    var hasTimes: Bool {
        names.indices.contains { index in
            rows.lazy.map { $0.text(at: index) }.first { !$0.isEmpty }.map(WrittenTime.hasClock) ?? false
        }
    }

    /// Leaves out rows without a time, such as days without a sleep, if most rows have one.
    mutating func leaveOutUntimed(_ columns: LogColumns) {
        let times = columns[.start] + columns[.end] + columns[.date]
        let untimed = rows.filter { row in times.allSatisfy { row.text($0).isEmpty } }
        guard !untimed.isEmpty, untimed.count * 2 < rows.count else { return }
        leftOut += untimed
        rows.removeAll { row in times.allSatisfy { row.text($0).isEmpty } }
    }

    /// A column with more texts has no types.
    private static let mostTypes = 200

    /// A column whose words are of several kinds of events, or only words for kinds, and whose name is no word for types,
    /// such as `What`.
    ///
    /// - Parameter type: The word for the type of all rows, such as of the file's name; nil if it has none. The column
    ///   must have this type too.
    /// - Throws: `.malformedInput` if only some of a column's words are of sleeps, in a file named after them, or for
    ///   several such columns, as of a child each, if none is chosen.
    func typeColumn(_ columns: LogColumns, _ type: String?, child: String?) throws(KinError) -> LogColumn? {
        var found: [(column: LogColumn, isNamed: Bool)] = []
        let own = type.flatMap { LogWords.kind($0, of: nil) }
        let isOpen: [LogField] = [.title, .detail, .state]
        let closed = Set(columns.columns.filter { !isOpen.contains($0.key) }.flatMap(\.value).map(\.index))
        for index in names.indices where !closed.contains(index) {
            let texts = rows.map { $0.text(at: index) }.filter { !$0.isEmpty }
            let different = Set(texts)
            guard texts.count * 2 > rows.count, different.count <= Self.mostTypes else { continue }
            let words = Dictionary(grouping: different) { LogWords.kind($0, of: own) }
            let kinds = words.keys.count { $0 != nil }
            let areTypes = type == nil && different.allSatisfy { LogWords.kind($0) != nil }
            let isNamed = columns.columns.values.joined().contains { $0.index == index }
            if kinds > 1 && (own == nil || words[own] != nil) || areTypes {
                found.append((LogColumn(name: names[index], index: index, unit: nil), isNamed))
                continue
            }
            // Words of other kinds only, or of sleeps and others, may be types or details.
            guard found.isEmpty else { continue }
            let others = words[nil]?.filter { !LogWords.isDetail($0) } ?? []
            let isOpen = kinds > 1 ? words[nil] == nil : own == .sleep && words[own] != nil && !others.isEmpty
            guard let type, isOpen, !isNamed, texts.count == rows.count, let first = texts.first else { continue }
            let other = others.min() ?? texts.first { $0 != first } ?? first
            throw KinError(
                .malformedInput,
                "the file is of type \(type) by its name, but the column's words are of different events, such as "
                    + "\"\(CSVField.shown(first))\" and \"\(CSVField.shown(other))\"; rename the column to type, or remove it if they are details"
            ).within("column", names[index])
        }
        if let child, let own = found.first(where: { LogImporter.isSame($0.column.name, child) }) { return own.column }
        if found.count > 1, !found.contains(where: \.isNamed) {
            let (first, second) = (CSVField.shown(found[0].column.name), CSVField.shown(found[1].column.name))
            throw KinError(
                .malformedInput,
                "the columns \(first) and \(second) both have kinds of events; if they are of a child each, name the child to read: "
                    + "--child \"\(first)\"; else rename the column with the kinds to type")
        }
        return found.first?.column
    }

    /// The type that names of columns imply, such as `Sleep score` next to a start and an end, or `Feed type`; nil for none
    /// or several.
    func impliedType(_ columns: LogColumns) -> (type: String, column: String)? {
        let named = names.compactMap { name -> (type: String, column: String)? in
            let words = LogWords.words(name).filter { $0 != "score" }
            let type = LogWords.kind(ofFile: words.joined(separator: " "))
            let isOfSleep = words.contains("bedtime") || LogWords.isAsleep(name) == true
            if isOfSleep || type.flatMap({ LogWords.kind($0) }) == .sleep { return ("sleep", name) }
            return LogColumns.field(of: name) == .subtype ? type.map { ($0, name) } : nil
        }
        let hasEnds = !columns[.end].isEmpty || !columns[.duration].isEmpty
        return Set(named.map(\.type)).count == 1 && (hasEnds || named[0].type != "sleep") ? named[0] : nil
    }

    /// The kind of rows whose type has only details: that of the file's name, or of diapers if other types are wet or dirty
    /// and none is left or right.
    func kindOfDetails(_ columns: LogColumns) -> LogWords.Kind? {
        if let kind = LogWords.kind(ofFile: source).flatMap({ LogWords.kind($0) }), kind != .sleep { return kind }
        let types = columns[.type].first.map { column in Set(rows.map { $0.text(column) }) } ?? []
        let isOfSides = types.contains { [.left, .right].contains(LogWords.side($0)) }
        return !isOfSides && types.contains { LogWords.kind($0) == .diaper && LogWords.isDetail($0) } ? .diaper : nil
    }

    /// The only column of dates next to times of day, if no name is known to be of the date.
    func dateColumn(_ columns: LogColumns) -> LogColumn? {
        guard columns[.date].isEmpty, let start = columns[.start].first,
            let clock = rows.lazy.map({ $0.text(start) }).first(where: { !$0.isEmpty }), !WrittenTime.hasDate(clock)
        else { return nil }
        let dates = names.indices.filter { index in
            let texts = rows.lazy.map { $0.text(at: index) }.filter { !$0.isEmpty }
            return texts.count * 2 > rows.count && texts.allSatisfy(WrittenTime.isDate)
        }
        return dates.count == 1 ? LogColumn(name: names[dates[0]], index: dates[0], unit: nil) : nil
    }

    /// Removes lists of events from the table's cells, such as the naps of each day or the events of each child, and
    /// returns them as tables. Their times of day are of the row's date. Without a date, each row is of a child, whose
    /// name or number it may have.
    mutating func takeLists() -> [LogTable] {
        var lists: [LogTable] = []
        let columns = LogColumns(names, of: nil)
        let isOfDays = !columns[.date].isEmpty || !columns[.start].isEmpty
        let ids = columns[.id].filter { !isOfDays && !WrittenTime.isDate(rows.first?.text($0) ?? "") }
        let shared = columns[.date].prefix(1) + (columns[.baby] + columns.maybeChildren + ids).prefix(1)
        let areChildren = shared.isEmpty && rows.count > 1 && path.last.map { LogColumns.field(of: $0) } == .baby
        for (index, name) in names.enumerated()
        where LogWords.kind(ofFile: name) != nil && LogWords.words(name).count == 1 || LogJSON.isWrapper(name) {
            var (records, taken): ([LogJSON.Members], Set<Int>) = ([], [])
            for (place, row) in rows.enumerated() where row.text(at: index).first == "[" {
                guard let list = try? LogJSON.records(in: row.text(at: index)) else { continue }
                let facts = shared.map { (name: columns.isDate($0.index) ? $0.name : "child", text: row.text($0)) }
                records += list.map { $0 + facts + (areChildren ? [("child", "\(place + 1)")] : []) }
                taken.insert(place)
            }
            let list = LogTable(records: records, source: LogJSON.isWrapper(name) ? source : name)
            guard !LogColumns(list.names, of: nil)[.start].isEmpty else { continue }
            lists.append(list)
            for place in taken { rows[place].set("", at: index) }
            rows.removeAll { row in
                names.indices.allSatisfy { index in row.text(at: index).isEmpty || shared.contains { $0.index == index }
                }
            }
        }
        return lists
    }

    /// The order of day and month that the delimited texts of a folder decide; nil if none does or they differ.
    static func order(ofDatesIn texts: [String]) -> DateOrder? {
        var orders: Set<DateOrder> = []
        for text in texts where !LogJSON.begins(text) {
            guard let table = try? LogTable(delimited: text, encoding: .utf8, source: "").tidied() else { continue }
            let columns = LogColumns(table.names, of: TrackerFormat.find(table.names).format)
            orders.formUnion(LogTimes.orders(of: table.times(columns)).found.keys)
        }
        return orders.count == 1 ? orders.first : nil
    }

    /// Counts the fields of a row that are used and those with data that are not.
    func count(_ row: LogRow, _ used: inout [Bool], _ unused: inout [Int: ImportReport.IgnoredColumn]) {
        for index in row.isUsed.indices where index < used.count {
            if row.isUsed[index] {
                used[index] = true
            } else if !row.fields[index].isEmpty, !row.fields[index].trimmed.isEmpty {
                let known = unused[index]
                let name = originals[index]?.first ?? names[index]
                unused[index] = ImportReport.IgnoredColumn(
                    column: name.isEmpty ? "number \(index + 1)" : name, rows: (known?.rows ?? 0) + 1,
                    example: known?.example ?? row.fields[index].trimmed, row: known?.row ?? row.number)
            }
        }
    }

    /// The error for a table without a type or a start.
    func unrecognised(_ runnerUp: String?, isTyped: Bool) -> KinError {
        let near = runnerUp.map { "; most of the columns are of \($0)" } ?? ""
        let separator = separator.map { " (separated by \($0))" } ?? ""
        return KinError(
            .malformedInput,
            "the columns are \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : "")\(separator); a log needs at least type and start\(near). "
                + "Rename the columns to type, start, end, duration_min, subtype and amount_ml"
                + (isTyped ? "; no column is the start" : ", or name the file by its type, such as sleep.csv")
        )
    }
}
