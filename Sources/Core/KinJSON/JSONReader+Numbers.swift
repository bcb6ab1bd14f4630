extension JSONReader {
    /// The byte range of a number, and its digits if they fit in 64 bits.
    private struct RawNumber {
        let range: Range<Int>
        /// The digits before and after the point as one whole number; nil if they do not fit.
        var digits: UInt64?
        var isNegative = false
        /// The power of ten that multiplies the digits.
        var exponent = 0
        /// Whether the number is written without a point and an exponent.
        var isWhole = true
    }

    /// Whether the next value is a number.
    package mutating func isAtNumber() -> Bool { peek().map { $0 == UInt8(ascii: "-") || Self.isDigit($0) } ?? false }

    /// Reads a number, correctly rounded to double precision.
    ///
    /// - Throws: `.malformedInput`, also if it is too large for a double.
    package mutating func number() throws(KinError) -> Double {
        try value(of: rawNumber())
    }

    /// Reads a number, correctly rounded to single precision.
    ///
    /// - Throws: `.malformedInput` for a number beyond the range of a float.
    package mutating func float() throws(KinError) -> Float {
        let raw = try rawNumber()
        let wide = try value(of: raw)
        // Rounding twice differs from rounding once only if the double is half-way between two floats.
        let value = wide.bitPattern & 0x1FFF_FFFF == 0x1000_0000 ? Float(text(raw.range)) : Float(wide)
        guard let value, value.isFinite else {
            throw error("the number \(text(raw.range).prefix(80)) is too large", at: raw.range.lowerBound)
        }
        return value
    }

    /// Reads a whole 64-bit number. With a point or an exponent, such as 5.0 or 1e2, it must be at most 2^53 in
    /// magnitude, with at most 17 digits.
    ///
    /// - Throws: `.malformedInput` for any other number.
    package mutating func integer() throws(KinError) -> Int64 {
        let raw = try rawNumber()
        guard let value = raw.isWhole ? Int64(text(raw.range)) : Self.whole(raw) else {
            throw error(
                "a whole number of 64 bits is expected here, not \(text(raw.range).prefix(80))",
                at: raw.range.lowerBound)
        }
        return value
    }

    /// The exact value of a number if it is whole and at most 2^53 in magnitude; else nil.
    private static func whole(_ raw: RawNumber) -> Int64? {
        guard var value = raw.digits, value > 0 else { return raw.digits.map { _ in 0 } }
        var exponent = raw.exponent
        while exponent < 0, value % 10 == 0 { (value, exponent) = (value / 10, exponent + 1) }
        while exponent > 0, value <= 1 << 53 { (value, exponent) = (value * 10, exponent - 1) }
        guard exponent == 0, value <= 1 << 53 else { return nil }
        return raw.isNegative ? -Int64(value) : Int64(value)
    }

    private func text(_ range: Range<Int>) -> String { unsafe String(decoding: bytes(range), as: UTF8.self) }

    private func value(of raw: RawNumber) throws(KinError) -> Double {
        // Both numbers are exact, so one operation rounds once (Clinger 1990, doi:10.1145/93542.93557).
        if let digits = raw.digits, digits <= 1 << 53, abs(raw.exponent) <= 22 {
            let power = Self.powersOfTen[abs(raw.exponent)]
            let value = raw.exponent < 0 ? Double(digits) / power : Double(digits) * power
            return raw.isNegative ? -value : value
        }
        guard let value = Double(text(raw.range)), value.isFinite else {
            throw error("the number \(text(raw.range).prefix(40)) is too large", at: raw.range.lowerBound)
        }
        return value
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// Scans a number: [ minus ] int [ frac ] [ exp ] (RFC 8259, section 6).
    private mutating func rawNumber() throws(KinError) -> RawNumber {
        guard let first = peek(), first == UInt8(ascii: "-") || Self.isDigit(first) else {
            throw unexpected("a number")
        }
        let begin = offset
        let isNegative = first == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        let int = offset
        var digits: UInt64? = 0
        try takeDigits(&digits)
        guard offset == int + 1 || byte(at: int) != UInt8(ascii: "0") else {
            throw error("a number does not begin with a 0 before other digits", at: int)
        }
        var exponent = 0
        var isWhole = true
        if offset < count, byte(at: offset) == UInt8(ascii: ".") {
            isWhole = false
            offset += 1
            let point = offset
            try takeDigits(&digits)
            exponent = point - offset
        }
        if offset < count, byte(at: offset) | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            offset += 1
            var sign = 1
            if offset < count, byte(at: offset) == UInt8(ascii: "-") || byte(at: offset) == UInt8(ascii: "+") {
                if byte(at: offset) == UInt8(ascii: "-") { sign = -1 }
                offset += 1
            }
            var power: UInt64? = 0
            try takeDigits(&power)
            // Clamped, as any such exponent is beyond the range of the fast path.
            exponent += sign * Int(min(power ?? 1_000_000, 1_000_000))
        }
        return RawNumber(
            range: begin..<offset, digits: digits, isNegative: isNegative, exponent: exponent, isWhole: isWhole)
    }

    /// Scans one or more digits and appends them to a number; the number becomes nil on overflow.
    private mutating func takeDigits(_ value: inout UInt64?) throws(KinError) {
        let first = offset
        while offset < count, Self.isDigit(byte(at: offset)) {
            if let known = value {
                let digit = UInt64(byte(at: offset) - 0x30)
                value = known < 1 << 59 ? known * 10 + digit : nil
            }
            offset += 1
        }
        guard offset > first else { throw unexpected("a digit") }
    }

    /// The text of the number at the next byte, for an error: at most 80 characters.
    var numberText: String {
        let shown = offset..<min(count, offset + 80)
        return text(offset..<(shown.first { !"+-.0123456789Ee".utf8.contains(byte(at: $0)) } ?? shown.upperBound))
    }

    /// The number in the text at the next byte, with advice for an error; nil for other texts.
    var quotedNumber: String? {
        var ahead = self
        guard let text = try? ahead.string(), text.utf8.count <= 40, Double(text)?.isFinite == true else { return nil }
        return "the text \"\(text)\"; write it without quotation marks"
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
