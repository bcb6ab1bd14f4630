import KinCore

/// What a log tells at one instant: a sleep that begins, one that ends, a feed that begins, one that ends.
///
/// A row becomes up to two facts, each known at its own time. What is learned up to an instant depends on the facts known by then and
/// on nothing later, so a forecast made inside a log is the one made on the log cut there.
struct RhythmObservation: Sendable, Hashable {
    enum Kind: Int, Sendable, Hashable {
        case woke, feedEnded, fed, fellAsleep
    }

    /// Minutes since 1970 by the local clock.
    var known: Double
    var start: Double
    var kind: Kind
    var row: Int

    /// The facts of records in the order in which they become known; ends, then feeds, then beginnings at one instant.
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
        return observations.sorted {
            if $0.known != $1.known { return $0.known < $1.known }
            if $0.kind != $1.kind { return $0.kind.rawValue < $1.kind.rawValue }
            return $0.start != $1.start ? $0.start < $1.start : $0.row < $1.row
        }
    }
}

extension Timestamp {
    /// Minutes since the beginning of 1970, of whole seconds.
    package var localMinutes: Double { (Double(microseconds) / 1e6).rounded(.down) / 60 }

    /// The instant so many minutes after the beginning of 1970, to the nearest second.
    package init(localMinutes minutes: Double) {
        let seconds = (minutes * 60).rounded()
        let microseconds = Int64(max(-6e10, min(2.5e11, seconds))) * 1_000_000
        self.init(unchecked: microseconds)
    }
}
