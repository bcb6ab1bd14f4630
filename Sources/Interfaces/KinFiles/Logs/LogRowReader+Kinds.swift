import Kin

/// The kinds of rows, and the rows without an event.
extension LogRowReader {
    /// The reader for a row with a zone of its own.
    func by(_ zone: LocalZone) -> LogRowReader {
        var reader = self
        reader.zone = zone
        return reader
    }

    /// The word for a row's type.
    func type(of row: inout LogRow) -> String {
        if let type { return type }
        guard let (text, column) = row.take(columns[.type]) else { return "" }
        return Self.type(text, in: column, of: row, columns)
    }

    /// The type in a column. Home Assistant has it in the name of a sensor, binary_sensor.baby_sleeping, whose state may
    /// be unavailable.
    private static func type(_ text: String, in column: LogColumn, of row: LogRow, _ columns: LogColumns) -> String {
        guard column.name == "entity_id", columns[.state].contains(where: { LogWords.mark(row.text($0)) != nil })
        else { return text }
        return LogWords.kind(ofFile: text) ?? text
    }

    /// The kind of a row; nil for an unknown one, with the unknown word as its type.
    ///
    /// The start and the end of a sleep may have rows of their own: sleep, start and sleep, stop.
    func kind(of row: inout LogRow, _ type: inout String) -> LogWords.Kind? {
        guard let kind = leftOut.contains(type.lowercased()) ? nil : LogWords.kind(type) else { return nil }
        guard kind == .sleep, let state = marks.first(where: { !row.text($0).isEmpty }) else { return kind }
        guard let column = marks.first(where: { LogWords.mark(row.text($0)) != nil }) else {
            type = row.text(state)
            return nil
        }
        row.use(column)
        return LogWords.mark(row.text(column))
    }

    /// The reason why a row is no event, such as a time awake among the stages of a sleep; nil for events.
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
        return LogWords.kind(Self.type(row.text(column), in: column, of: row, columns))
    }

    /// Whether a row is a feed of solids, whose amounts are no milk.
    static func isSolid(_ row: LogRow, _ columns: LogColumns, type: String?) -> Bool {
        let words = (columns[.subtype] + columns[.type]).map { row.text($0) } + [type ?? ""]
        return words.lazy.compactMap(LogWords.method).first
            ?? columns[.detail].lazy.compactMap { LogWords.method(row.text($0)) }.first == .solids
    }
}
