extension Timestamp {
    /// Reads ISO 8601: `2026-01-01`, `2026-01-01T06:30Z`, `2026-01-01 06:30:00.25+02:00`.
    ///
    /// A date alone is its midnight; a time without an offset is UTC. Digits beyond the microsecond are cut off.
    ///
    /// - Parameter text: A date, alone or with a time after a T or a space.
    /// - Throws: `.malformedInput`, saying what is wrong.
    public init(parsing text: String) throws(KinError) {
        var reader = TimeReader(text)
        do throws(TimeReader.Problem) {
            let microseconds = try reader.instant()
            guard Self.range.contains(microseconds) else {
                throw TimeReader.Problem("it lies outside the years 0 to 9999")
            }
            self.init(unchecked: microseconds)
        } catch {
            throw KinError(
                .malformedInput,
                "\"\(text.prefix(40))\" is not a time: \(error.message); write 2026-01-01 or 2026-01-01T06:30:00Z")
        }
    }
}

/// A parser of times, from the front of the text on.
private struct TimeReader {
    struct Problem: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = ArraySlice(text.utf8) }

    mutating func instant() throws(Problem) -> Int64 {
        let day = try date().daysSince1970 * CivilDate.microsecondsPerDay
        if rest.isEmpty { return day }
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
        guard rest.first.map(Self.isDigit) == true else { throw Problem("digits are expected after the point") }
        var unit: Int64 = 100_000
        while let digit = rest.first, Self.isDigit(digit) {
            microseconds += Int64(digit - 0x30) * unit
            unit /= 10
            rest.removeFirst()
        }
        return microseconds
    }

    /// Reads an offset from UTC, in microseconds.
    private mutating func offset() throws(Problem) -> Int64 {
        if rest.isEmpty { return 0 }
        if take("Z") || take("z") {
            guard rest.isEmpty else { throw Problem("nothing may follow the Z") }
            return 0
        }
        let isEast = take("+")
        guard isEast || take("-") else { throw Problem("Z or an offset such as +02:00 is expected after the time") }
        let hours = try number(digits: 2, "the hour of the offset")
        var minutes: Int64 = 0
        if !rest.isEmpty {
            _ = take(":")
            minutes = try number(digits: 2, "the minute of the offset")
        }
        guard hours < 24, minutes < 60 else { throw Problem("an offset is less than a day") }
        guard rest.isEmpty else { throw Problem("nothing may follow the offset") }
        return (hours * 60 + minutes) * 60_000_000 * (isEast ? 1 : -1)
    }

    private mutating func number(digits: Int, _ what: String) throws(Problem) -> Int64 {
        guard rest.count >= digits, rest.prefix(digits).allSatisfy(Self.isDigit) else {
            throw Problem("\(what) has \(digits) digits")
        }
        let value = rest.prefix(digits).reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        rest.removeFirst(digits)
        return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(character.value) else { return false }
        rest.removeFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
