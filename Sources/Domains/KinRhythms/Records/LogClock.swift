/// The clock of a log: the clock of its time zone or, without a zone, the clock of the first beginning with an offset
/// from UTC.
///
/// A log without an offset has wall-clock time only, and its clock reads every time as written. Without a zone, offsets
/// up to an hour from the first one count as the same clock in summer or winter. A row with its own clock is read by
/// that clock, and so are questions until the next row.
package struct LogClock: Sendable, Hashable {
    /// The time zone; nil if unknown.
    package let zone: LocalZone?
    /// The offset of the first beginning that has one, in seconds ahead of UTC; 0 with a zone, nil if the log has no
    /// instants.
    private let first: Int32?
    /// The offset of the last beginning that has one; nil with a zone.
    private let last: Int32?

    private static let summerTime: Int32 = 3600

    /// Creates the clock of a log.
    ///
    /// - Parameters:
    ///   - zone: The time zone of the log; nil if unknown.
    ///   - rows: The log's rows.
    init(zone: LocalZone?, of rows: [RhythmRecord]) {
        self.zone = zone
        func offset(ofAll: Bool) -> Int32? {
            let rows = rows.lazy.filter { ofAll || !$0.hasOwnClock }
            return rows.compactMap { $0.start.written }.first ?? rows.compactMap { $0.end?.written }.first
        }
        let first = offset(ofAll: false) ?? offset(ofAll: true)
        self.first = first.map { zone == nil ? $0 : 0 }
        last =
            zone != nil || first == nil
            ? nil : rows.last { $0.start.written != nil && !$0.hasOwnClock }?.start.written ?? first
    }

    /// Whether the log has instants.
    var hasInstants: Bool { first != nil }

    /// A time of the log, by its clock.
    func read(_ time: LoggedTime) -> LoggedTime {
        guard let first else { return time }
        if let instant = time.instant, let written = time.written {
            return LoggedTime(instant, offset: offset(at: instant, written: written), written: written)
        }
        if let zone {
            let instant = zone.firstInstant(showing: time.reading)
            return LoggedTime(instant, offset: Int32(clamping: zone.offsetSeconds(at: instant)), written: nil)
        }
        return LoggedTime(time.reading, offset: first, written: nil)
    }

    /// A time in a query, by the log's clock: an instant if the log has any, else a reading.
    package func asked(_ time: LoggedTime) -> LoggedTime {
        guard hasInstants else {
            let reading = zone.flatMap { zone in time.instant.map { LocalDateTime($0, in: zone) } }
            return LoggedTime(reading ?? time.reading)
        }
        // Without a zone, the clock of the last row reads a time without an offset.
        let own = last.map { isOther($0) ? first : $0 } ?? first
        let read = read(zone == nil && time.written == nil ? LoggedTime(time.reading, offset: own, written: own) : time)
        return LoggedTime(read.reading, offset: read.offset, written: read.offset)
    }

    /// The clock for a question at a time: the own clock of the last row that started by then, or the log's clock if
    /// that row has none or if the log's zone showed the same time then.
    ///
    /// - Parameter rows: The rows by ascending start.
    package func at(_ now: LoggedTime, among rows: [RhythmRecord]) -> LogClock {
        let time = asked(now)
        guard let row = rows[..<rows.partition { $0.start <= time }].last, row.hasOwnClock else { return self }
        if let zone, let start = row.start.instant, zone.offsetSeconds(at: start) == row.start.written.map(Int.init) {
            return self
        }
        return LogClock(zone: row.start.clock, of: [row])
    }

    /// A row of the log, as its clock reads it.
    func read(_ row: RhythmRecord) -> RhythmRecord {
        guard hasInstants, !row.hasOwnClock else { return row }
        return row.spanning(read(row.start), row.end.map(read))
    }

    /// A remark on a log whose times are in UTC by itself, without a zone; nil for other logs.
    ///
    /// - Parameter rows: The rows by ascending start. At most 200 of them are read.
    package func remark(on rows: [RhythmRecord]) -> String? {
        guard zone == nil, first == 0 else { return nil }
        let sample = stride(from: 0, to: rows.count, by: rows.count / 100 + 1).map { rows[$0].start }
        guard sample.allSatisfy({ $0.offset == 0 }), 2 * sample.count(where: { $0.written != nil }) > sample.count
        else { return nil }
        return "times are in UTC and the log names no zone, so days and nights are those of UTC; "
            + "set the baby's zone, such as Europe/Berlin"
    }

    /// The repairs of rows with a different offset in a log without a zone, and of rows without an offset among
    /// instants.
    ///
    /// - Parameter rows: The rows as written, in the order of the file.
    func repairs(of rows: [RhythmRecord]) -> [RhythmRepair] {
        guard let first else { return [] }
        var repairs: [RhythmRepair] = []
        var before = first
        for row in rows where zone == nil && !row.hasOwnClock {
            guard let written = row.start.written else { continue }
            defer { before = written }
            guard written != first, written != before else { continue }
            repairs.append(
                RhythmRepair(
                    row, .otherOffset,
                    "is written with \(LoggedTime.text(ofOffset: written)), the log's first time with "
                        + "\(LoggedTime.text(ofOffset: first)), and no time zone is named; "
                        + (isOther(written)
                            ? "read by the clock of the first" : "read as it is, as after a change of clocks")
                        + ", like all rows with this offset"))
        }
        let bare = rows.filter { $0.start.written == nil }
        if let row = bare.first {
            repairs.append(
                RhythmRepair(
                    row, .noOffset,
                    "\(bare.count) of \(rows.count) rows have no offset from UTC and are read by the clock of "
                        + (zone?.name ?? "the first row with one")
                        + "; an hour that the clock repeats counts as the first. Rows stored by a release without offsets have lost their offsets; import them again"
                ))
        }
        return repairs
    }

    private func offset(at instant: Timestamp, written: Int32) -> Int32 {
        if let zone { return Int32(clamping: zone.offsetSeconds(at: instant)) }
        return isOther(written) ? first ?? written : written
    }

    /// Whether an offset differs from the first by more than summer time, so that the first clock reads its times.
    private func isOther(_ offset: Int32) -> Bool { first.map { abs($0 - offset) > Self.summerTime } ?? false }
}
