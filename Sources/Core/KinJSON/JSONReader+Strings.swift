// A string is scanned eight bytes at a time for bytes that end it or need processing: a quotation mark, a backslash, a
// control character, a byte beyond ASCII. Most strings have none of the last three and are copied unchanged.

extension JSONReader {
    /// The byte range of a string's contents, and the processing that it needs.
    struct RawString {
        /// The offsets of the bytes between the quotation marks.
        let range: Range<Int>
        let hasEscapes: Bool
        let isASCII: Bool
    }

    /// Reads a string and decodes its escapes.
    package mutating func string() throws(KinError) -> String {
        try decoded(rawString("a string"))
    }

    /// Reads a string; nil for null.
    package mutating func optionalString() throws(KinError) -> String? {
        try takesNull() ? nil : string()
    }

    /// Reads an instant in ISO 8601: a date, which is its midnight in UTC, or a time with its offset.
    package mutating func instant() throws(KinError) -> Timestamp {
        let start = self
        let raw = try rawString("an instant such as \"2026-11-20T06:30:00Z\"")
        let escaped = raw.isASCII && !raw.hasEscapes ? nil : try decoded(raw)
        do throws(KinError) {
            if let escaped { return try Timestamp(escaped, needsOffset: true) }
            return try unsafe Timestamp(bytes(raw.range), needsOffset: true)
        } catch {
            throw start.error(error.message, code: error.code)
        }
    }

    /// Scans a string without decoding it; `what` names the expected value in an error.
    mutating func rawString(_ what: @autoclosure () -> String) throws(KinError) -> RawString {
        guard take("\"") else { throw unexpected(what()) }
        let first = offset
        var hasEscapes = false
        var isASCII = true
        while true {
            skipPlainBytes()
            guard offset < count else { throw error("the string has no end", at: first - 1) }
            switch byte(at: offset) {
            case 0x22:
                offset += 1
                return RawString(range: first..<offset - 1, hasEscapes: hasEscapes, isASCII: isASCII)
            case 0x5C:
                hasEscapes = true
                offset += 2
            case 0..<0x20:
                throw error("a control character in a string has to be written as \\n, \\t or \\u00…")
            default:
                isASCII = false
                offset += 1
            }
        }
    }

    /// Skips bytes that are ASCII and neither a quotation mark, a backslash nor a control character.
    private mutating func skipPlainBytes() {
        while offset + 8 <= count {
            let word = word(at: offset)
            let special = EscapedBytes.mask(of: word) | (word & EscapedBytes.topBits)
            if special != 0 {
                offset += special.trailingZeroBitCount / 8
                return
            }
            offset += 8
        }
        while offset < count {
            let byte = byte(at: offset)
            if EscapedBytes.contains(byte) || byte >= 0x80 { return }
            offset += 1
        }
    }

    /// The decoded string of raw contents.
    ///
    /// - Throws: `.malformedInput` for invalid UTF-8 or an invalid escape.
    func decoded(_ raw: RawString) throws(KinError) -> String {
        if !raw.hasEscapes {
            let bytes = unsafe bytes(raw.range)
            if raw.isASCII { return unsafe String(decoding: bytes, as: UTF8.self) }
            guard let text = unsafe String(validating: bytes, as: UTF8.self) else { throw invalidUTF8(raw.range) }
            return try checked(text, raw.range)
        }
        var result: [UInt8] = []
        result.reserveCapacity(raw.range.count)
        var at = raw.range.lowerBound
        while at < raw.range.upperBound {
            let byte = byte(at: at)
            if byte == 0x5C {
                try unescape(&at, before: raw.range.upperBound, into: &result)
            } else {
                result.append(byte)
                at += 1
            }
        }
        guard let text = String(validating: result, as: UTF8.self) else { throw invalidUTF8(raw.range) }
        return try checked(text, raw.range)
    }

    private func checked(_ text: String, _ range: Range<Int>) throws(KinError) -> String {
        if StreamSafeText.isSafe(text) { return text }
        throw error(
            "a letter of the string has more than \(StreamSafeText.mostMarks) combining marks; leave out the rest",
            at: range.lowerBound)
    }

    private func invalidUTF8(_ range: Range<Int>) -> KinError {
        error("the string is not valid UTF-8; convert the file first", at: range.lowerBound)
    }

    /// Appends the character of the escape at offset `at` and advances `at` past it.
    private func unescape(_ at: inout Int, before end: Int, into result: inout [UInt8]) throws(KinError) {
        let escape = at
        at += 2
        switch byte(at: escape + 1) {
        case UInt8(ascii: "\""): result.append(0x22)
        case UInt8(ascii: "\\"): result.append(0x5C)
        case UInt8(ascii: "/"): result.append(0x2F)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"):
            var value = try codeUnit(at, before: end, of: escape)
            at += 4
            if (0xD800..<0xDC00).contains(value), at + 6 <= end, byte(at: at) == 0x5C, byte(at: at + 1) == 0x75 {
                let low = try codeUnit(at + 2, before: end, of: at)
                if (0xDC00..<0xE000).contains(low) {
                    value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                    at += 6
                }
            }
            guard let scalar = Unicode.Scalar(value) else {
                throw error("half a surrogate pair is not a character", at: escape)
            }
            result.append(contentsOf: UTF8.encode(scalar)!)
        default:
            throw error("there is no such escape; a backslash itself is written \\\\", at: escape)
        }
    }

    private func codeUnit(_ offset: Int, before end: Int, of escape: Int) throws(KinError) -> UInt32 {
        guard offset + 4 <= end else { throw error("\\u needs four hexadecimal digits", at: escape) }
        var value: UInt32 = 0
        for i in offset..<offset + 4 {
            guard let digit = Character(Unicode.Scalar(byte(at: i))).hexDigitValue else {
                throw error("\\u needs four hexadecimal digits", at: escape)
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
