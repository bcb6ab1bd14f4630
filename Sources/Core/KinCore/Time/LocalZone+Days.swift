extension LocalZone {
    /// The reading of the clock at an instant, in microseconds since 1970-01-01T00:00 by that clock.
    func reading(at instant: Timestamp) -> Int64 {
        instant.microseconds + Int64(offsetSeconds(at: instant)) * 1_000_000
    }

    /// The time of day that the clock shows at an instant, to the whole minute.
    public func timeOfDay(at instant: Timestamp) -> TimeOfDay {
        let sinceMidnight = reading(at: instant).dividingRoundingDown(by: CivilDate.microsecondsPerDay).remainder
        return TimeOfDay(minute: Int(sinceMidnight / 60_000_000))
    }

    /// The day at an instant.
    ///
    /// Days never go back: if a clock is set back over midnight, the new day remains in force (see ``start(of:)``).
    public func day(at instant: Timestamp) -> LocalDay {
        let days = reading(at: instant).dividingRoundingDown(by: CivilDate.microsecondsPerDay).quotient
        let shown = LocalDay(clamping: Int(days))
        let next = LocalDay(clamping: shown.number + 1)
        return start(of: next) <= instant ? next : shown
    }

    /// The instant when a day begins: the first instant when the clock shows 00:00 of the day or, if the clock skips
    /// that reading or the whole day, a later reading.
    ///
    /// If clocks are set forward at midnight, the day begins at 01:00. If they are set back over midnight, it begins at
    /// the first of two midnights.
    public func start(of day: LocalDay) -> Timestamp { first(showing: day.microseconds) }

    /// The first instant when the clock shows a time of a day; the instant of the skip if the clock skips that time.
    ///
    /// - Parameters:
    ///   - day: A day of this zone.
    ///   - time: The time of day, to the microsecond.
    public func instant(on day: LocalDay, at time: TimeOfDay) -> Timestamp {
        first(showing: day.microseconds + Int64((time.minutes * 60e6).rounded()))
    }

    /// Whether the offset from UTC does not change between two instants.
    package func isSteady(from start: Timestamp, to end: Timestamp) -> Bool {
        nextTransition(after: start.second).map { $0.second > end.second } ?? true
    }

    /// The first instant when the clock shows a reading or a later one, clamped to the calendar.
    ///
    /// The offsets in force from 26 hours before the reading are tried in order. For each offset, the first instant is
    /// the solution of t + offset = reading, or the start of the offset if that is later.
    private func first(showing reading: Int64) -> Timestamp {
        let second: Int64 = 1_000_000
        // No clock differs by more than 26 hours from UTC.
        var from = (reading / second) - 26 * 3600 - 1
        var offset = offset(atSecond: from)
        while true {
            let candidate = Timestamp(unchecked: max(reading - Int64(offset) * second, from * second))
            guard let next = nextTransition(after: from), next.second <= candidate.second else {
                return Timestamp(clamping: candidate.microseconds)
            }
            (from, offset) = next
        }
    }
}
