import KinCore

/// A time of a log as it was read: by the local clock, and the instant where the text names one and the log a zone.
struct LoggedTime {
    let reading: LocalDateTime
    private let instant: Timestamp?

    /// Reads ISO 8601 as `LocalDateTime(parsing:in:)` does.
    ///
    /// - Throws: `.malformedInput`, saying what is wrong.
    init(parsing text: String, in zone: LocalZone?) throws(KinError) {
        guard let zone, let instant = try LocalDateTime.instant(parsing: text) else {
            (reading, instant) = (try LocalDateTime(parsing: text), nil)
            return
        }
        self.instant = instant
        reading = LocalDateTime(instant, in: zone)
    }

    /// The reading of a clock that nobody has set since a beginning, so that what ends here has its true length; the reading as it is where
    /// one of the two is no instant.
    func reading(since beginning: LoggedTime?) -> LocalDateTime {
        guard let instant, let beginning, let first = beginning.instant else { return reading }
        let length = instant.microseconds - first.microseconds
        return LocalDateTime(
            unchecked: Timestamp(clamping: beginning.reading.microseconds + length).microseconds)
    }
}
