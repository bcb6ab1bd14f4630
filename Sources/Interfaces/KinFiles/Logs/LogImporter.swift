import Foundation

/// Converts tables of any tracker to one log, and reports the parts that it does not recognize.
struct LogImporter: ~Copyable {
    private let options: LogOptions
    private var zones: LogZones
    var records: [RhythmRecord] = []
    private var baby = RhythmLog.Baby()
    var report = ImportReport(parts: [])
    /// The starts and ends of a table's events that have separate rows.
    var marks: [Mark] = []
    /// The error for the sleeps of a folder's file, which are left out.
    private var openSleeps: KinError?
    private var firstUnknown: (line: Int?, row: Int, text: String)?
    /// The numbers of rows of a table whose type is unknown, by type.
    var unknown: [String: (rows: Int, minutes: Double)] = [:]
    private var bornText: String?
    /// The names or numbers of the children in the rows, in the order of their first rows.
    private var children: [String] = []
    /// Whether a row is about the child that the options name.
    private var hasChild = false
    /// The number of rows about other children.
    private var strangers = 0
    private var lists = ChildLists()
    /// Whether a table is of a log, and the error of the first that is not.
    private var (isOfLog, firstForeign): (Bool, KinError?) = (false, nil)
    /// The number of rows of a table that are left out and the first of them, by reason.
    private var leftOut: [String: (count: Int, first: Int)] = [:]

    init(_ options: LogOptions) {
        self.options = options
        zones = LogZones(zone: options.zone)
    }

    /// Adds the text of a file: JSON if it begins as JSON, else delimited text.
    ///
    /// - Parameters:
    ///   - text: The text of the file, as `String.plain` gives it.
    ///   - isOneOfMany: Whether an empty text, or a table that is not of a log, is left out with a remark.
    /// - Throws: As ``add(_:isOneOfMany:)``.
    mutating func add(
        _ text: String, _ encoding: TextEncoding, source: String, isOneOfMany: Bool = false
    ) throws(KinError) {
        if isOneOfMany, text.allSatisfy(\.isWhitespace) {
            var part = ImportReport.Part(source: source, text: encoding.rawValue)
            part.assumptions.append("left out, because it is empty")
            report.parts.append(part)
            return
        }
        guard LogJSON.begins(text) else {
            var table = try LogTable(delimited: text, encoding: encoding, source: source)
            table.path = isOneOfMany ? [source] : []
            let sections = table.sections()
            for section in sections { try add(section, isOneOfMany: isOneOfMany || sections.count > 1) }
            return
        }
        try add(LogJSON(JSONText.values(text), source: source), source: source, isOneOfMany: isOneOfMany)
    }

    /// Adds the tables of a JSON file, and the facts next to them: the baby's name and day of birth, and the time zone.
    ///
    /// - Throws: As ``add(_:isOneOfMany:)``; also for a zone that is unknown.
    mutating func add(_ json: LogJSON, source: String, isOneOfMany: Bool = false) throws(KinError) {
        try add(json.facts, source: source)
        for var table in json.tables {
            if isOneOfMany { table.path.insert(source, at: 0) }
            try add(table, isOneOfMany: isOneOfMany || json.tables.count > 1)
        }
    }

    private mutating func add(_ facts: [(name: String, text: String)], source: String) throws(KinError) {
        var part = ImportReport.Part(source: source, text: "JSON")
        for (name, text) in facts {
            switch LogColumns.base(of: name).base {
            case "name", "baby name", "baby": baby.name = text
            case "date of birth", "birth date", "born", "birthday", "dob", "birthdate": bornText = text
            case "time zone", "timezone", "zone", "tz":
                if options.zone == nil { zones.zone = try LocalZone(named: text) }
            default: part.ignored.append(ImportReport.IgnoredColumn(column: name, rows: 1, example: text, row: 0))
            }
        }
        if !part.ignored.isEmpty { report.parts.append(part) }
    }

    /// Adds the rows of a table.
    ///
    /// - Parameter isOneOfMany: Whether a table that is not a log is left out with a remark.
    /// - Throws: `.malformedInput` with the line, or the number of the event, and the column.
    mutating func add(_ read: LogTable, isOneOfMany: Bool = false) throws(KinError) {
        var table = read.tidied()
        let lists = table.takeLists()
        if !table.rows.isEmpty || lists.isEmpty { try add(tidied: table, isOneOfMany: isOneOfMany || !lists.isEmpty) }
        for list in lists { try add(list, isOneOfMany: isOneOfMany) }
    }

    private mutating func add(tidied read: LogTable, isOneOfMany: Bool) throws(KinError) {
        var table = read
        let (format, runnerUp) = TrackerFormat.find(table.names)
        var columns = LogColumns(table.names, of: format)
        let text = [table.encoding.rawValue, table.separator ?? "JSON"].joined(separator: ", ")
        var part = ImportReport.Part(source: table.source, text: text)
        (part.format, part.runnerUp) = (format?.name, runnerUp)
        if let title = table.title {
            part.assumptions.append("\"\(CSVField.shown(title))\" before the columns' names is taken as a title")
        }
        part.assumptions += table.notes
        var type =
            columns[.type].isEmpty || format?.type != nil
            ? LogWords.type(format?.type, ofFile: table.source)
                ?? table.title.flatMap { LogWords.kind(ofFile: $0) }
                ?? (columns.hasBedtimes || columns.hasSleepStates ? "sleep" : nil)
            : nil
        if columns[.type].isEmpty, let column = try table.typeColumn(columns, type, child: options.child) {
            part.assumptions.append(
                "column \(column.name) is read as the type, because its words are kinds of events")
            columns.set(.type, column)
            type = nil
            if let child = options.child, Self.isSame(column.name, child) { (hasChild, baby.name) = (true, child) }
        }
        if type == nil, columns[.type].isEmpty, let (word, column) = table.impliedType(columns) {
            part.assumptions.append("rows are of type \(word), by the name of column \(column)")
            type = word
        }
        if let column = table.dateColumn(columns) {
            part.assumptions.append("column number \(column.index + 1), \(column.name), is read as the date")
            columns.set(.date, column)
        }
        if let name = columns.loneVolume {
            part.assumptions.append("column \(name) is read as the amount, because no other has a unit of milk")
        }
        let isLog = type != nil || !columns[.type].isEmpty
        guard isLog, !columns[.start].isEmpty || !columns[.date].isEmpty, !table.isNoLog else {
            let error = table.unrecognised(runnerUp, isTyped: type != nil)
            guard isOneOfMany, !isLog || table.isNoLog || table.separator != nil || !table.hasTimes else { throw error }
            firstForeign = firstForeign ?? error
            part.assumptions.append("left out, because it is not a log of sleeps, feeds, diapers or milestones")
            report.parts.append(part)
            return
        }
        isOfLog = true
        if type != nil { table.leaveOutUntimed(columns) }
        if columns[.baby].isEmpty {
            columns.columns[.baby] = ChildLists.column(in: table, columns, options.child, &part.assumptions)
        }
        columns.sensors = try Self.sensors(of: table, columns)
        columns.kindOfDetails = table.kindOfDetails(columns)
        if let note = try zones.find(table, columns) { part.assumptions.append(note) }
        var rowReader = try LogRowReader(
            &table, columns, format, type: type, options: options, notes: &part.assumptions)
        rowReader.zone = zones.zone
        if let row = table.times(columns).first(where: { WrittenTime.isSince2001($0.text) }) {
            part.assumptions.append(
                "numbers such as \(row.text) in row \(row.row) are read as seconds since 2001, as Apple's databases count"
            )
        }
        for row in table.leftOut { leaveOut(row.number, "has no start of an event; left out") }
        let short = table.rows.filter { $0.fields.count < table.names.count }
        if let first = short.first {
            part.assumptions.append(
                "\(Plural.count(short.count, "row")) without the last fields, which are taken as empty; the first is row \(first.number)"
            )
        }
        var unused: [Int: ImportReport.IgnoredColumn] = [:]
        var used = [Bool](repeating: false, count: table.names.count)
        let (knownStrangers, knownRepairs, knownRecords) = (strangers, report.repairs.count, records.count)
        (leftOut, marks) = ([:], [])
        for row in table.rows { if let name = childNames(of: row, columns).first { addChild(name) } }
        var invalid: [(row: Int, error: KinError)] = []
        unknown = [:]
        for var row in table.rows {
            func located(_ error: KinError) -> KinError {
                row.line.map { error.within("line", $0) } ?? error.within("event", row.number)
            }
            do throws(KinError) { guard try isOfChild(&row, rowReader) else { continue } } catch {
                throw located(error)
            }
            do throws(KinError) {
                try row.joinNote(table, columns)
                if try add(&row, rowReader, part: &part) { table.count(row, &used, &unused) }
            } catch {
                invalid.append((row.number, located(error)))
                leaveOut(row.number, "\(error.message); the row is left out")
            }
        }
        // More than a few invalid rows are in a form that Kin does not know.
        if let first = invalid.first, invalid.count * Self.rowsForEachInvalid > table.rows.count {
            let times = (columns[.start] + columns[.end] + columns[.date]).map(\.name)
            guard isOneOfMany, invalid.count == table.rows.count,
                table.times(columns).allSatisfy({ $0.text.isEmpty || WrittenTime.isDate($0.text) })
                    || !first.error.context.contains(where: { $0.name == "column" && times.contains($0.value) })
            else { throw first.error }
            report.repairs.removeSubrange(knownRepairs...)
            part.assumptions.append("left out, because no row is read: \(first.error.message)")
            report.parts.append(part)
            return
        }
        countBareDiapers(since: knownRepairs, &part)
        for (reason, rows) in leftOut.sorted(by: { $0.key < $1.key }) {
            part.assumptions.append(
                "\(Plural.count(rows.count, "row")) \(reason), left out; the first is row \(rows.first)")
        }
        joinMarks(&part)
        if let error = openSleeps(since: knownRecords, table, columns, isOneOfMany: isOneOfMany) {
            guard isOneOfMany else { throw error }
            openSleeps = openSleeps ?? error
            records.removeSubrange(knownRecords...)
            (part.rows, part.counts) = (0, [:])
            part.assumptions.append("left out, because \(error.message)")
        }
        if columns[.baby].isEmpty { lists.add(table, records[knownRecords...], part: report.parts.count) }
        try countUnknown(of: table.rows.count, since: knownRecords, &part)
        for (field, list) in columns.columns.sorted(by: { $0.value[0].index < $1.value[0].index }) {
            part.columns += list.filter { used[$0.index] }.flatMap { column in
                (table.originals[column.index] ?? [column.name]).map { ($0, field.rawValue) }
            }
            list.forEach { used[$0.index] = false }
        }
        part.columns += table.names.indices.filter { used[$0] }.map { (table.names[$0], "unit") }
        if part.rows > 0 { part.ignored = unused.sorted { $0.key < $1.key }.map(\.value) }
        if strangers > knownStrangers {
            part.assumptions.append(
                "\(Plural.count(strangers - knownStrangers, "row")) of other children left out, as set")
        }
        report.parts.append(part)
    }

    /// Adds one row as an event, or leaves it out with a repair.
    ///
    /// - Returns: Whether it is an event, whose fields count as used or not.
    private mutating func add(
        _ row: inout LogRow, _ reader: LogRowReader, part: inout ImportReport.Part
    ) throws(KinError) -> Bool {
        var type = reader.type(of: &row)
        guard let kind = reader.kind(of: &row, &type) else {
            let times = try? reader.times(of: &row)
            let (start, end) = (times?.start.flatMap(Self.time), times?.end.flatMap(Self.time))
            let repair = RhythmRepair.unknownType(type, row: row.number, start: start ?? records.last?.start)
            report.repairs.append(repair)
            firstUnknown = firstUnknown ?? (row.line, row.number, repair.text)
            unknown[type, default: (0, 0)].rows += 1
            unknown[type]?.minutes += start.flatMap { end?.minutes(since: $0) } ?? 0
            return false
        }
        if let reason = reader.reasonLeftOut(&row, kind) {
            leftOut[reason, default: (0, row.number)].count += 1
            firstUnknown = firstUnknown ?? (row.line, row.number, "every row is \(reason)")
            return false
        }
        let (startText, endText) = try reader.times(of: &row)
        guard let startText else {
            throw KinError(.malformedInput, "the field is empty; every row has a start").within(
                "column", reader.columns[.start].first?.name ?? "start")
        }
        if kind != .milestone {
            for (text, field) in [(startText, LogField.start), (endText ?? "", .end)] where text.utf8.count == 10 {
                let names = reader.columns.names.prefix(20).map { CSVField.shown($0) }.joined(separator: ", ")
                throw KinError(
                    .malformedInput,
                    reader.columns[.start].isEmpty
                        ? "\"\(text)\" has no time of day, and no column is known to have the starts; the columns are \(names). "
                            + "Rename the one with the starts to start, and the one with the ends to end"
                        : "\"\(text)\" has no time of day; write one for each event, such as \(text)T06:30"
                ).within("column", (reader.columns[field] + reader.columns[.date]).first?.name ?? field.rawValue)
            }
        }
        let start = try time(startText, reader.columns[.start])
        var end = try endText.map { text throws(KinError) in try time(text, reader.columns[.end]) }
        if let end, end != start, kind == .diaper || kind == .milestone { row.release(reader.columns[.end]) }
        let ownZone = zones.own(of: &row, reader.columns[.zone])
        // The moment of falling asleep or of waking may be written twice.
        if end == start, kind == .asleep || kind == .awake { end = nil }
        switch kind {
        case .awake, .waking, .fed:
            marks.append(Mark(kind: kind, start: start, end: end, row: row.number, state: reader.state(of: row)))
        default:
            var reader = reader
            reader.zone = ownZone ?? reader.zone
            let record = try reader.record(&row, kind, type, from: start, to: end, repairs: &report.repairs)
            if record.end == nil, record.type == .sleep || record.type == .feed {
                marks.append(
                    Mark(
                        kind: record.type == .sleep ? .asleep : .feed, start: start, row: row.number,
                        state: reader.state(of: row), place: records.count))
            }
            records.append(ownZone.map(record.byClock) ?? record)
            part.counts[record.type, default: 0] += 1
        }
        part.rows += 1
        return true
    }

    private static func time(_ text: String) -> LoggedTime? { try? LoggedTime(parsing: text) }

    private func time(_ text: String, _ columns: [LogColumn]) throws(KinError) -> LoggedTime {
        do throws(KinError) { return try LoggedTime(parsing: text) } catch {
            throw columns.first.map { error.within("column", $0.name) } ?? error
        }
    }

    /// The marks around the only name in a list, `["Mia"]`.
    private static let listMarks = CharacterSet(charactersIn: "[]\" ")

    /// The name of a row's child before its number, as the row has them.
    private func childNames(of row: LogRow, _ columns: LogColumns) -> [String] {
        let names = columns[.baby].map { row.text($0).trimmingCharacters(in: Self.listMarks) }.filter { !$0.isEmpty }
        return names.filter { Double($0) == nil } + names.filter { Double($0) != nil }
    }

    private mutating func addChild(_ name: String) {
        if !children.contains(where: { Self.isSame($0, name) }) { children.append(name) }
    }

    static func isSame(_ a: String, _ b: String) -> Bool { a.trimmed.lowercased() == b.trimmed.lowercased() }

    /// Whether a row is about the child whose log is read; a row may have the child's name and birth.
    ///
    /// - Throws: `.malformedInput` for a second child, unless the options name one.
    private mutating func isOfChild(_ row: inout LogRow, _ reader: LogRowReader) throws(KinError) -> Bool {
        let (names, columns) = (childNames(of: row, reader.columns), reader.columns[.baby])
        columns.forEach { row.use($0) }
        if let name = names.first {
            if let child = options.child, !names.contains(where: { Self.isSame($0, child) }) {
                strangers += 1
                return false
            }
            hasChild = true
            if options.child == nil, !Self.isSame(name, children[0]) {
                throw KinError(
                    .malformedInput,
                    "the log has rows of \(shownChildren); name the child to read: --child \"\(CSVField.shown(children[0]))\""
                ).within("column", columns[0].name)
            }
            if baby.name.isEmpty, Double(name) == nil { baby.name = name }
        } else if !columns.isEmpty, children.count > 1 {
            leaveOut(row.number, "names no child, and the log has several; the row is left out")
            return false
        }
        if let (text, _) = row.take(reader.columns[.born]) { bornText = bornText ?? text }
        return true
    }

    private var shownChildren: String {
        children.prefix(5).map { CSVField.shown($0) }.joined(separator: " and of ")
    }

    /// The log of all tables that were added.
    ///
    /// - Throws: `.malformedInput` if no row is an event, or none is of the child that the options name.
    mutating func finish() throws(KinError) -> LogImport {
        if !isOfLog, let firstForeign { throw firstForeign }
        if !hasChild, let others = try lists.others(than: options.child) {
            for list in others.sorted(by: { $0.records.lowerBound > $1.records.lowerBound }) {
                records.removeSubrange(list.records)
                (report.parts[list.part].rows, report.parts[list.part].counts) = (0, [:])
                report.parts[list.part].assumptions.append("left out, because it is of another child")
            }
            (hasChild, baby.name) = (true, options.child ?? "")
        }
        if let child = options.child, !hasChild {
            throw KinError(
                .malformedInput,
                children.isEmpty
                    ? "no column is known to name a child; rename it to child, or read the log without \(CSVField.shown(child))"
                    : "the log has no row of \(CSVField.shown(child)), but of \(shownChildren)")
        }
        if let note = lists.note, options.child == nil { report.parts[0].assumptions.append(note) }
        if let openSleeps, !records.contains(where: { $0.type == .sleep }) { throw openSleeps }
        if records.isEmpty, firstUnknown == nil, let first = report.repairs.first {
            throw KinError(.malformedInput, "no row is an event; row \(first.row) \(first.text)")
        }
        if records.isEmpty, let firstUnknown {
            let known =
                "other words for them are nap, bottle, nursing, solids and nappy, also in German, French and Spanish"
            let text = firstUnknown.text.replacing("the row is left out", with: known)
            let error = KinError(.malformedInput, text).within("column", "type")
            throw firstUnknown.line.map { error.within("line", $0) } ?? error.within("event", firstUnknown.row)
        }
        if let bornText {
            baby.born = try? LocalDateTime(parsing: LogTimes(dates: .monthFirst, evidence: nil).iso(bornText))
        }
        return LogImport(
            log: RhythmLog(records, baby: baby, readingRepairs: report.repairs, zone: zones.zone), report: report)
    }
}
