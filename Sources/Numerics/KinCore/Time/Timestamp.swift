/// An instant: microseconds since the beginning of 1970 in UTC, in the years 0 to 9999 of the Gregorian calendar.
///
/// Leap seconds do not exist in this count, as in POSIX time.
public struct Timestamp: Sendable, Hashable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    public let microseconds: Int64

    /// The instant so many microseconds after the beginning of 1970.
    ///
    /// - Throws: `.invalidArgument` outside the years 0 to 9999.
    public init(microseconds: Int64) throws(KinError) {
        guard Self.range.contains(microseconds) else {
            throw KinError(
                .invalidArgument, "\(microseconds) µs since 1970 lies outside the years 0 to 9999; is the unit right?")
        }
        self.microseconds = microseconds
    }

    /// The instant so many seconds after the beginning of 1970, to the nearest microsecond.
    ///
    /// - Throws: `.notFinite`, or `.invalidArgument` outside the years 0 to 9999.
    public init(seconds: Double) throws(KinError) {
        guard seconds.isFinite else { throw KinError(.notFinite, "\(seconds) seconds are not an instant") }
        guard let microseconds = Int64(exactly: (seconds * 1e6).rounded()) else {
            throw KinError(
                .invalidArgument, "\(seconds) s since 1970 lie outside the years 0 to 9999; is the unit right?")
        }
        try self.init(microseconds: microseconds)
    }

    /// An instant as a column holds it; a damaged file may hold any number.
    package init(unchecked microseconds: Int64) { self.microseconds = microseconds }

    /// The instant of a count of microseconds, or the calendar's first or last instant where it lies beyond.
    init(clamping microseconds: Int64) {
        self.microseconds = min(max(microseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// 0000-01-01 to 9999-12-31, as far as a date of four digits of year reaches.
    package static let range: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_999_999
}

extension Timestamp: Comparable {
    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }
}

extension Timestamp: CustomStringConvertible {
    /// The ISO 8601 text of the instant in UTC, with as many digits of the second as it needs: `2026-01-01T00:00:00Z`,
    /// `2026-01-01T06:30:00.25Z`.
    ///
    /// An instant is never written as a date alone, which is a whole day and, in another zone, another one.
    public var description: String {
        let day = microseconds.dividingRoundingDown(by: CivilDate.microsecondsPerDay)
        let date = CivilDate(daysSince1970: day.quotient)
        // Written digit by digit: a store writes two of these a record.
        var text: [UInt8] = []
        text.reserveCapacity(32)
        text.append(date.year, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.append(date.month, digits: 2)
        text.append(UInt8(ascii: "-"))
        text.append(date.day, digits: 2)
        let (seconds, fraction) = day.remainder.quotientAndRemainder(dividingBy: 1_000_000)
        text.append(UInt8(ascii: "T"))
        text.append(seconds / 3600, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(seconds / 60 % 60, digits: 2)
        text.append(UInt8(ascii: ":"))
        text.append(seconds % 60, digits: 2)
        if fraction != 0 {
            text.append(UInt8(ascii: "."))
            text.append(fraction, digits: 6)
            while text.last == UInt8(ascii: "0") { text.removeLast() }
        }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a whole number with at least so many digits.
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

extension Int64 {
    /// The quotient rounded towards −∞ and the remainder from 0 on.
    fileprivate func dividingRoundingDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
