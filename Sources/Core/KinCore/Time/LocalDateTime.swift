/// A date and a time of day by a local clock, in the years 0 to 9999; without a zone it is not an instant.
///
/// Clocks are set forward and back, so the difference of two values is a difference of clock readings.
public struct LocalDateTime: Sendable, Hashable {
    /// Microseconds since 1970-01-01T00:00 by the same clock.
    public let microseconds: Int64

    /// Creates a date and time from microseconds since 1970-01-01T00:00 by the same clock.
    ///
    /// - Parameter microseconds: The range is as for ``Timestamp/init(microseconds:)``.
    /// - Throws: `.invalidArgument` outside the years 0 to 9999.
    public init(microseconds: Int64) throws(KinError) {
        self.microseconds = try Timestamp(microseconds: microseconds).microseconds
    }

    /// Reads ISO 8601, `2026-01-01T06:30:00`, and ignores an offset after the time (`Z`, `+02:00`).
    ///
    /// - Parameter text: A date alone, or with a time of day after a T or a space.
    /// - Throws: `.malformedInput` with the reason.
    public init(parsing text: String) throws(KinError) {
        let trimmed = text.filter { !$0.isWhitespace || $0 == " " }
        let mark = trimmed.firstIndex { $0 == "T" || $0 == "t" || $0 == " " }
        let offset = mark.flatMap { trimmed[$0...].firstIndex { $0 == "Z" || $0 == "z" || $0 == "+" || $0 == "-" } }
        do throws(KinError) {
            microseconds = try Timestamp(parsing: String(trimmed[..<(offset ?? trimmed.endIndex)])).microseconds
        } catch {
            // The example of a local time has no Z.
            throw KinError(error.code, String(error.message.dropLast(error.message.hasSuffix("00Z") ? 1 : 0)))
        }
    }

    /// The instant of a text with an offset (`Z`, `+02:00`); nil for a clock reading.
    ///
    /// - Throws: `.malformedInput` with the reason.
    package static func instant(parsing text: String) throws(KinError) -> Timestamp? {
        let time = text.drop { $0 != "T" && $0 != "t" && $0 != " " }
        return time.contains { "Zz+-".contains($0) } ? try Timestamp(parsing: text) : nil
    }

    /// The reading of a zone's clocks at an instant, clamped to the calendar.
    public init(_ instant: Timestamp, in zone: LocalZone) {
        microseconds = Timestamp(clamping: zone.reading(at: instant)).microseconds
    }

    package init(unchecked microseconds: Int64) { self.microseconds = microseconds }

    /// Minutes since 1970-01-01T00:00 by the same clock, without fractions of a second.
    package var localMinutes: Double { (Double(microseconds) / 1e6).rounded(.down) / 60 }

    /// Creates a date and time from minutes since 1970-01-01T00:00, rounded to the second and clamped to the
    /// calendar.
    package init(localMinutes minutes: Double) {
        let seconds = (minutes * 60).rounded()
        self.init(unchecked: Timestamp(clamping: Int64(max(-1e12, min(1e12, seconds))) * 1_000_000).microseconds)
    }

    /// The date alone, `2026-01-01`.
    package var date: String { String(description.prefix(10)) }

    /// The time of day alone, `06:30`.
    package var time: String { String(description.dropFirst(11).prefix(5)) }

    /// The date, followed by the time of day unless it is midnight: the format of a date of birth.
    package var dateOrDateTime: String { microseconds % CivilDate.microsecondsPerDay == 0 ? date : description }
}

extension LocalDateTime: Comparable {
    public static func < (a: LocalDateTime, b: LocalDateTime) -> Bool { a.microseconds < b.microseconds }
}

extension LocalDateTime: CustomStringConvertible {
    /// ISO 8601 without an offset, with only the necessary digits of the second: `2026-01-01T06:30:00`.
    public var description: String { String(Timestamp(unchecked: microseconds).description.dropLast()) }
}
