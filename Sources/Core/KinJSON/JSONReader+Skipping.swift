extension JSONReader {
    /// Consumes null if it is next; returns whether it was.
    package mutating func takesNull() throws(KinError) -> Bool {
        guard peek() == UInt8(ascii: "n") else { return false }
        try takeWord("null")
        return true
    }

    /// Reads either true or false.
    package mutating func boolean() throws(KinError) -> Bool {
        switch peek() {
        case UInt8(ascii: "t"):
            try takeWord("true")
            return true
        case UInt8(ascii: "f"):
            try takeWord("false")
            return false
        default:
            throw unexpected("true or false")
        }
    }

    /// Whether the next value is true or false.
    package mutating func isAtBoolean() -> Bool { peek() == UInt8(ascii: "t") || peek() == UInt8(ascii: "f") }

    /// Whether the next value is an object.
    package mutating func isAtObject() -> Bool { peek() == UInt8(ascii: "{") }

    /// Whether the next value is an array.
    package mutating func isAtArray() -> Bool { peek() == UInt8(ascii: "[") }

    /// Whether the next value is a string.
    package mutating func isAtString() -> Bool { peek() == UInt8(ascii: "\"") }

    private mutating func takeWord(_ word: StaticString) throws(KinError) {
        for i in 0..<word.utf8CodeUnitCount {
            guard offset < count, unsafe byte(at: offset) == word.utf8Start[i] else { throw unexpected("\(word)") }
            offset += 1
        }
    }

    /// Reads one value of any kind and returns its text, with line breaks between tokens replaced by spaces.
    package mutating func verbatim() throws(KinError) -> String {
        _ = peek()
        let first = offset
        try skip()
        let text = unsafe bytes(first..<offset)
        // Line breaks occur only between values; in a string they are escaped.
        guard unsafe text.contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
            return unsafe String(decoding: text, as: UTF8.self)
        }
        return unsafe String(decoding: text.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self)
    }

    /// Skips an element or a member's value by its strings and brackets, without validating it.
    package mutating func skipElement() throws(KinError) {
        _ = peek()
        let first = offset
        var level = 0
        while offset < count {
            let next = Unicode.Scalar(byte(at: offset))
            if level == 0, [",", "]", "}"].contains(next) { return }
            if next == "\"" {
                repeat {
                    offset += byte(at: offset) == UInt8(ascii: "\\") ? 2 : 1
                } while offset < count && byte(at: offset) != UInt8(ascii: "\"")
            }
            offset += 1
            if next == "{" || next == "[" { level += 1 }
            if next == "}" || next == "]" { level -= 1 }
            if level == 0, next == "}" || next == "]" { return }
        }
        throw error("the element that begins here has no end, so the whole list is left out", at: first)
    }

    /// Reads and discards one value of any kind, which is validated like any other.
    package mutating func skip() throws(KinError) {
        guard let first = peek() else { throw unexpected("a value") }
        switch first {
        case UInt8(ascii: "{"):
            try forEachName { reader, _, _ throws(KinError) in try reader.skip() }
        case UInt8(ascii: "["):
            try open("[", "an array")
            if isEmptyLevel(closedBy: "]") { return }
            repeat { try skip() } while try hasNext(orCloses: "]")
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try boolean()
        case UInt8(ascii: "n"): try takeWord("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number()
        default: throw unexpected("a value")
        }
    }
}
