/// The zone of a log, and those of rows that name a different one.
struct LogZones {
    /// The zone of the log; nil if unknown.
    var zone: LocalZone?
    /// The name of the zone in the rows.
    private var text: String?
    private var zones: [String: LocalZone] = [:]

    init(zone: LocalZone?) { self.zone = zone }

    /// Takes the zone of a table's first row with one, if the log's is unknown.
    ///
    /// - Returns: A remark.
    /// - Throws: `.malformedInput` for an unknown name.
    mutating func find(_ table: LogTable, _ columns: LogColumns) throws(KinError) -> String? {
        guard zone == nil, let column = columns[.zone].first,
            let text = table.rows.lazy.map({ $0.text(column) }).first(where: { !$0.isEmpty })
        else { return nil }
        let isOffset = LogColumns.base(of: column.name).base.contains("offset")
        do throws(KinError) { zone = try Self.zone(named: text, column) } catch { if !isOffset { throw error } }
        guard let zone else {
            guard isOffset, Double(text) != nil else { return nil }
            return
                "numbers such as \(text) in column \(column.name) may count to the east or to the west of UTC, and are not used; "
                + "set the zone: --zone Europe/Berlin"
        }
        self.text = text
        let name = isOffset && zone.name != text ? "\(zone.name), by \(text) in" : "\(text), by"
        return "times are shown by the clocks of \(name) column \(column.name)"
    }

    /// Returns the zone of a row that names a zone other than the log's, such as on a journey. A column with an invalid
    /// name stays unused.
    mutating func own(of row: inout LogRow, _ columns: [LogColumn]) -> LocalZone? {
        guard let column = columns.first else { return nil }
        let text = row.text(column)
        if text.isEmpty || text == self.text || text == zone?.name {
            row.use(column)
            return nil
        }
        if zones[text] == nil { zones[text] = try? Self.zone(named: text, column) }
        guard let zone = zones[text] else { return nil }
        row.use(column)
        return zone
    }

    /// The zone of a name, or of an offset as clocks show it: PST, GMT+1, -0800.
    private static func zone(named text: String, _ column: LogColumn) throws(KinError) -> LocalZone {
        do throws(KinError) { return try LocalZone(named: text) } catch {
            guard let time = WrittenTime("00:00 \(text)"), !time.offset.isEmpty else {
                guard let zone = numbered(text, column.unit) else { throw error }
                return zone
            }
            return try LocalZone(named: time.offset)
        }
    }

    /// The zone with a number of hours, minutes, seconds or milliseconds east of UTC, by the size of the number. It is nil
    /// for minutes, which JavaScript counts to the west, unless the name of the column or the format has the direction.
    private static func numbered(_ text: String, _ direction: String?) -> LocalZone? {
        guard let written = Double(text), abs(written) < 1e8 else { return nil }
        let number = direction == "west" ? -written : written
        let size = abs(number)
        let minutes = size <= 14 ? size * 60 : size <= 840 ? size : size <= 50_400 ? size / 60 : size / 60_000
        guard minutes <= 840, minutes.truncatingRemainder(dividingBy: 15) == 0,
            direction != nil || size <= 14 || size > 840
        else { return nil }
        let clock = LocalDateTime(localMinutes: minutes).time
        return try? LocalZone(named: (number < 0 ? "-" : "+") + clock)
    }
}
