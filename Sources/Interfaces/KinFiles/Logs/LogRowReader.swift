import Foundation

/// Reads the rows of one table as events.
struct LogRowReader {
    let columns: LogColumns
    let type: String?
    let leftOut: Set<String>
    /// The columns whose words are the starts and ends of sleeps, or of feeds, in separate rows; nil if the events have an
    /// end or none of the words is known.
    let marks: [LogWords.Kind: [LogColumn]]
    /// The zone of times without an offset, if it is known.
    var zone: LocalZone?
    private let times: LogTimes
    let hasDecimalComma: Bool
    /// Whether a text has a column of ends.
    private let hasEnds: Bool
    /// The unit of amounts without a unit; nil if all have one.
    let unit: String?
    /// The column with the unit of each amount, by the amount's place.
    let unitColumns: [Int: LogColumn]
    /// The text of the repair for a diaper whose contents are not in the log.
    static let bareDiaper = "has no kind of diaper (wet, dirty, both or dry); counted as both"

    /// Infers the date order and the unit of amounts from all rows.
    ///
    /// - Throws: `.malformedInput` if the order of day and month or the unit of amounts is ambiguous.
    init(
        _ table: inout LogTable, _ columns: LogColumns, _ format: TrackerFormat?, type: String?, options: LogOptions,
        notes: inout [String]
    ) throws(KinError) {
        (self.type, hasDecimalComma) = (type, table.hasDecimalComma)
        leftOut = format?.leftOut ?? []
        marks = columns[.end].isEmpty && columns[.duration].isEmpty ? Self.marks(table, columns, type, &notes) : [:]
        hasEnds = table.separator != nil && !columns[.end].isEmpty
        let texts = table.times(columns)
        times = try LogTimes(texts, options, format: format)
        if let evidence = times.evidence { notes.append(evidence) }
        if columns.hasBedtimes, let date = columns[.date].first, let start = columns[.start].first {
            notes.append(
                "\(date.name) is read as the date of \(start.name), not of the waking after midnight")
        }
        if let (day, row) = texts.first(where: { WrittenTime.spreadsheetDay($0.text) != nil }) {
            notes.append(
                "numbers such as \(day) in row \(row) are read as the days of a spreadsheet, since 1899-12-30; if the dates are four years "
                    + "early, the workbook counts from 1904: write dates, or add 1462 to the numbers")
        }
        for column in columns[.amount] + columns[.duration] where column.unit != LogColumns.base(of: column.name).unit {
            notes.append(
                "column \(column.name) is in \(column.unit ?? ""), as \(format?.name ?? "the tracker") gives it")
        }
        if table.encoding == .windows1252 { notes.append("the text is not UTF-8 and is read as Windows-1252") }
        let pairs = (columns[.amount] + columns[.part]).compactMap { column in
            Self.unitColumn(of: column, in: columns).map { (column.index, $0) }
        }
        unitColumns = Dictionary(pairs) { first, _ in first }
        self.columns = Self.withUnits(columns, of: table, type: type, &notes)
        unit = try Self.unit(of: table, columns, unitColumns, type: type, options, &notes)
        try checkOrder(of: &table, texts.map(\.text), isOfTracker: format.map { $0.name != "Kin" } ?? false, &notes)
    }

    /// The start and the end of a row as ISO 8601.
    ///
    /// - Throws: `.malformedInput` with the column.
    func times(of row: inout LogRow) throws(KinError) -> (start: String?, end: String?) {
        var (first, day) = (row.take(columns[.start]), String?.none)
        if let date = row.take(columns[.date]) {
            // Next to a start with a date, the column of dates may be the day of the week.
            if let first, !WrittenTime.hasDate(first.text) { day = try String(iso(date.text, date.column).prefix(10)) }
            first = first ?? date
        }
        guard let (text, column) = first else { return (nil, nil) }
        var start: String
        do throws(KinError) { start = try iso(text, column, on: day) } catch {
            guard let range = WrittenTime.range(text) else { throw error }
            start = try iso(range.start, column, on: day)
            return (start, try end(range.end, column, after: start))
        }
        start = try clock(&row, .start, on: start)
        guard let (text, column) = row.take(columns[.end]), !LogWords.isRunning(text) else { return (start, nil) }
        let end = try clock(&row, .end, on: end(text, column, after: start))
        guard columns[.date].first?.unit == "waking", end.prefix(10) > start.prefix(10),
            let first = try? LocalDateTime(parsing: start)
        else { return (start, end) }
        let night = LocalDateTime(localMinutes: first.localMinutes - 1440)
        return (night.description, "\(start.prefix(10))\(end.dropFirst(10))")
    }

    /// The end of an event whose start is known. A time of day before that of the start is on the next day.
    private func end(_ text: String, _ column: LogColumn, after start: String) throws(KinError) -> String {
        let end = try iso(text, column, on: String(start.prefix(10)))
        guard !WrittenTime.hasDate(text), end.dropFirst(11).prefix(8) < start.dropFirst(11).prefix(8),
            let first = try? LocalDateTime(parsing: String(start.prefix(10)))
        else { return end }
        return LocalDateTime(localMinutes: first.localMinutes + 1440).date + end.dropFirst(10)
    }

    /// A time, or a date with the time of day of a second column, such as of `End Date` and `End Time`.
    private func clock(_ row: inout LogRow, _ field: LogField, on day: String) throws(KinError) -> String {
        guard day.utf8.count == 10,
            let column = columns[field].first(where: { !row.text($0).isEmpty && !WrittenTime.hasDate(row.text($0)) })
        else { return day }
        row.use(column)
        return try iso(row.text(column), column, on: day)
    }

    private func iso(_ text: String, _ column: LogColumn, on day: String? = nil) throws(KinError) -> String {
        do throws(KinError) {
            let iso = try times.iso(text, on: day)
            let isBare = iso.utf8.count > 10 && !iso.utf8.dropFirst(11).contains { "Z+-".utf8.contains($0) }
            return column.unit == "utc" && isBare ? iso + "Z" : iso
        } catch { throw error.within("column", column.name) }
    }

    /// Reads a row as an event.
    ///
    /// - Throws: `.malformedInput` with the column.
    func record(
        _ row: inout LogRow, _ kind: LogWords.Kind, _ type: String, from start: LoggedTime, to logged: LoggedTime?,
        repairs: inout [RhythmRepair]
    ) throws(KinError) -> RhythmRecord {
        var found: [RhythmRepair] = []
        let number = row.number
        func note(_ problem: RhythmRepair.Problem, _ text: String) {
            found.append(RhythmRepair(row: number, start: start, problem: problem, text: text))
        }
        defer { repairs += found }
        let event: RhythmRecord.Event
        switch kind {
        case .feed:
            let minutes = try duration(&row)
            let end = end(logged, from: start, minutes, note)
            event = .feed(try feed(&row, type, until: end, minutes, note))
        case .diaper: event = .diaper(diaper(&row, type, note))
        case .milestone:
            let title = row.take(columns[.title] + columns[.subtype] + columns[.detail])?.text ?? ""
            let category: RhythmRecord.MilestoneCategory? = word(&row, .category)
            event = .milestone(title: title, category: category ?? .physical)
        default:
            let minutes = try duration(&row) ?? parsed(&row, .detail, writtenDuration)
            let end = end(logged, from: start, minutes, note)
            let taken = end.map { length(from: start, to: $0) }
            if let end, let taken, abs(end.minutes(since: start) - taken) > 1 {
                note(
                    .endByDuration,
                    "takes \(DecimalText.short(taken)) minutes over a change of clocks; add offsets to the times")
            }
            if let taken, let minutes, logged != nil, abs(taken - minutes) > 1.5 {
                note(
                    .endByDuration,
                    "takes \(DecimalText.short(taken)) minutes by its end and \(DecimalText.short(minutes)) by "
                        + "\(columns[.duration].first?.name ?? "its duration"); the end counts")
            }
            var sleep = RhythmRecord.Sleep(end: end, quality: word(&row, .quality))
            sleep.napNumber = parsed(&row, .nap) { Int($0) }
            sleep.isNight = parsed(&row, .night, LogWords.isYes)
            event = .sleep(sleep)
        }
        return RhythmRecord(start: start, event: event, note: self.note(&row), row: number)
    }

    /// The minutes between two times, by the clocks of the zone if they are readings of it.
    private func length(from start: LoggedTime, to end: LoggedTime) -> Double {
        let shown = end.minutes(since: start)
        return shown + end.minutes(since: start.later(by: shown, in: zone))
    }

    /// The end of an event, by its duration if the end is missing.
    private func end(
        _ end: LoggedTime?, from start: LoggedTime, _ minutes: Double?,
        _ note: (RhythmRepair.Problem, String) -> Void
    ) -> LoggedTime? {
        guard end == nil, let minutes, minutes != 0 else { return end }
        let text = DecimalText.short(minutes)
        guard minutes > 0, minutes <= RhythmRecord.longestDuration else {
            note(.endByDuration, "has no end, and no end follows from a duration of \(text) minutes")
            return nil
        }
        // A file without a column of ends has durations instead. In a file with such a column, a missing end is
        // reported.
        if hasEnds { note(.endByDuration, "has no end; \(text) minutes after its beginning are taken") }
        return start.later(by: minutes, in: zone)
    }

    private func duration(_ row: inout LogRow) throws(KinError) -> Double? {
        guard let (text, column) = row.take(columns[.duration]) else { return nil }
        guard let minutes = LogQuantity.minutes(text, unit: column.unit, decimalComma: hasDecimalComma) else {
            throw KinError(
                .malformedInput,
                "'\(CSVField.shown(text))' is not a number of minutes nor a duration such as 0:45 or 1h 20m"
            ).within("column", column.name)
        }
        return minutes == 0 ? nil : minutes
    }

    /// The minutes of a text with a unit, such as 75 min or 1h 20m; nil for other texts.
    private func writtenDuration(_ text: String) -> Double? {
        guard text.contains(where: \.isLetter) else { return nil }
        return LogQuantity.minutes(text, unit: nil, decimalComma: hasDecimalComma)
    }

    private func feed(
        _ row: inout LogRow, _ type: String, until end: LoggedTime?, _ minutes: Double?,
        _ note: (RhythmRepair.Problem, String) -> Void
    ) throws(KinError) -> RhythmRecord.Feed {
        var feed = RhythmRecord.Feed(end: end, minutes: minutes)
        let subtype = row.take(columns[.subtype])?.text ?? ""
        feed.method = LogWords.method(subtype) ?? LogWords.method(type)
        feed.side = LogWords.side(subtype) ?? LogWords.side(type)
        if feed.method == nil, feed.side == nil, !subtype.isEmpty, subtype.lowercased() != "unspecified" {
            note(.unknownWord, "\"\(subtype.prefix(40))\" is not a way of feeding; left open")
        }
        feed.food = row.take(columns[.food])?.text
        try readBreasts(&row, &feed)
        let isSolid =
            feed.method == .solids
            || feed.method == nil && columns[.detail].contains { LogWords.method(row.text($0)) == .solids }
        feed.millilitres = try amount(&row, isSolid: isSolid, note)
        for column in columns[.detail] where !row.text(column).isEmpty {
            let text = row.text(column)
            if readDetail(text, &feed, note) { row.use(column) }
        }
        if feed.method == nil, feed.side != nil { feed.method = .breast }
        if feed.method == .breast, feed.side == nil {
            feed.side = columns[.note].map { row.text($0) }.first(where: LogWords.isDetail).flatMap(LogWords.side)
        }
        return feed
    }

    /// Reads the columns about each breast.
    private func readBreasts(_ row: inout LogRow, _ feed: inout RhythmRecord.Feed) throws(KinError) {
        var minutes: [LogField: Double] = [:]
        for field in [LogField.left, .right] {
            guard let (text, column) = row.take(columns[field]) else { continue }
            guard let value = LogQuantity.minutes(text, unit: column.unit, decimalComma: hasDecimalComma) else {
                throw CSVTable.notANumber(text, column: column.name)
            }
            if value > 0 { minutes[field] = value }
        }
        if let side = parsed(&row, .side, LogWords.side), feed.side == nil { feed.side = side }
        guard !minutes.isEmpty else { return }
        feed.side = minutes.count == 2 ? .both : minutes[.left] != nil ? .left : .right
        feed.minutes = feed.minutes ?? minutes.values.reduce(0, +)
    }

    /// Reads a field whose meaning depends on the feed: `120ml`, `00:07L`, `Formula`, `Bottle, 4 oz`, a food.
    ///
    /// - Returns: Whether the field is recognized, with its numbers.
    private func readDetail(
        _ text: String, _ feed: inout RhythmRecord.Feed, _ note: (RhythmRepair.Problem, String) -> Void
    ) -> Bool {
        if let (minutes, side) = LogQuantity.breast(text) {
            if feed.side == nil {
                (feed.side, feed.minutes) = (side, feed.minutes ?? minutes)
            } else if feed.side != side {
                feed.side = .both
            }
            return true
        }
        // An amount may follow a word for the way of feeding.
        let start = text.prefix { !$0.isNumber }
        let isWay = start.split { !$0.isLetter }.count == 1 && LogWords.method(String(start)) != nil
        let quantity = isWay ? text[start.endIndex...].filter { $0 != ")" } : text
        if let (value, unit) = LogQuantity.amount(quantity, decimalComma: hasDecimalComma),
            let amount = millilitres(value, unit)
        {
            if feed.millilitres == nil { feed.millilitres = amount }
            feed.method = feed.method ?? LogWords.method(text)
            return feed.millilitres.map { abs($0 - amount) < 0.02 * amount + 0.5 } ?? false
        }
        if let method = LogWords.method(text) {
            feed.method = feed.method ?? method
            return !text.contains(where: \.isNumber)
        }
        guard feed.method == .solids, feed.food == nil else { return false }
        feed.food = text
        return true
    }

    private func diaper(
        _ row: inout LogRow, _ type: String, _ note: (RhythmRepair.Problem, String) -> Void
    ) -> RhythmRecord.Diaper {
        if let duration = columns[.duration].first, Double(row.text(duration)) == 0 { row.use(duration) }
        // A number or a size, such as 2 or large, is a yes.
        func isThere(_ text: String) -> Bool? { LogWords.isYes(text) ?? (text.lowercased() != "none") }
        let (wet, dirty) = (parsed(&row, .wet, isThere), parsed(&row, .dirty, isThere))
        if wet != nil || dirty != nil {
            return wet == true ? (dirty == true ? .both : .wet) : dirty == true ? .dirty : .dry
        }
        var subtype = ""
        // A note may be about anything, unless it has only words of a diaper.
        let notes = columns[.note].filter { LogWords.isDetail(row.text($0)) }
        for column in columns[.subtype] + columns[.detail] + columns[.amount] + notes where !row.text(column).isEmpty {
            let text = row.text(column)
            if let diaper = LogWords.diaper(text) {
                row.use(column)
                return diaper
            }
            if columns[.subtype].contains(where: { $0.index == column.index }) {
                subtype = text
                row.use(column)
            }
        }
        if let diaper = LogWords.diaper(type) { return diaper }
        note(
            .unknownWord,
            subtype.isEmpty
                ? Self.bareDiaper
                : "\"\(subtype.prefix(40))\" is not a kind of diaper (wet, dirty, both or dry); counted as both")
        return .both
    }

    /// The author, times and text of a row; nil if it has none.
    private func note(_ row: inout LogRow) -> RhythmRecord.Note? {
        var note = RhythmRecord.Note()
        (note.id, note.author, note.text) = (
            row.take(columns[.id])?.text, row.take(columns[.author])?.text, row.take(columns[.note])?.text
        )
        note.created = parsed(&row, .created, instant)
        note.updated = parsed(&row, .updated, instant)
        // A time of removal is after 1970.
        note.isRemoved =
            parsed(&row, .removed) { text in
                LogWords.isYes(text) ?? (try? times.iso(text)).map { $0.prefix(4) > "1970" }
            } ?? false
        return note == RhythmRecord.Note() ? nil : note
    }

    private func instant(_ text: String) -> Timestamp? {
        (try? times.iso(text)).flatMap { try? Timestamp(parsing: $0) }
    }

    private func word<Word: RawRepresentable<String>>(_ row: inout LogRow, _ field: LogField) -> Word? {
        parsed(&row, field) { Word(rawValue: $0.lowercased()) }
    }

    /// The value of the first column with a text; an unknown text stays unused.
    private func parsed<Value>(_ row: inout LogRow, _ field: LogField, _ parse: (String) -> Value?) -> Value? {
        guard let column = columns[field].first(where: { !row.text($0).isEmpty }), let value = parse(row.text(column))
        else { return nil }
        row.use(column)
        return value
    }
}
