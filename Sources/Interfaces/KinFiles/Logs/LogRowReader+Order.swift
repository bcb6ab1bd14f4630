/// The order of rows under each date. Times that go back are of a clock of 12 hours, or after midnight.
extension LogRowReader {
    /// A row with a start: its place in the table, and the minutes from 1970 to midnight, to the start, and to the end.
    private typealias Start = (row: LogRow, place: Int, midnight: Int, minute: Int, length: Int)

    /// Requires AM and PM if times go back in a log without a time after 12:59, and gives times after midnight below an
    /// evening the next date.
    ///
    /// - Parameters:
    ///   - texts: The texts of the table's columns with times.
    ///   - isOfTracker: Whether a tracker wrote the rows, which may not be in order.
    /// - Throws: `.malformedInput` if the times are of a clock of 12 hours.
    func checkOrder(
        of table: inout LogTable, _ texts: [String], isOfTracker: Bool, _ notes: inout [String]
    ) throws(KinError) {
        var hours: Set<String>? = []
        for text in texts where hours != nil {
            hours = WrittenTime.halfDayHours(text).flatMap { hours?.union($0) }
        }
        guard hours != nil || columns[.date].contains(where: { $0.unit != "waking" }) else { return }
        let starts = starts(of: table)
        if let hours { try requireAfternoons(starts, hours, isOfTracker, &notes) }
        var (nights, example, evenings, others) = ([Start](), "", 0, 0)
        for (before, start) in zip(starts, starts.dropFirst()) {
            let isBelowNight = nights.last?.place == before.place
            if !isBelow(start, before) {
                // A date that begins at night has its own rows after midnight.
                others += before.midnight != start.midnight && start.minute < 300 ? 1 : 0
            } else if start.minute < 420, isBelowNight || before.minute - start.minute > 720, !hasDate(start.row) {
                if evenings == 0 { example = "\(written(start)) in row \(start.row.number), below \(written(before))" }
                evenings += isBelowNight ? 0 : 1
                nights.append(start)
            } else if isBelowNight || before.minute - start.minute >= 60 {
                others += 1
            }
        }
        for night in nights where evenings > others {
            let next = LocalDateTime(localMinutes: Double(night.midnight + 1440)).date
            columns[.date].forEach { table.rows[night.place].set(next, at: $0.index) }
        }
        guard evenings > 0 else { return }
        let date = evenings > others ? "next" : "same"
        notes.append(
            "times before 7:00 below an evening are of the \(date) date, such as \(example); else write each date")
    }

    /// Whether a start or an end of a row has its own date.
    private func hasDate(_ row: LogRow) -> Bool {
        (columns[.start] + columns[.end]).contains { WrittenTime.hasDate(row.text($0)) }
    }

    /// Whether a row is below another under the same date. The columns of a row with several events are in the order of
    /// time only within a kind.
    private func isBelow(_ start: Start, _ before: Start) -> Bool {
        before.midnight == start.midnight
            && (before.row.number != start.row.number
                || Self.kind(of: before.row, columns, type: type) == Self.kind(of: start.row, columns, type: type))
    }

    /// The rows with a start, from the last on if the log begins with its last row.
    private func starts(of table: LogTable) -> [Start] {
        let starts = table.rows.enumerated().compactMap { place, row -> Start? in
            var read = row
            guard let texts = try? times(of: &read), let text = texts.start, text.utf8.count > 10,
                let start = try? LocalDateTime(parsing: text),
                let end = try? LocalDateTime(parsing: texts.end.flatMap { $0.utf8.count > 10 ? $0 : nil } ?? text)
            else { return nil }
            let (from, to) = (Int(start.localMinutes), Int(end.localMinutes))
            return (row, place, from - from % 1440, from % 1440, to - from)
        }
        let steps = zip(starts, starts.dropFirst()).filter { $0.midnight == $1.midnight }.map { $1.minute - $0.minute }
        let near = steps.filter { abs($0) <= 720 }
        let balance = (near.isEmpty ? steps : near).reduce(0) { $0 + $1.signum() }
        return balance < 0 && (starts.first?.midnight ?? 0) >= (starts.last?.midnight ?? 0) ? starts.reversed() : starts
    }

    /// The times of a row as written: 9:10 to 10:25.
    private func written(_ start: Start) -> String {
        ((columns[.start] + columns[.date]).prefix(1) + columns[.end].prefix(1)).map { start.row.text($0) }
            .filter { !$0.isEmpty }.joined(separator: " to ")
    }

    /// Requires AM and PM if a time is before that of the row above it, or ends before it starts.
    private func requireAfternoons(
        _ starts: [Start], _ hours: Set<String>, _ isOfTracker: Bool, _ notes: inout [String]
    ) throws(KinError) {
        // Clocks of 24 hours write 09:30, and may have one row that is not in order.
        let zeros = hours.contains { $0.hasPrefix("0") }
        let evidence =
            starts.filter { !zeros && $0.length < 0 || (720..<1440).contains($0.length) }.map { (written($0), $0.row) }
            + zip(starts, starts.dropFirst()).filter { !isOfTracker && isBelow($1, $0) && $1.minute + 60 <= $0.minute }
            .map { ("\(written($1)) after \(written($0))", $1.row) }
        if evidence.count > (zeros ? 1 : 0) {
            let error = KinError(
                .malformedInput,
                "\(evidence[0].0) is of a clock of 12 hours, because no time of the file is after 12:59; "
                    + "write AM or PM after each time, or 13:15; if the clock has 24 hours, sort the rows by time")
            throw evidence[0].1.line.map { error.within("line", $0) } ?? error.within("event", evidence[0].1.number)
        }
        if starts.count > 2, hours.contains(where: { $0.utf8.count == 1 }) {
            notes.append("no time is after 12:59; if the clock has 12 hours, write AM or PM after each time")
        }
    }
}
