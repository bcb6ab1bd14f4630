/// The kinds of rows, and the rows without an event.
extension LogRowReader {
    /// The word for a row's type.
    func type(of row: inout LogRow) -> String {
        if let type { return type }
        guard let (text, column) = row.take(columns[.type]) else { return "" }
        return Self.type(text, in: column, columns)
    }

    /// The type in a column. Home Assistant has it in the name of a sensor, binary_sensor.baby_sleeping, whose state may
    /// be unavailable.
    private static func type(_ text: String, in column: LogColumn, _ columns: LogColumns) -> String {
        column.name == "entity_id" && columns.sensors.contains(text) ? type(ofSensor: text) ?? text : text
    }

    /// The type in the name of a sensor; nil if it has none.
    static func type(ofSensor name: String) -> String? {
        LogWords.words(name).contains("asleep") ? "sleep" : LogWords.kind(ofFile: name)
    }

    /// The columns whose words are the starts and ends of sleeps, or of feeds, in separate rows.
    static func marks(
        _ table: LogTable, _ columns: LogColumns, _ type: String?, _ notes: inout [String]
    ) -> [LogWords.Kind: [LogColumn]] {
        let states = columns[.state] + columns[.stage] + columns[.detail] + columns[.subtype]
        var (marks, others): ([LogWords.Kind: [LogColumn]], [String]) = ([:], [])
        var bounds: Set<Bool> = []
        guard !states.isEmpty else { return marks }
        for row in table.rows {
            let kind = kind(of: row, columns, type: type)
            if kind == .sleep, states.contains(where: { LogWords.mark(row.text($0)) != nil }) { marks[.sleep] = states }
            if kind == .sleep, others.count < 6, let text = otherState(of: row, columns)?.text, !others.contains(text) {
                others.append(text)
            }
            if kind == .feed {
                let words = (columns[.state] + columns[.subtype]).map { row.text($0).lowercased() }
                bounds.formUnion(words.compactMap(LogWords.isStart))
            }
        }
        if bounds.count == 2 { marks[.feed] = columns[.state] + columns[.subtype] }
        if marks[.sleep] != nil, !others.isEmpty {
            let shown = others.prefix(5).map { "\"\(CSVField.shown($0))\"" }.joined(separator: ", ")
            notes.append(
                "the \(others.count == 1 ? "state" : "states") \(shown) end a sleep, because the sleep before has no other end"
            )
        }
        return marks
    }

    /// A state of a sensor that is not known to be of a time asleep or awake, such as paused; nil for other states and if
    /// the sensor is unavailable.
    private static func otherState(of row: LogRow, _ columns: LogColumns) -> (text: String, column: LogColumn)? {
        guard let column = columns[.state].first(where: { !row.text($0).isEmpty }) else { return nil }
        let text = row.text(column)
        let isKnown = LogWords.mark(text) != nil || LogWords.isUnreal(text) || Double(text) != nil
        return isKnown || ["unavailable", "unknown"].contains(text.lowercased()) ? nil : (text, column)
    }

    /// The words of a row with the start of a sleep that goes on while they are repeated, such as on, asleep or light; nil
    /// for words of a moment.
    func state(of row: LogRow) -> String? {
        let texts = (marks[.sleep] ?? []).lazy.map { row.text($0).lowercased() }
        return texts.first { LogWords.mark($0) != nil && (LogWords.isStart($0) == nil || ["on", "off"].contains($0)) }
    }

    /// The kind of a row; nil for an unknown one, with the unknown word as its type.
    ///
    /// The start and the end of a sleep may have rows of their own: sleep, start and sleep, stop.
    func kind(of row: inout LogRow, _ type: inout String) -> LogWords.Kind? {
        guard let kind = leftOut.contains(type.lowercased()) ? nil : columns.kind(type) else { return nil }
        guard let marks = marks[kind] else { return kind }
        guard let column = marks.first(where: { Self.mark(row.text($0), kind) != nil }) else {
            if kind == .feed { return kind }
            if let (_, column) = Self.otherState(of: row, columns) {
                row.use(column)
                return .awake
            }
            type = marks.map { row.text($0) }.first { !$0.isEmpty } ?? ""
            return nil
        }
        row.use(column)
        return Self.mark(row.text(column), kind)
    }

    /// The kind of a row with the start or the end of a sleep or a feed; nil for other words.
    private static func mark(_ text: String, _ kind: LogWords.Kind) -> LogWords.Kind? {
        kind == .sleep ? LogWords.mark(text) : LogWords.isStart(text.lowercased()).map { $0 ? .feed : .fed }
    }

    /// The reason why a row is not an event, such as a time awake among the stages of a sleep; nil for events.
    func reasonLeftOut(_ row: inout LogRow, _ kind: LogWords.Kind) -> String? {
        if let column = (columns[.state] + columns[.subtype]).first(where: { LogWords.isUnreal(row.text($0)) }) {
            return "of events that did not happen, by column \(column.name)"
        }
        let stages = columns[.stage] + columns[.state] + columns[.detail]
        guard kind == .sleep, let column = stages.first(where: { !row.text($0).isEmpty }),
            let isAsleep = LogWords.isAsleep(row.text(column))
        else { return nil }
        row.use(column)
        return isAsleep ? nil : "of times awake or in bed, by column \(column.name)"
    }

    /// The kind of a row by its first type.
    static func kind(of row: LogRow, _ columns: LogColumns, type: String?) -> LogWords.Kind? {
        if let type { return LogWords.kind(type) }
        guard let column = columns[.type].first(where: { !row.text($0).isEmpty }) else { return nil }
        return columns.kind(Self.type(row.text(column), in: column, columns))
    }

    /// Whether a row is a feed of solids, whose amounts are not milk.
    static func isSolid(_ row: LogRow, _ columns: LogColumns, type: String?) -> Bool {
        let words = (columns[.subtype] + columns[.type]).map { row.text($0) } + [type ?? ""]
        return words.lazy.compactMap(LogWords.method).first
            ?? columns[.detail].lazy.compactMap { LogWords.method(row.text($0)) }.first == .solids
    }
}
