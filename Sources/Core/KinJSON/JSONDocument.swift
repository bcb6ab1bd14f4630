/// A text of JSON values as written by people: pretty-printed, with comments, a byte order mark, one value or several.
package enum JSONDocument {
    /// Lists the values of a document: the elements of an array, or a sequence of values.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8. Comments (`// …` and `/* … */`) count as white space.
    ///   - body: Receives a reader at each value.
    /// - Throws: `.malformedInput` with line and column; the errors of `body`.
    package static func forEachValue(
        in bytes: [UInt8], _ body: (inout JSONReader) throws(KinError) -> Void
    ) throws(KinError) {
        let text = try withoutComments(bytes)
        let result = unsafe text.withUnsafeBufferPointer { text in
            Result { () throws(KinError) in
                try unsafe JSONReader.read(text) { reader throws(KinError) in
                    if reader.isAtArray() {
                        try reader.array(body)
                    } else {
                        repeat { try body(&reader) } while reader.peek() != nil
                    }
                }
            }
        }
        try result.get()
    }

    /// Whether lines are one document instead of a value on each line: they begin with an array, a comment, or a value
    /// that continues on the next line.
    ///
    /// - Parameter bytes: The first whole lines of a file.
    package static func isDocument(_ bytes: ArraySlice<UInt8>) -> Bool {
        let text = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
        guard let start = text.firstIndex(where: { !isSpace($0) }) else { return false }
        if text[start] == UInt8(ascii: "[") || text[start] == UInt8(ascii: "/") { return true }
        guard text[start] == UInt8(ascii: "{") else { return false }
        let line = text[start...].prefix { $0 != 0x0A }
        // A line with an error that is not the beginning of a longer value remains a line.
        return line.dropFirst().allSatisfy { isSpace($0) }
            || (isOpen(line) && text[line.endIndex...].contains { !isSpace($0) })
    }

    /// The bytes of a text without a byte order mark.
    package static func withoutMark(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether more brackets open than close on a line.
    private static func isOpen(_ line: ArraySlice<UInt8>) -> Bool {
        var (depth, isInString, isEscaped) = (0, false, false)
        for byte in line {
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
            }
        }
        return depth > 0
    }

    /// A text with spaces in place of a byte order mark and comments, so that lines and columns do not change.
    ///
    /// - Throws: `.malformedInput` with the line for a comment without an end.
    package static func withoutComments(_ bytes: [UInt8]) throws(KinError) -> [UInt8] {
        var text = bytes
        if text.starts(with: byteOrderMark) { text.replaceSubrange(0..<3, with: [0x20]) }
        var (place, isInString) = (0, false)
        while place < text.count {
            switch text[place] {
            case UInt8(ascii: "\\") where isInString: place += 1
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "/") where !isInString && place + 1 < text.count:
                let end: Int
                switch text[place + 1] {
                case UInt8(ascii: "/"): end = text[place...].firstIndex(of: 0x0A) ?? text.count
                case UInt8(ascii: "*"): end = try endOfComment(in: text, from: place)
                default: end = place
                }
                for index in place..<end where text[index] != 0x0A { text[index] = 0x20 }
                if end > place { place = end - 1 }
            default: break
            }
            place += 1
        }
        return text
    }

    private static func endOfComment(in text: [UInt8], from start: Int) throws(KinError) -> Int {
        var place = start + 2
        while place + 1 < text.count {
            if text[place] == UInt8(ascii: "*"), text[place + 1] == UInt8(ascii: "/") { return place + 2 }
            place += 1
        }
        let line = text[..<start].count { $0 == 0x0A } + 1
        throw KinError(.malformedInput, "the comment that begins here has no */ at its end").within("line", line)
    }
}
