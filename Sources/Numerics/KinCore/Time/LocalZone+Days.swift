extension LocalZone {
    /// What the clock shows at an instant: the microseconds since 1970 of a clock in UTC that shows the same.
    func reading(at instant: Timestamp) -> Int64 {
        instant.microseconds + Int64(offsetSeconds(at: instant)) * 1_000_000
    }

    /// The minute that the clock shows at an instant.
    public func timeOfDay(at instant: Timestamp) -> TimeOfDay {
        let day = CivilDate.microsecondsPerDay
        let rest = reading(at: instant) % day
        return TimeOfDay(minute: Int((rest < 0 ? rest + day : rest) / 60_000_000))
    }

    /// The day that it is at an instant.
    ///
    /// Days follow one another: where a clock is set back over midnight, the new day, once begun, stays (see ``start(of:)``).
    public func day(at instant: Timestamp) -> LocalDay {
        let day = CivilDate.microsecondsPerDay
        let (quotient, remainder) = reading(at: instant).quotientAndRemainder(dividingBy: day)
        let shown = LocalDay(clamping: Int(remainder < 0 ? quotient - 1 : quotient))
        let next = LocalDay(clamping: shown.number + 1)
        return start(of: next) <= instant ? next : shown
    }

    /// The instant at which a day begins: the first at which the clock shows 00:00 of it or, where that reading or the whole day is
    /// left out, anything later.
    ///
    /// Where clocks are set forward at midnight this is 01:00. Where they are set back over midnight it is the first of two.
    public func start(of day: LocalDay) -> Timestamp { first(showing: day.microseconds) }

    /// The first instant at which the clock shows a time of a day or, where it skips that time, the instant at which it skips it.
    public func instant(on day: LocalDay, at time: TimeOfDay) -> Timestamp {
        first(showing: day.microseconds + Int64((time.minutes * 60e6).rounded()))
    }

    /// Whether no clock is set after one instant and before another.
    package func isSteady(from start: Timestamp, to end: Timestamp) -> Bool {
        nextTransition(after: start.second).map { $0.second > end.second } ?? true
    }

    /// The first instant at which the clock shows at least this much, or the calendar's first or last instant.
    ///
    /// From some instant before on, offsets are tried in the order in which they hold. While one holds the clock runs evenly, so its
    /// first instant is at hand: the solution of t + offset = reading if that lies after the offset began to hold, else its beginning.
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
