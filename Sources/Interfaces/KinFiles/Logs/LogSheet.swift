/// Sheets that people make by hand, brought to one event in each row.
extension LogTable {
    /// The columns of one event in a row that has several.
    private struct Group {
        let label: String
        /// The word for the type; nil if a column or the name of the file has it.
        var type: String?
        /// The columns with the name that each has for a single event.
        var columns: [(index: Int, name: String)] = []
        /// Whether the start is among the columns.
        var hasStart = false
    }

    /// The table without empty rows, totals and headings, with a date and one event in each row.
    func tidied() -> LogTable {
        guard separator != nil else { return self }
        var table = self
        table.rows.removeAll { $0.fields.allSatisfy(\.trimmed.isEmpty) }
        table.joinHeaders()
        guard TrackerFormat.find(table.names).format?.name ?? "Kin" == "Kin" else { return table }
        let totals = table.rows.filter { row in row.fields.first { !$0.isEmpty }.map(LogWords.isTotal) ?? false }
        if let first = totals.first {
            let numbers = Set(totals.map(\.number))
            table.rows.removeAll { numbers.contains($0.number) }
            table.notes.append(
                "\(Plural.count(totals.count, "row")) of totals left out; the first is row \(first.number)")
        }
        table.joinAfternoons()
        table.divideRows()
        table.fillDates()
        return table
    }

    /// Joins AM and PM in columns of their own with the times to the left of them.
    private mutating func joinAfternoons() {
        let halves: Set = ["", "am", "pm", "a.m.", "p.m."]
        for index in names.indices.dropFirst()
        where !example(index).isEmpty && rows.allSatisfy({ halves.contains($0.text(at: index).lowercased()) }) {
            for place in rows.indices { rows[place].joinToLeft(index) }
        }
    }

    /// Joins a second line of names, such as Start, End, Start, End under Nap 1 and Nap 2.
    private mutating func joinHeaders() {
        guard let second = rows.first?.fields, names.contains(""), second.count <= names.count,
            second.count(where: { !$0.isEmpty }) > 1,
            second.allSatisfy({ $0.isEmpty || LogColumns.field(of: $0) != nil })
        else { return }
        var above = ""
        for (index, name) in second.enumerated() {
            above = names[index].isEmpty ? above : names[index]
            if !name.isEmpty { names[index] = "\(above) \(name)" }
        }
        rows.removeFirst()
    }

    /// Creates a row for each event of rows with several, such as Date, Nap 1 Start, Nap 1 End, Nap 2 Start, Nap 2 End.
    private mutating func divideRows() {
        let known = LogColumns(names, of: nil)
        let isTyped = !known[.type].isEmpty
        let plain = names.map(LogColumns.withoutNumber)
        let starts = Dictionary(
            plain.filter { LogColumns.field(of: $0) == .start }.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
        var groups: [Group] = []
        var grouped: Set<Int> = []
        func add(_ index: Int, _ name: String, to label: String, type: String?, isStart: Bool = false) {
            var place = groups.lastIndex { $0.label == label } ?? groups.count
            // A second start of the same name is of a second event.
            if isStart, place < groups.count, groups[place].hasStart { place = groups.count }
            if place == groups.count { groups.append(Group(label: label, type: type)) }
            groups[place].columns.append((index, name))
            groups[place].hasStart = groups[place].hasStart || isStart
            grouped.insert(index)
        }
        for (index, name) in names.enumerated() {
            let field = LogColumns.field(of: plain[index])
            if (starts[plain[index].lowercased()] ?? 0) > 1 {
                add(index, plain[index], to: "\(index)", type: nil, isStart: true)
            } else if !isTyped, let (label, type, rest) = LogColumns.label(of: name) {
                let isRange = rest.isEmpty && hasRanges(index, of: type)
                guard !rest.isEmpty || isRange || groups.contains(where: { $0.label == label }) else { continue }
                let role = LogColumns.field(of: rest)
                add(
                    index, isRange ? "start" : rest.isEmpty ? "subtype" : rest, to: label, type: type,
                    isStart: isRange || role == .start)
            } else if let last = groups.last, let field, LogColumns.ofEvents.contains(field),
                last.type != nil || field != .start
            {
                add(index, plain[index], to: last.label, type: nil)
            }
        }
        // Days and minutes are facts about a night, such as its date.
        groups.removeAll { group in
            !group.hasStart || group.columns.contains { LogColumns.field(of: $0.name) == .start && !isTime($0.index) }
        }
        addBedtimes(known, &groups)
        if groups.isEmpty, !isTyped { groups = checkboxes(known) }
        // A lone pair such as Sleep start and Sleep end is read by its names.
        guard let first = groups.first,
            groups.count > 1 || !first.hasStart || first.type != nil && known[.start].isEmpty
        else { return }
        rewrite(groups, known)
    }

    /// The first text of a column; empty if it has none.
    private func example(_ index: Int) -> String { rows.lazy.map { $0.text(at: index) }.first { !$0.isEmpty } ?? "" }

    /// Whether a column has times of day.
    private func isTime(_ index: Int) -> Bool {
        let example = example(index)
        return example.isEmpty || WrittenTime.hasClock(example) || WrittenTime.list(example) != nil
    }

    /// Whether a column has ranges of times, or lists of times. A lone 1:20, or a list of them for sleeps, may be
    /// durations.
    private func hasRanges(_ index: Int, of type: String) -> Bool {
        if WrittenTime.range(example(index)) != nil { return true }
        let list = rows.lazy.compactMap { WrittenTime.list($0.text(at: index)) }.first
        return isTime(index)
            && list?.allSatisfy { LogWords.exactKind(type) != .sleep || WrittenTime.range($0) != nil } ?? false
    }

    /// Adds the columns of bedtimes and wakings of a sheet with a row for each day.
    private func addBedtimes(_ known: LogColumns, _ groups: inout [Group]) {
        guard !known[.date].isEmpty, known[.type].isEmpty else { return }
        let words = names.indices.map { index in
            (index: index, kind: LogWords.bedtime(LogColumns.withoutNumber(names[index])))
        }.filter { $0.kind != nil && isTime($0.index) }
        let isReversed = words.count == 2 && words[0].kind == .awake && words[1].kind == .asleep
        guard groups.count > 1 || words.count > 2 || isReversed && known[.start].count < 2 else { return }
        var rest = words[...]
        while let (index, kind) = rest.popFirst() {
            guard !groups.contains(where: { $0.columns.contains { $0.index == index } }) else { continue }
            let isAsleep = kind == .asleep
            let next = rest.first
            var group = Group(label: names[index], type: isAsleep ? "asleep" : "awake")
            (group.columns, group.hasStart) = ([(index, "start")], true)
            if isAsleep, let next, next.kind == .awake, next.index == index + 1 {
                (group.type, group.columns) = ("sleep", [(index, "start"), (next.index, "end")])
                rest.removeFirst()
            }
            groups.append(group)
        }
    }

    /// The groups of a sheet whose rows have ticks or amounts in a column for each kind of event.
    private func checkboxes(_ known: LogColumns) -> [Group] {
        guard LogWords.kind(ofFile: source) == nil, !known[.start].isEmpty || !known[.date].isEmpty else { return [] }
        var (groups, isOfDuration) = ([Group](), true)
        for (type, fields) in [("diaper", [LogField.wet, .dirty]), ("breast", [.left, .right])] {
            let columns = fields.flatMap { known[$0] }.map { (index: $0.index, name: $0.name) }
            if !columns.isEmpty { groups.append(Group(label: type, type: type, columns: columns)) }
            isOfDuration = groups.isEmpty
        }
        for (index, name) in names.enumerated() {
            // An amount of one breast is pumped.
            guard let (label, type, rest) = LogColumns.label(of: name), let field = LogColumns.field(of: rest),
                field == .amount && LogWords.side(label) == nil || field == .duration
            else { continue }
            isOfDuration = isOfDuration && field == .duration
            groups.append(Group(label: label, type: type, columns: [(index, rest)]))
        }
        return groups.count == 1 && (groups[0].type == "breast" || isOfDuration) ? [] : groups
    }

    /// Replaces each row by one row for each group with data.
    private mutating func rewrite(_ groups: [Group], _ known: LogColumns) {
        let grouped = Set(groups.flatMap(\.columns).map(\.index))
        let shared = names.indices.filter { !grouped.contains($0) }
        let repeated = Set([LogField.date, .start, .type, .baby, .zone, .author].flatMap { known[$0] }.map(\.index))
        var fields: [String] = groups.contains { $0.type != nil } ? ["type"] : []
        var sources = Dictionary(
            uniqueKeysWithValues: shared.enumerated().map { place, index in
                (place, [names[index].isEmpty ? "number \(index + 1)" : names[index]])
            })
        for (index, name) in groups.flatMap(\.columns) {
            let place = fields.firstIndex(of: name.lowercased()) ?? fields.count
            if place == fields.count { fields.append(name.lowercased()) }
            sources[shared.count + place, default: []].append(names[index])
        }
        var (divided, empty): ([LogRow], [LogRow]) = ([], [])
        for row in rows {
            let before = divided.count
            guard row.fields.count <= names.count else {
                divided.append(row)
                continue
            }
            for group in groups {
                let needed = group.columns.filter { !group.hasStart || LogColumns.field(of: $0.name) == .start }
                guard needed.contains(where: { row.isTicked(at: $0.index) }) else {
                    // An end without a start is not an event.
                    if group.columns.contains(where: { row.isTicked(at: $0.index) }) { empty.append(row) }
                    continue
                }
                var event = [String](repeating: "", count: fields.count)
                if let type = group.type { event[0] = type }
                for (index, name) in group.columns {
                    if let place = fields.firstIndex(of: name.lowercased()), !row.text(at: index).isEmpty {
                        event[place] = row.text(at: index)
                    }
                }
                // Other data of the row are of its first event.
                let rest = shared.map { divided.count == before || repeated.contains($0) ? row.text(at: $0) : "" }
                let list = event.indices.first { WrittenTime.list(event[$0]) != nil }
                for time in list.flatMap({ WrittenTime.list(event[$0]) }) ?? [""] {
                    if let list { event[list] = time }
                    divided.append(LogRow(number: row.number, line: row.line, fields: rest + event))
                }
            }
            if divided.count == before, empty.last?.number != row.number { empty.append(row) }
        }
        guard divided.count * 2 > rows.count else { return }
        leftOut += empty.filter { row in names.indices.contains { !known.isDate($0) && !row.text(at: $0).isEmpty } }
        (names, rows, originals) = (shared.map { names[$0] } + fields, divided, sources)
    }

    /// Gives rows without a date the date of the row, or of the heading, above them.
    private mutating func fillDates() {
        let columns = LogColumns(names, of: nil)
        var names = names
        func heading(_ row: LogRow) -> String? {
            let texts = row.fields.filter { !$0.isEmpty }
            return texts.count == 1 && WrittenTime.isDate(texts[0].trimmed) ? texts[0].trimmed : nil
        }
        let place = columns[.date].first?.index ?? names.count
        guard !columns[.start].isEmpty, rows.contains(where: { $0.text(at: place).isEmpty }),
            place < names.count || rows.contains(where: { heading($0) != nil })
        else { return }
        if place == names.count { names.append("date") }
        var (filled, first, day): ([LogRow], (row: Int, day: String)?, String?) = ([], nil, nil)
        var count = 0
        for row in rows {
            if let text = heading(row) {
                day = text
                continue
            }
            if !row.text(at: place).isEmpty { day = row.text(at: place) }
            let start = columns[.start].lazy.map { row.text($0) }.first { !$0.isEmpty }
            guard let day, row.text(at: place).isEmpty, row.fields.count <= names.count, let start,
                !WrittenTime.hasDate(start)
            else {
                filled.append(row)
                continue
            }
            var fields = row.fields + [String](repeating: "", count: names.count - row.fields.count)
            fields[place] = day
            filled.append(LogRow(number: row.number, line: row.line, fields: fields))
            (first, count) = (first ?? (row.number, day), count + 1)
        }
        guard let first else { return }
        (self.names, rows) = (names, filled)
        notes.append(
            "\(Plural.count(count, "row")) without a date \(count == 1 ? "is" : "are") of the date above, such as "
                + "\(CSVField.shown(first.day)) in row \(first.row)")
    }
}
