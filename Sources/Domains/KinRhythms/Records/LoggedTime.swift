package import KinCore

/// A time of a log as it was read: by a clock, and the instant where the text names one by an offset from UTC.
package struct LoggedTime: Sendable {
    /// The reading of the zone's clocks; without a zone the reading in the text.
    package let reading: LocalDateTime
    /// The instant; nil where the text has no offset.
    let instant: Timestamp?

    private init(_ reading: LocalDateTime, _ instant: Timestamp?) { (self.reading, self.instant) = (reading, instant) }

    /// Reads ISO 8601 as `LocalDateTime(parsing:in:)` does.
    ///
    /// - Throws: `.malformedInput`, saying what is wrong.
    package init(parsing text: String, in zone: LocalZone?) throws(KinError) {
        guard let zone else {
            // What follows the reading need not be an offset.
            self.init(try LocalDateTime(parsing: text), (try? LocalDateTime.instant(parsing: text)) ?? nil)
            return
        }
        if let instant = try LocalDateTime.instant(parsing: text) {
            self.init(LocalDateTime(instant, in: zone), instant)
        } else {
            self.init(try LocalDateTime(parsing: text), nil)
        }
    }

    /// The microseconds by which the clock that was read is ahead of UTC; nil where the text names no instant.
    var offset: Int64? { instant.map { reading.microseconds - $0.microseconds } }

    /// The same time by a clock some microseconds ahead of the one that was read.
    func ahead(by microseconds: Int64) -> LoggedTime { LoggedTime(reading.moved(by: microseconds), instant) }

    /// The same time by the clocks of a zone; as it is where the text names no instant.
    func read(in zone: LocalZone) -> LoggedTime {
        instant.map { LoggedTime(LocalDateTime($0, in: zone), $0) } ?? self
    }

    /// The reading of a clock that nobody has set since a beginning, so that what ends here has its true length; the reading as it is where
    /// one of the two is no instant.
    func reading(since beginning: LoggedTime?) -> LocalDateTime {
        guard let instant, let beginning, let first = beginning.instant else { return reading }
        return beginning.reading.moved(by: instant.microseconds - first.microseconds)
    }
}

extension LocalDateTime {
    /// The reading some microseconds later, within the calendar.
    fileprivate func moved(by microseconds: Int64) -> LocalDateTime {
        LocalDateTime(unchecked: Timestamp(clamping: self.microseconds + microseconds).microseconds)
    }
}
