package import KinCore

/// The clock that a log goes by: that of its time zone or, without one, that of its first beginning with an offset from UTC.
///
/// Without a zone, a clock up to an hour ahead of that one or behind it is the same in summer or winter, and is read as it is.
package struct LogClock: Sendable, Hashable {
    /// The time zone; nil when it is not known.
    package var zone: LocalZone?
    /// The offset of the first beginning that has one, in microseconds ahead of UTC.
    private var offset: Int64?
    /// The offset of the last beginning that has one.
    private var last: Int64?

    private static let summerTime: Int64 = 3_600_000_000

    /// Creates a clock that nothing was read by.
    package init(zone: LocalZone? = nil) { self.zone = zone }

    /// Reads ISO 8601 by the clock.
    ///
    /// - Throws: `.malformedInput`, saying what is wrong.
    package func reading(parsing text: String) throws(KinError) -> LocalDateTime {
        set(try LoggedTime(parsing: text, in: zone)).reading
    }

    /// Reads the beginning of a row.
    ///
    /// - Returns: The beginning by the clock, and what is to be said of its offset: the first of some rows with another one than the log's
    ///   first has a repair.
    package mutating func begin(_ time: LoggedTime) -> (beginning: LoggedTime, remark: String?) {
        guard zone == nil, let other = time.offset else { return (time, nil) }
        let first = offset ?? other
        offset = first
        defer { last = other }
        guard other != first, other != last else { return (set(time), nil) }
        return (
            set(time),
            "is written with \(Self.text(other)), the log's first time with \(Self.text(first)), and no time zone is named; "
                + (isSet(other) ? "read by the clock of the first" : "read as it is, as after a change of clocks")
                + ", like all rows with this offset"
        )
    }

    /// The reading at the end of a row, after its beginning by the clock.
    package func end(_ time: LoggedTime, since beginning: LoggedTime?) -> LocalDateTime {
        set(time).reading(since: beginning)
    }

    private func set(_ time: LoggedTime) -> LoggedTime {
        guard let offset, let other = time.offset, isSet(other) else { return time }
        return time.ahead(by: offset - other)
    }

    /// Whether times with another offset are not read as they are.
    private func isSet(_ other: Int64) -> Bool {
        zone == nil && offset.map { abs($0 - other) > Self.summerTime } ?? false
    }

    /// An offset as ISO 8601 has it, `+02:00`.
    private static func text(_ offset: Int64) -> String {
        let minutes = abs(offset) / 60_000_000
        let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (offset < 0 ? "-" : "+") + parts.joined(separator: ":")
    }
}
