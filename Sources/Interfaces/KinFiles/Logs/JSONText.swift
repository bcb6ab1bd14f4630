/// JSON as people write it: values on one or several lines each, with comments.
enum JSONText {
    /// The values of a text, without `//` and `/* */` comments, and the lines that they begin on.
    ///
    /// A value ends with its closing bracket; commas between values are skipped.
    ///
    /// - Throws: `.malformedInput` for a comment without an end.
    static func values(_ text: String) throws(KinError) -> [(text: String, line: Int)] {
        let bytes = try JSONDocument.withoutComments(Array(text.utf8))
        var (values, start, startLine): ([(String, Int)], Int?, Int) = ([], nil, 1)
        var (depth, line, isQuoted, offset) = (0, 1, false, 0)
        func value(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == 0x0A { line += 1 }
            if isQuoted {
                if byte == 0x5C { offset += 1 } else if byte == 0x22 { isQuoted = false }
            } else if byte == 0x22 {
                isQuoted = true
                if start == nil { (start, startLine) = (offset, line) }
            } else if byte == 0x7B || byte == 0x5B {
                depth += 1
                if start == nil { (start, startLine) = (offset, line) }
            } else if byte == 0x7D || byte == 0x5D {
                depth -= 1
                if depth <= 0 {
                    values.append((value(start ?? offset, offset + 1), start == nil ? line : startLine))
                    (start, depth) = (nil, 0)
                }
            } else if byte > 0x20, start == nil, byte != 0x2C {
                (start, startLine) = (offset, line)
            }
            offset += 1
        }
        if let start { values.append((value(start, bytes.count), startLine)) }
        return values
    }

    /// Reads a value of a text; errors name the line in the text.
    static func read<Result>(
        _ value: (text: String, line: Int), _ body: (inout JSONReader) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try unsafe Array(value.text.utf8).withUnsafeBufferPointer { (bytes) throws(KinError) in
            try unsafe JSONReader.read(bytes, firstLine: value.line, body)
        }
    }
}
