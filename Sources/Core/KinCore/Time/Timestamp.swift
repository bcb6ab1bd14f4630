/// An instant, in microseconds since 1970-01-01T00:00:00Z, in the years 0 to 9999 of the Gregorian calendar.
///
///     let start = try Timestamp(parsing: "2026-03-05T06:30+01:00")
///     let end = try Timestamp(microseconds: start.microseconds + 45 * 60_000_000)
///     print(start, end)    // 2026-03-05T05:30:00Z 2026-03-05T06:15:00Z
///     start < end          // true
///
/// Leap seconds are not counted, as in POSIX time.
public struct Timestamp: Sendable, Hashable {
    /// The microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let microseconds: Int64

    /// Creates an instant from microseconds since 1970-01-01T00:00:00Z.
    ///
    /// - Parameter microseconds: −62,167,219,200,000,000 to 253,402,300,799,999,999.
    /// - Throws: `.invalidArgument` outside the years 0 to 9999.
    public init(microseconds: Int64) throws(KinError) {
        guard Self.range.contains(microseconds) else {
            throw KinError(
                .invalidArgument, "\(microseconds) µs since 1970 is outside the years 0 to 9999; is the unit right?")
        }
        self.microseconds = microseconds
    }

    /// Creates an instant from seconds since 1970-01-01T00:00:00Z, to the nearest microsecond.
    ///
    /// - Parameter seconds: −62,167,219,200 to below 253,402,300,800.
    /// - Throws: `.notFinite`, or `.invalidArgument` outside the years 0 to 9999.
    public init(seconds: Double) throws(KinError) {
        guard seconds.isFinite else { throw KinError(.notFinite, "\(seconds) seconds are not an instant") }
        guard let microseconds = Int64(exactly: (seconds * 1e6).rounded()) else {
            throw KinError(
                .invalidArgument, "\(seconds) s since 1970 are outside the years 0 to 9999; is the unit right?")
        }
        try self.init(microseconds: microseconds)
    }

    /// Creates an instant from any number of microseconds, such as a column of a damaged file.
    package init(unchecked microseconds: Int64) { self.microseconds = microseconds }

    /// Creates an instant from any number of microseconds, clamped to the calendar.
    package init(clamping microseconds: Int64) {
        self.microseconds = min(max(microseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The days of 24 hours since an instant; negative if the instant is later.
    package func days(since start: Timestamp) -> Double {
        (Double(microseconds) - Double(start.microseconds)) / Double(CivilDate.microsecondsPerDay)
    }

    /// The microseconds of 0000-01-01 to the end of 9999-12-31.
    package static let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999
}

extension Timestamp: Comparable {
    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }
}

extension Timestamp: CustomStringConvertible {
    /// ISO 8601 in UTC, with only the necessary digits of the second: `2026-01-01T00:00:00Z`,
    /// `2026-01-01T06:30:00.25Z`.
    ///
    /// The time is always written, because a date alone is a different instant in a different zone.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(32)
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the description in ASCII without making a text: a store writes two per record.
    package func write(to text: inout [UInt8]) {
        let day = microseconds.dividingRoundingDown(by: CivilDate.microsecondsPerDay)
        let date = CivilDate(daysSince1970: day.quotient)
        text.append(date.year, digits: 4)
        text.append("-", pair: date.month)
        text.append("-", pair: date.day)
        let (seconds, fraction) = day.remainder.quotientAndRemainder(dividingBy: 1_000_000)
        text.append("T", pair: seconds / 3600)
        text.append(":", pair: seconds / 60 % 60)
        text.append(":", pair: seconds % 60)
        if fraction != 0 {
            text.append(UInt8(ascii: "."))
            text.append(fraction, digits: 6)
            while text.last == UInt8(ascii: "0") { text.removeLast() }
        }
        text.append(UInt8(ascii: "Z"))
    }
}

extension [UInt8] {
    /// Appends a character and two digits.
    fileprivate mutating func append(_ character: Unicode.Scalar, pair: Int64) {
        let (tens, units) = pair.quotientAndRemainder(dividingBy: 10)
        let bytes = (UInt8(ascii: character), 0x30 + UInt8(tens), 0x30 + UInt8(units))
        unsafe Swift.withUnsafeBytes(of: bytes) { unsafe append(contentsOf: $0) }
    }

    /// Appends a whole number with a smallest number of digits.
    fileprivate mutating func append(_ number: Int64, digits: Int) {
        guard number >= 0 else {
            append(UInt8(ascii: "-"))
            return append(0 - number, digits: digits)
        }
        var power: Int64 = 1
        for _ in 1..<digits { power *= 10 }
        while number / power >= 10 { power *= 10 }
        while power > 0 {
            append(UInt8(ascii: "0") + UInt8(number / power % 10))
            power /= 10
        }
    }
}

extension Timestamp {
    /// Whether the instant is at most an hour after the present: clocks differ, and one further ahead is wrong.
    package func hasPassed(by present: Timestamp) -> Bool {
        microseconds - present.microseconds <= 3_600_000_000
    }
}
