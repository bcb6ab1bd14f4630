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
    /// Days never go back: where a clock is set back over midnight, the day that has begun stays (see ``start(of:)``).
    public func day(at instant: Timestamp) -> LocalDay {
        let days = reading(at: instant).dividingRoundingDown(by: CivilDate.microsecondsPerDay).quotient
        let shown = LocalDay(clamping: Int(days))
        let next = LocalDay(clamping: shown.number + 1)
        return start(of: next) <= instant ? next : shown
    }

    /// The instant at which a day begins: the first at which the clock shows 00:00 of it or, where the clock skips that reading or the
    /// whole day, a later one.
    ///
    /// Where clocks are set forward at midnight this is 01:00. Where they are set back over midnight it is the first of two.
    public func start(of day: LocalDay) -> Timestamp { first(showing: day.microseconds) }

    /// The first instant at which the clock shows a time of a day; where it skips that time, the instant of the skip.
    ///
    /// - Parameters:
    ///   - day: A day of this zone.
    ///   - time: The time of day, to the microsecond.
    public func instant(on day: LocalDay, at time: TimeOfDay) -> Timestamp {
        first(showing: day.microseconds + Int64((time.minutes * 60e6).rounded()))
    }

    /// Whether the offset from UTC is the same from one instant to another.
    package func isSteady(from start: Timestamp, to end: Timestamp) -> Bool {
        nextTransition(after: start.second).map { $0.second > end.second } ?? true
    }

    /// The first instant at which the clock shows a reading or a later one, within the calendar.
    ///
    /// The offsets from 26 hours before on are tried in their order. While one holds, the first instant is the solution of
    /// t + offset = reading, or the beginning of the offset if that is later.
    private func first(showing reading: Int64) -> Timestamp {
        let second: Int64 = 1_000_000
        // No clock is more than 26 hours from UTC.
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
