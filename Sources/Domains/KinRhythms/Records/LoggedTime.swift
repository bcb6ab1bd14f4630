/// A time of a log: the reading of a clock and, if known, the offset of that clock from UTC, which makes it an instant.
///
///     let reading = try LoggedTime(parsing: "2026-03-05T10:00")           // the reading of a clock
///     let instant = try LoggedTime(parsing: "2026-03-05T10:00+01:00")     // an instant
///     let now = try LoggedTime(Timestamp(parsing: "2026-03-05T09:00Z"), in: LocalZone(named: "Europe/Berlin"))
///     print(now)        // 2026-03-05T10:00:00+01:00
///     now == instant    // true
///
/// Times are ordered and compared, and durations measured, by instants. A reading without an offset counts as its own
/// instant. The offset comes from the text, or from the log's clock, which reads all times of its log (`LogClock`).
public struct LoggedTime: Sendable {
    /// The reading of the clock.
    public let reading: LocalDateTime
    /// The offset of the clock from UTC, in seconds; nil if no time of its log is an instant.
    let offset: Int32?
    /// The written offset, in seconds; nil for the reading of a clock.
    let written: Int32?

    /// Creates the time of a reading.
    init(_ reading: LocalDateTime, offset: Int32?, written: Int32?) {
        (self.reading, self.offset, self.written) = (reading, offset, written)
    }

    /// Creates the reading of a clock, which is not an instant.
    public init(_ reading: LocalDateTime) { self.init(reading, offset: nil, written: nil) }

    /// Creates an instant, as the clocks of a zone show it.
    public init(_ instant: Timestamp, in zone: LocalZone) {
        let offset = Int32(clamping: zone.offsetSeconds(at: instant))
        self.init(instant, offset: offset, written: offset)
    }

    init(_ instant: Timestamp, offset: Int32, written: Int32?) {
        let reading = Timestamp(clamping: instant.microseconds + Int64(offset) * 1_000_000)
        self.init(LocalDateTime(unchecked: reading.microseconds), offset: offset, written: written)
    }

    /// Reads ISO 8601: an instant if the text has an offset (`Z`, `+02:00`), else the reading of a clock.
    ///
    /// - Parameter text: A date, or a date and a time of day.
    /// - Throws: `.malformedInput`, describing the error.
    public init(parsing text: String) throws(KinError) {
        let isUsual = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "t") }
        let text = isUsual ? text : Self.withoutBlanks(text)
        let reading = try LocalDateTime(parsing: text)
        guard let instant = try LocalDateTime.instant(parsing: text) else {
            self.init(reading)
            return
        }
        let written = Int32(clamping: (reading.microseconds - instant.microseconds) / 1_000_000)
        self.init(reading, offset: written, written: written)
    }

    /// Removes blanks around a time and before its offset. A text without a date is unchanged.
    private static func withoutBlanks(_ text: String) -> String {
        let trimmed = text.drop(while: \.isWhitespace)
        guard trimmed.first?.isNumber == true else { return text }
        let date = trimmed.prefix { $0 != "T" && $0 != "t" && $0 != " " }
        let time = trimmed.dropFirst(date.count + 1).filter { !$0.isWhitespace }
        return time.isEmpty ? String(date) : "\(date)T\(time)"
    }

    /// The time as the clocks of a zone show it; unchanged without a zone. A reading counts as read
    /// from these clocks.
    package func shown(in zone: LocalZone?) -> LoggedTime {
        guard let zone else { return self }
        return LoggedTime(instant ?? zone.firstInstant(showing: reading), in: zone)
    }

    /// The time after some minutes, to the second: by the same clock, or as the clocks of a zone show it for a reading
    /// of these clocks.
    package func later(by minutes: Double, in zone: LocalZone? = nil) -> LoggedTime {
        if let zone, written == nil {
            let (start, end) = (zone.firstInstant(showing: reading), localMinutes + minutes)
            let shift = Double(zone.offsetSeconds(at: start)) / 60
            let instant = Timestamp(clamping: LocalDateTime(localMinutes: end - shift).microseconds)
            return LoggedTime(LocalDateTime(instant, in: zone))
        }
        return LoggedTime(LocalDateTime(localMinutes: localMinutes + minutes), offset: offset, written: written)
    }

    /// The minutes that passed since an earlier time of the log; negative since a later one.
    public func minutes(since start: LoggedTime) -> Double { minute - start.minute }

    /// The minutes since 1970-01-01T00:00Z, to whole seconds; for a reading without an offset, by its clock.
    package var minute: Double { (Double(order) / 1e6).rounded(.down) / 60 }

    /// The offset of the clock from UTC, in minutes; 0 for a reading without an offset.
    var shift: Double { Double(offset ?? 0) / 60 }

    /// The minutes since 1970-01-01T00:00 by a clock with a given lead over UTC in seconds, to whole seconds.
    func localMinutes(by other: Int32?) -> Double {
        (Double(microseconds + Int64((other ?? 0) - (offset ?? 0)) * 1_000_000) / 1e6).rounded(.down) / 60
    }

    /// The microseconds that order times.
    private var order: Int64 { reading.microseconds - Int64(offset ?? 0) * 1_000_000 }

    /// Whether the time has passed by the present (`Timestamp.hasPassed(by:)`). A reading may be of the earliest zone, 14
    /// hours before UTC.
    func hasPassed(by present: Timestamp) -> Bool {
        let lead: Int64 = offset == nil ? 14 : 0
        return Timestamp(unchecked: order - lead * 3_600_000_000).hasPassed(by: present)
    }

    /// A zone with the written offset; nil for the reading of a clock.
    var clock: LocalZone? {
        written.flatMap { try? LocalZone(named: $0 == 0 ? "+00:00" : Self.text(ofOffset: $0)) }
    }

    /// The instant, such as for a notification; nil for the reading of a clock, whose zone is not known.
    public var instant: Timestamp? { written == nil ? nil : Timestamp(unchecked: order) }
}

extension LoggedTime: Hashable, Comparable {
    public static func == (a: LoggedTime, b: LoggedTime) -> Bool {
        a.order == b.order && (a.offset == nil) == (b.offset == nil)
    }

    /// Orders times by their instants; a reading without an offset comes before an instant with the same numbers.
    public static func < (a: LoggedTime, b: LoggedTime) -> Bool {
        a.order != b.order ? a.order < b.order : a.offset == nil && b.offset != nil
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(order) }
}

extension LoggedTime {
    /// Creates the reading of a clock from minutes since 1970-01-01T00:00, to the nearest second.
    package init(localMinutes minutes: Double) { self.init(LocalDateTime(localMinutes: minutes)) }

    /// Minutes since 1970-01-01T00:00 by the clock that was read, to whole seconds.
    package var localMinutes: Double { reading.localMinutes }

    /// Microseconds since 1970-01-01T00:00 by the clock that was read.
    package var microseconds: Int64 { reading.microseconds }

    /// The time of day by the clock that was read, `06:30`.
    package var time: String { reading.time }
}

extension LoggedTime: CustomStringConvertible {
    /// ISO 8601, with the offset for an instant: `2026-01-01T06:30:00+01:00`; without offset for the reading of a
    /// clock.
    public var description: String {
        reading.description + (written == nil ? "" : Self.text(ofOffset: offset ?? 0))
    }

    /// An offset in ISO 8601, `Z` or `+02:00`.
    static func text(ofOffset seconds: Int32) -> String {
        guard seconds != 0 else { return "Z" }
        let minutes = abs(seconds) / 60
        let parts = [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return (seconds < 0 ? "-" : "+") + parts.joined(separator: ":")
    }
}

extension LoggedTime: JSONWritable {
    package static var jsonType: JSONType { JSONType("local time") }
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}

extension JSONForm<LoggedTime> {
    /// A local time as text.
    static var localTime: JSONForm {
        parsed("local time", text: \.description) { text throws(KinError) in try LoggedTime(parsing: text) }
    }
}

extension LocalZone {
    /// The first instant when the clock shows a reading. If the clock skips the reading, the instant is that much after
    /// the skip.
    func firstInstant(showing reading: LocalDateTime) -> Timestamp {
        func instant(by offset: Int) -> Timestamp {
            Timestamp(clamping: reading.microseconds - Int64(offset) * 1_000_000)
        }
        // No clock is more than 26 hours from UTC.
        let before = offsetSeconds(at: instant(by: 26 * 3600))
        let after = offsetSeconds(at: instant(by: -26 * 3600))
        let first = instant(by: before)
        return before == after || offsetSeconds(at: first) == before || offsetSeconds(at: instant(by: after)) != after
            ? first : instant(by: after)
    }
}
