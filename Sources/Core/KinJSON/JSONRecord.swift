import KinLibC

/// A value with an id that is read from and written to a JSON object.
package protocol JSONRecord: JSONWritable, Sendable {
    /// The noun for the record in errors: "session".
    static var recordName: String { get }

    /// Reads one JSON object.
    ///
    /// - Throws: `.malformedInput` and other codes, with the field and, if known, the record's id.
    init(from reader: inout JSONReader) throws(KinError)
}

extension JSONRecord {
    package static var jsonType: JSONType { JSONType(recordName) }

    /// Reads a record from a JSON text.
    package init(parsing json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in try Self(from: &reader) }
    }

    /// Reads a record from a JSON text in UTF-8.
    package init(parsing json: UnsafeBufferPointer<UInt8>) throws(KinError) {
        self = try unsafe JSONReader.read(json) { reader throws(KinError) in try Self(from: &reader) }
    }
}

/// Files of JSON lines: one record per line; empty lines are allowed.
package enum JSONLines {
    /// Calls `body` for the record of each line.
    ///
    /// - Parameters:
    ///   - bytes: Lines ended by a line feed; the last one may lack it.
    ///   - firstLine: The number of the first line in the file. Default: 1.
    ///   - body: Reads the record of one line and receives the line's number.
    /// - Returns: The number of lines.
    /// - Throws: The errors of `body`, with the line.
    @discardableResult
    package static func forEach(
        in bytes: UnsafeBufferPointer<UInt8>, firstLine: Int = 1,
        _ body: (inout JSONReader, Int) throws(KinError) -> Void
    ) throws(KinError) -> Int {
        try unsafe forEachLine(in: bytes, firstLine: firstLine) { text, line throws(KinError) in
            do throws(KinError) {
                try unsafe JSONReader.read(text, firstLine: line) { reader throws(KinError) in
                    try body(&reader, line)
                }
            } catch {
                throw error.names("line") ? error : error.within("line", line)
            }
        }
    }

    /// Calls `body` with the text and the number of each line that is not empty.
    ///
    /// - Returns: The number of lines.
    package static func forEachLine<Failure>(
        in bytes: UnsafeBufferPointer<UInt8>, firstLine: Int,
        _ body: (UnsafeBufferPointer<UInt8>, Int) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        var line = firstLine
        var start = 0
        while start < bytes.count {
            let end = unsafe lineEnd(in: bytes, from: start)
            let text = unsafe UnsafeBufferPointer(rebasing: bytes[start..<end])
            if unsafe !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { try unsafe body(text, line) }
            start = end + 1
            line += 1
        }
        return line - firstLine
    }

    /// The offset of the first line feed from an offset on; the number of bytes if there is no line feed.
    package static func lineEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard start < bytes.count, let first = bytes.baseAddress,
            let end = unsafe memchr(first + start, 0x0A, bytes.count - start)
        else { return bytes.count }
        return unsafe UnsafeRawPointer(end) - UnsafeRawPointer(first)
    }

    /// Calls `body` for the record of each line of a byte array.
    @discardableResult
    package static func forEach(
        in bytes: ArraySlice<UInt8>, firstLine: Int = 1, _ body: (inout JSONReader, Int) throws(KinError) -> Void
    ) throws(KinError) -> Int {
        let result = unsafe bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(KinError) in try unsafe forEach(in: bytes, firstLine: firstLine, body) }
        }
        return try result.get()
    }
}
