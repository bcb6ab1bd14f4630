extension Timestamp {
    /// Reads ISO 8601: `2026-01-01`, `2026-01-01T06:30Z`, `2026-01-01 06:30:00.25+02:00`.
    ///
    /// A date alone is its midnight; a time without an offset is UTC. Digits beyond the microsecond are dropped.
    ///
    /// - Parameter text: A date, optionally with a time after a T or a space.
    /// - Throws: `.malformedInput` with the reason.
    public init(parsing text: String) throws(KinError) {
        try self.init(text, needsOffset: false)
    }

    /// Reads ISO 8601; see ``init(parsing:)``.
    ///
    /// - Parameter needsOffset: Whether a time without an offset is an error; otherwise it is UTC. A date needs none.
    package init(_ text: String, needsOffset: Bool) throws(KinError) {
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(KinError) in try unsafe Self(bytes, needsOffset: needsOffset) }
        }
        self = try result.get()
    }

    /// Reads ISO 8601 in UTF-8; see ``init(_:needsOffset:)-(String,_)``.
    package init(_ bytes: UnsafeBufferPointer<UInt8>, needsOffset: Bool) throws(KinError) {
        var reader = unsafe TimeReader(bytes, needsOffset: needsOffset)
        do throws(TimeReader.Problem) {
            let microseconds = try reader.instant()
            guard Self.range.contains(microseconds) else {
                throw TimeReader.Problem("it is outside the years 0 to 9999")
            }
            self.init(unchecked: microseconds)
        } catch {
            let text = unsafe String(decoding: bytes, as: UTF8.self)
            throw KinError(
                .malformedInput,
                "\"\(text.prefix(40))\" is not a time: \(error.message); write 2026-01-01 or 2026-01-01T06:30:00Z")
        }
    }
}

/// A parser of times, from the first character on.
@safe
private struct TimeReader {
    struct Problem: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    /// Whether a time without an offset is an error.
    private let needsOffset: Bool
    /// The number of bytes read.
    private var position = 0

    /// Creates a reader of bytes; the bytes must outlive it.
    init(_ bytes: UnsafeBufferPointer<UInt8>, needsOffset: Bool) {
        unsafe self.bytes = unsafe bytes
        self.needsOffset = needsOffset
    }

    private var isAtEnd: Bool { unsafe position == bytes.count }

    /// The next byte; nil at the end.
    private var next: UInt8? { unsafe position < bytes.count ? bytes[position] : nil }

    mutating func instant() throws(Problem) -> Int64 {
        let day = try date().daysSince1970 * CivilDate.microsecondsPerDay
        if isAtEnd { return day }
        guard take("T") || take("t") || take(" ") else { throw Problem("a T is expected after the date") }
        let time = try clock()
        return try day + time - offset()
    }

    private mutating func date() throws(Problem) -> CivilDate {
        let year = try number(digits: 4, "the year")
        guard take("-") else { throw Problem("a - is expected after the year") }
        let month = try number(digits: 2, "the month")
        guard take("-") else { throw Problem("a - is expected after the month") }
        let day = try number(digits: 2, "the day")
        guard let date = CivilDate(year: year, month: month, day: day) else {
            throw Problem("the calendar has no such day")
        }
        return date
    }

    private mutating func clock() throws(Problem) -> Int64 {
        let hour = try number(digits: 2, "the hour")
        guard hour < 24 else { throw Problem("the hour is 0 to 23") }
        guard take(":") else { throw Problem("a : is expected after the hour") }
        let minute = try number(digits: 2, "the minute")
        guard minute < 60 else { throw Problem("the minute is 0 to 59") }
        var microseconds = (hour * 60 + minute) * 60_000_000
        guard take(":") else { return microseconds }
        let second = try number(digits: 2, "the second")
        guard second < 60 else { throw Problem("the second is 0 to 59") }
        microseconds += second * 1_000_000
        guard take(".") || take(",") else { return microseconds }
        guard next.map(Self.isDigit) == true else { throw Problem("digits are expected after the point") }
        var unit: Int64 = 100_000
        while let digit = next, Self.isDigit(digit) {
            microseconds += Int64(digit - 0x30) * unit
            unit /= 10
            position += 1
        }
        return microseconds
    }

    /// Reads an offset from UTC, in microseconds.
    private mutating func offset() throws(Problem) -> Int64 {
        if isAtEnd, !needsOffset { return 0 }
        if take("Z") || take("z") {
            guard isAtEnd else { throw Problem("nothing may follow the Z") }
            return 0
        }
        let isEast = take("+")
        guard isEast || take("-") else { throw Problem("Z or an offset such as +02:00 is expected after the time") }
        let hours = try number(digits: 2, "the hour of the offset")
        var minutes: Int64 = 0
        if !isAtEnd {
            _ = take(":")
            minutes = try number(digits: 2, "the minute of the offset")
        }
        guard hours < 24, minutes < 60 else { throw Problem("an offset is less than a day") }
        guard isAtEnd else { throw Problem("nothing may follow the offset") }
        return (hours * 60 + minutes) * 60_000_000 * (isEast ? 1 : -1)
    }

    private mutating func number(digits: Int, _ what: String) throws(Problem) -> Int64 {
        let end = position + digits
        var value: Int64 = 0
        while position < end {
            guard let digit = next, Self.isDigit(digit) else { throw Problem("\(what) has \(digits) digits") }
            value = value * 10 + Int64(digit - 0x30)
            position += 1
        }
        return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(character.value) else { return false }
        position += 1
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
