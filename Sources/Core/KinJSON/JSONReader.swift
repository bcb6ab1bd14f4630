/// A pull parser for JSON in memory: the caller reads value by value, and no tree is built.
///
/// It accepts exactly RFC 8259 in UTF-8: no comments, no trailing commas, no NaN, no byte order mark, no lone
/// surrogates; the depth of nesting is limited. An error names the line and the column.
///
/// Kin has its own parser, because a store of sessions has to process 50,000 records a second, parsing and writing
/// together, and an import of image analyses 60 MB/s. On one core of one machine, on sessions of 577 bytes,
/// Foundation's JSONDecoder read 29 MB/s, its JSONSerialization 42, SQLite's functions 37. The C++ library simdjson
/// read about 500, including the creation of strings, but iOS does not have it. None of these reports the line of an
/// invalid record, and Foundation is a large dependency for a C library.
///
///     try JSONReader.read(bytes) { reader throws(KinError) in
///         try reader.members(of: keys) { reader, key throws(KinError) in … }
///     }
@safe
package struct JSONReader {
    private let start: UnsafePointer<UInt8>
    /// The number of bytes of the text.
    private(set) var count: Int
    /// The offset of the next byte.
    var offset = 0
    /// The number of lines in the file before the first byte.
    private let precedingLines: Int
    private let depthLimit: Int
    private var depth = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>, firstLine: Int, depthLimit: Int) {
        // An empty buffer may have no address; none of its bytes is ever read.
        unsafe start = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        count = bytes.count
        precedingLines = firstLine - 1
        self.depthLimit = depthLimit
    }

    /// Reads one JSON text, optionally surrounded by white space.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - firstLine: The line number of its first line in the file, for errors. Default: 1.
    ///   - depthLimit: The largest depth of nested arrays and objects. Default: 128.
    ///   - body: Reads the one value.
    /// - Throws: `.malformedInput` if anything follows the value, and the errors of `body`.
    package static func read<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, firstLine: Int = 1, depthLimit: Int = 128,
        _ body: (inout JSONReader) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        var reader = unsafe JSONReader(bytes, firstLine: firstLine, depthLimit: depthLimit)
        let result = try body(&reader)
        if reader.peek() != nil { throw reader.unexpected("the end of the text") }
        return result
    }

    /// Reads one JSON text; see ``read(_:firstLine:depthLimit:_:)-(UnsafeBufferPointer<UInt8>,_,_,_)``.
    package static func read<Result>(
        _ text: String, _ body: (inout JSONReader) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try unsafe Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(KinError) in
            try unsafe read(bytes, body)
        }
    }

    // MARK: Bytes

    /// The byte at an offset below ``count``.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        assert(offset < count)
        return unsafe start[offset]
    }

    /// The eight bytes from an offset on, the first byte lowest.
    ///
    /// - Precondition: `offset + 8 <= count`, checked in debug builds only.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        assert(offset + 8 <= count)
        return unsafe UInt64(littleEndian: UnsafeRawPointer(start + offset).loadUnaligned(as: UInt64.self))
    }

    /// The bytes at a range of offsets.
    @inline(__always)
    func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        assert(range.upperBound <= count)
        return unsafe UnsafeBufferPointer(start: start + range.lowerBound, count: range.count)
    }

    /// Skips white space and returns the next byte without consuming it; nil at the end.
    @inline(__always)
    mutating func peek() -> UInt8? {
        while offset < count {
            let next = byte(at: offset)
            // Space, tab, line feed and carriage return (RFC 8259, section 2).
            if next > 0x20 || !(next == 0x20 || next == 0x0A || next == 0x09 || next == 0x0D) { return next }
            offset += 1
        }
        return nil
    }

    /// Skips white space and consumes the next byte if it is the wanted one; returns whether it was.
    @inline(__always)
    mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(truncatingIfNeeded: wanted.value) else { return false }
        offset += 1
        return true
    }

    // MARK: Structure

    /// Consumes the bracket that opens an array or an object; `what` names the expected value in an error.
    mutating func open(_ bracket: Unicode.Scalar, _ what: String) throws(KinError) {
        guard take(bracket) else { throw unexpected(what) }
        depth += 1
        guard depth <= depthLimit else {
            throw error("arrays and objects are nested more than \(depthLimit) deep", at: offset - 1)
        }
    }

    /// Consumes the comma before a next element (true) or the bracket that closes the level (false).
    mutating func hasNext(orCloses bracket: Unicode.Scalar) throws(KinError) -> Bool {
        if take(",") { return true }
        guard take(bracket) else { throw unexpected("a comma or \(bracket)") }
        depth -= 1
        return false
    }

    /// Consumes the closing bracket of an empty array or object; returns whether it was next.
    mutating func isEmptyLevel(closedBy bracket: Unicode.Scalar) -> Bool {
        guard take(bracket) else { return false }
        depth -= 1
        return true
    }

    /// Reads an array. `element` reads one element per call; its errors receive the element's index.
    package mutating func array(_ element: (inout JSONReader) throws(KinError) -> Void) throws(KinError) {
        try open("[", "an array")
        if isEmptyLevel(closedBy: "]") { return }
        var number = 0
        repeat {
            do throws(KinError) { try element(&self) } catch { throw error.inField("[\(number)]") }
            number += 1
        } while try hasNext(orCloses: "]")
    }

    /// Reads an array and returns a reader of each element, which may be malformed: only strings and brackets decide
    /// where an element ends, so an error in one element does not hide the others.
    ///
    /// - Throws: `.malformedInput` if the end of an element is not found, or no comma or bracket follows an element.
    package mutating func elements() throws(KinError) -> [JSONReader] {
        try open("[", "an array")
        if isEmptyLevel(closedBy: "]") { return [] }
        var elements: [JSONReader] = []
        repeat {
            elements.append(self)
            try skipElement()
            elements[elements.count - 1].count = offset
        } while try hasNext(orCloses: "]")
        return elements
    }

    /// The number of line ends between an earlier state of this reader and this one.
    package func linesEnded(since earlier: JSONReader) -> Int {
        unsafe bytes(earlier.offset..<max(earlier.offset, offset)).count { $0 == 0x0A }
    }

    // MARK: Errors

    /// An error at an offset, with its line and column. Default: the offset of the next byte.
    package func error(_ message: String, code: KinError.Code = .malformedInput, at offset: Int? = nil) -> KinError {
        let offset = min(offset ?? self.offset, count)
        var line = precedingLines + 1
        var column = 1
        for i in 0..<offset {
            let byte = byte(at: i)
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return KinError(code, message).within("column", column).within("line", line)
    }

    /// A given error with the position of the next byte.
    package func error(_ other: KinError) -> KinError {
        KinError(other.code, other.message, context: other.context + error("").context)
    }

    /// The error that `wanted` was expected at the next byte.
    package func unexpected(_ wanted: String) -> KinError {
        guard offset < count else { return error("the text ends where \(wanted) is expected") }
        let next = byte(at: offset)
        if offset == 0, next == 0xEF {
            return error("the text begins with a byte order mark; save it as UTF-8 without one")
        }
        let rest = unsafe String(decoding: bytes(offset..<min(offset + 8, count)), as: UTF8.self)
        let word = ["null", "true", "false", "NaN", "Infinity"].first(where: rest.hasPrefix)
        let found =
            switch next {
            case UInt8(ascii: "\""): wanted == "a number" ? quotedNumber ?? "a text" : "a text"
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                wanted == "a string" ? "\(numberText); write \"\(numberText)\", in quotation marks" : numberText
            case 0x21..<0x7F: word ?? "\"\(Character(Unicode.Scalar(next)))\""
            default: "byte \(next)"
            }
        return error("\(wanted) is expected here, not \(found)")
    }
}
