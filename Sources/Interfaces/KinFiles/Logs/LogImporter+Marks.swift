/// Events whose starts and ends have rows of their own, and sleeps that no row ends.
extension LogImporter {
    /// A row with the start or the end of a sleep or a feed.
    struct Mark {
        let kind: LogWords.Kind
        let start: LoggedTime
        /// The end of a time awake.
        var end: LoggedTime?
        let row: Int
        /// The state that goes on while rows repeat it; nil for a moment.
        let state: String?
        /// The place of the record that begins; nil for an end.
        var place: Int?

        var isOfFeed: Bool { kind == .feed || kind == .fed }
    }

    /// The sensors of Home Assistant with states such as on and off.
    ///
    /// - Throws: `.malformedInput` for two sensors of sleep or of feeding.
    static func sensors(of table: LogTable, _ columns: LogColumns) throws(KinError) -> Set<String> {
        guard let sensor = columns[.type].first(where: { $0.name == "entity_id" }) else { return [] }
        let rows = table.rows.filter { row in
            columns[.state].contains { LogWords.mark(row.text($0)) != nil && Double(row.text($0)) == nil }
        }
        let sensors = Set(rows.map { $0.text(sensor) })
        let kinds = Dictionary(grouping: sensors.sorted()) {
            LogRowReader.type(ofSensor: $0).flatMap { LogWords.kind($0) }
        }
        for (kind, same) in kinds.sorted(by: { $0.value[0] < $1.value[0] }) where kind != nil && same.count > 1 {
            throw KinError(
                .malformedInput,
                "\(CSVField.shown(same[0])) and \(CSVField.shown(same[1])) both have states of \(kind?.rawValue ?? ""); keep the rows of one of them"
            )
        }
        return sensors
    }

    /// Ends the sleeps and feeds of a table at the rows of their ends.
    mutating func joinMarks(_ part: inout ImportReport.Part) {
        var (open, repeated, same, last): ([Bool: Mark], [Mark], [Int], String?) = ([:], [], [], nil)
        guard marks.contains(where: { $0.place == nil }) else { return }
        let ends = Set(records.compactMap(\.end))
        // In a log of only times awake, the baby sleeps between them.
        let isAwakeOnly =
            part.counts[.sleep] == nil && !marks.contains { !$0.isOfFeed && ($0.kind != .awake || $0.end == nil) }
        if isAwakeOnly { part.assumptions.append("the times between times awake are read as sleeps") }
        for mark in marks.enumerated().sorted(by: { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) })
            .map(\.element)
        {
            let before = open.removeValue(forKey: mark.isOfFeed)
            defer { last = mark.state }
            if mark.place != nil {
                let goesOn = mark.state != nil && before?.state != nil
                if goesOn { repeated.append(mark) }
                if goesOn, mark.state == last { same.append(mark.row) }
                open[mark.isOfFeed] = goesOn ? before : mark
            } else if before?.place != nil || isAwakeOnly {
                if let place = before?.place {
                    records[place] = records[place].spanning(records[place].start, mark.start)
                }
                guard mark.kind == .waking || isAwakeOnly, let end = mark.end else { continue }
                open[false] = Mark(kind: .asleep, start: end, row: mark.row, state: nil, place: records.count)
                records.append(RhythmRecord(start: end, event: .sleep(RhythmRecord.Sleep()), row: mark.row))
            } else if mark.state == nil, !ends.contains(mark.start) {
                report.repairs.append(
                    RhythmRepair(
                        row: mark.row, start: mark.start, problem: .noLength,
                        text: mark.end != nil
                            ? "is a time awake; left out"
                            : "ends a \(mark.isOfFeed ? "feed" : "sleep") whose start is not in the log; not counted"))
            }
        }
        let places = Set(repeated.compactMap(\.place))
        if !places.isEmpty { records = records.indices.filter { !places.contains($0) }.map { records[$0] } }
        part.counts[.sleep]? -= repeated.count
        if let first = same.first {
            part.assumptions.append(
                "\(Plural.count(same.count, "row")) with the state of the row before; a sleep counts from the first of such "
                    + "rows until the waking; the first repetition is row \(first)")
        }
    }

    /// The error for a table whose sleeps, nearly all, have no end, or are the totals of days.
    func openSleeps(
        since first: Int, _ table: LogTable, _ columns: LogColumns, isOneOfMany: Bool
    ) -> KinError? {
        let sleeps = records[first...].filter { $0.type == .sleep }
        let open = sleeps.count { $0.end == nil }
        let midnights = sleeps.count { $0.start.time.hasPrefix("00:00") }
        let areTotals =
            midnights == sleeps.count && columns[.end].isEmpty && columns[.type].isEmpty
            && marks.allSatisfy { $0.place != nil }
        // A lone file may have one sleep that is running.
        let most = isOneOfMany && columns[.end].isEmpty ? 0 : 1
        guard open > most && open * 10 > sleeps.count * 9 || areTotals, !sleeps.isEmpty else { return nil }
        let names = table.names.prefix(20).map { CSVField.shown($0) }.joined(separator: ", ")
        return KinError(
            .malformedInput,
            areTotals
                ? "all sleeps begin at 00:00, as the totals of days do; a log has the start and the end of each sleep; "
                    + "the columns are \(names)"
                : "\(open) of \(Plural.count(sleeps.count, "sleep")) have no end, because no column is known to have ends or "
                    + "durations; the columns are \(names). Rename the one with the ends to end, or the one with the durations "
                    + "to duration_min"
        )
    }
}
