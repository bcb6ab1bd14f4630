extension ClockRule {
    /// Reads a rule such as `<+0330>-3:30` or `EST5EDT,M3.2.0,M11.1.0`.
    ///
    /// - Throws: `.corruptFile`.
    init(parsing text: String) throws(KinError) {
        var reader = RuleReader(text)
        guard let rule = reader.rule(), reader.isAtEnd else {
            throw KinError(.corruptFile, "\"\(text.prefix(60))\" is not a rule of a time zone")
        }
        self = rule
    }
}

/// A parser of rules; its functions return nil for invalid syntax.
private struct RuleReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = ArraySlice(text.utf8) }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func rule() -> ClockRule? {
        guard name(), let west = time(hours: 24) else { return nil }
        var rule = ClockRule(offset: -west)
        if isAtEnd { return rule }
        guard name() else { return nil }
        var summerOffset = rule.offset + 3600
        if rest.first != UInt8(ascii: ",") {
            guard let west = time(hours: 24) else { return nil }
            summerOffset = -west
        }
        guard take(","), let start = moment(), take(","), let end = moment() else { return nil }
        rule.summer = ClockRule.Summer(offset: summerOffset, start: start, end: end)
        return rule
    }

    private mutating func moment() -> ClockRule.Moment? {
        guard let date = date() else { return nil }
        var moment = ClockRule.Moment(date: date)
        if take("/") {
            guard let seconds = time(hours: 167) else { return nil }
            moment.seconds = seconds
        }
        return moment
    }

    private mutating func date() -> ClockRule.Moment.Date? {
        if take("J") { return number(1...365).map { .julian($0) } }
        guard take("M") else { return number(0...365).map { .ordinal($0) } }
        guard let month = number(1...12), take("."), let week = number(1...5), take("."), let day = number(0...6) else {
            return nil
        }
        return .weekday(month: month, week: week, day: day)
    }

    /// Reads a name: three letters or more, or letters, digits and signs between < and >.
    private mutating func name() -> Bool {
        if take("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")), end - rest.startIndex >= 3 else { return false }
            let isPlain = rest[..<end].allSatisfy { Self.isLetter($0) || Self.isDigit($0) || $0 == 0x2B || $0 == 0x2D }
            rest = rest[(end + 1)...]
            return isPlain
        }
        let letters = rest.prefix(while: Self.isLetter)
        rest = rest.dropFirst(letters.count)
        return letters.count >= 3
    }

    /// Reads `[+-]hh[:mm[:ss]]`, in seconds.
    private mutating func time(hours: Int) -> Int? {
        let sign = take("-") ? -1 : 1
        if sign == 1 { _ = take("+") }
        guard let hour = number(0...hours) else { return nil }
        var seconds = hour * 3600
        if take(":") {
            guard let minute = number(0...59) else { return nil }
            seconds += minute * 60
            if take(":") {
                guard let second = number(0...59) else { return nil }
                seconds += second
            }
        }
        return sign * seconds
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(while: Self.isDigit)
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return range.contains(value) ? value : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(character.value) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
