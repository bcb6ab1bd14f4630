import KinCore

/// An observation of a log at one instant: the beginning or the end of a sleep or a feed.
///
/// A row gives up to two observations, each at its own time. The state at an instant depends on the observations up to
/// then and on nothing later, so a forecast within a log equals that of the log cut there.
struct RhythmObservation: Sendable, Hashable {
    enum Kind: Int, Sendable, Hashable {
        case woke, feedEnded, fed, fellAsleep
    }

    /// The time of the observation, in minutes since 1970 by the local clock.
    var known: Double
    var start: Double
    var kind: Kind
    var row: Int

    /// The observations of records by time; at one instant ends, then feeds, then beginnings.
    static func observations(of records: [RhythmRecord]) -> [RhythmObservation] {
        var observations: [RhythmObservation] = []
        observations.reserveCapacity(2 * records.count)
        for record in records {
            let start = record.start.localMinutes
            let end = record.end.map(\.localMinutes)
            switch record.event {
            case .sleep:
                observations.append(RhythmObservation(known: start, start: start, kind: .fellAsleep, row: record.row))
                if let end {
                    observations.append(RhythmObservation(known: end, start: start, kind: .woke, row: record.row))
                }
            case .feed:
                observations.append(RhythmObservation(known: start, start: start, kind: .fed, row: record.row))
                if let end {
                    observations.append(RhythmObservation(known: end, start: start, kind: .feedEnded, row: record.row))
                }
            case .diaper, .milestone: break
            }
        }
        return observations.sorted { $0.precedes($1) }
    }

    /// Whether it comes before another one.
    func precedes(_ other: RhythmObservation) -> Bool {
        if known != other.known { return known < other.known }
        if kind != other.kind { return kind.rawValue < other.kind.rawValue }
        return start != other.start ? start < other.start : row < other.row
    }
}
