/// An observation of a log at one instant: the beginning or the end of a sleep or a feed.
///
/// A row has up to two observations, each at its own time. The state at an instant depends only on the observations up
/// to then, so a forecast within a log equals that of the log cut there.
struct RhythmObservation: Sendable, Hashable {
    enum Kind: Int, Sendable, Hashable {
        case woke, feedEnded, fed, fellAsleep
        /// The logged end of a sleep that is known to have ended earlier.
        case timerStopped
    }

    /// The time of the observation.
    var time: LoggedTime
    /// The beginning of the row.
    var start: LoggedTime
    var kind: Kind
    var row: Int

    /// The time of the observation, as ``LoggedTime/minute``.
    var known: Double { time.minute }

    /// The observations of records by time; at the same instant, ends come before feeds and feeds before beginnings.
    ///
    /// - Parameters:
    ///   - records: The counted rows.
    ///   - stopped: The sleeps among them whose end is not used, with that end.
    static func observations(
        of records: [RhythmRecord], stopped: [(row: RhythmRecord, end: LoggedTime)]
    ) -> [RhythmObservation] {
        var observations = stopped.map { row, end in
            RhythmObservation(time: end, start: row.start, kind: .timerStopped, row: row.row)
        }
        observations.reserveCapacity(2 * records.count)
        for record in records {
            let kinds: (begins: Kind, ends: Kind)
            switch record.event {
            case .sleep: kinds = (.fellAsleep, .woke)
            case .feed: kinds = (.fed, .feedEnded)
            case .diaper, .milestone: continue
            }
            let start = record.start
            observations.append(RhythmObservation(time: start, start: start, kind: kinds.begins, row: record.row))
            if let end = record.end {
                observations.append(RhythmObservation(time: end, start: start, kind: kinds.ends, row: record.row))
            }
        }
        return observations.sorted { $0.precedes($1) }
    }

    /// Whether both observations are the same, as for a duplicate row.
    func repeats(_ other: RhythmObservation) -> Bool { (time, start, kind) == (other.time, other.start, other.kind) }

    /// Whether the observation comes before a given one.
    func precedes(_ other: RhythmObservation) -> Bool {
        if time != other.time { return time < other.time }
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        return start != other.start ? start < other.start : row < other.row
    }
}

extension [RhythmObservation] {
    /// The time of the last observation up to the present; of the last one if all are later. O(later observations).
    func latest(by present: Timestamp) -> LoggedTime? { (last { $0.time.hasPassed(by: present) } ?? last)?.time }
}
