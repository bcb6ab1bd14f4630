package import KinCore

/// Reads JSON from memory, value by value, into whatever the caller makes of it: no tree is built.
///
/// It accepts exactly RFC 8259 in UTF-8: no comments, no trailing commas, no NaN, no byte order mark, no lone surrogates; nesting
/// is limited. An error names the line and the column of what it is about.
///
/// Why this and not a library: a store of sessions has to take 50,000 records a second, parsing and writing together, and an
/// album of images 60 MB/s. On one core of one machine, on sessions of 577 bytes, Foundation's JSONDecoder read 29 MB/s,
/// its JSONSerialization 42, SQLite's functions 37; simdjson some 500 with strings made, but it is a library in C++ that iOS
/// does not have. Besides, none of them tells where in a file a record is wrong, and Foundation is much to carry for a library in C.
///
///     try JSONReader.read(bytes) { reader throws(KinError) in
///         try reader.members(of: keys) { reader, key throws(KinError) in … }
///     }
@safe
package struct JSONReader {
    private let start: UnsafePointer<UInt8>
    /// How many bytes there are.
    let count: Int
    /// The place of the next byte.
    var place = 0
    /// How many lines of the file come before the first byte.
    private let linesBefore: Int
    private let depthLimit: Int
    private var depth = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>, firstLine: Int, depthLimit: Int) {
        // An empty buffer may have no address; no byte of it is ever read.
        unsafe start = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
        count = bytes.count
        linesBefore = firstLine - 1
        self.depthLimit = depthLimit
    }

    /// Reads one JSON text, which may have white space around it and nothing else.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8.
    ///   - firstLine: The number of its first line in the file that it is from.
    ///   - depthLimit: How deep arrays and objects may be nested.
    ///   - body: Reads the one value.
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

    /// The byte at a place below ``count``.
    @inline(__always)
    func byte(at place: Int) -> UInt8 {
        assert(place < count)
        return unsafe start[place]
    }

    /// Eight bytes from a place on that has them, the first one lowest.
    @inline(__always)
    func word(at place: Int) -> UInt64 {
        assert(place + 8 <= count)
        return unsafe UInt64(littleEndian: UnsafeRawPointer(start + place).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        assert(range.upperBound <= count)
        return unsafe UnsafeBufferPointer(start: start + range.lowerBound, count: range.count)
    }

    /// The next byte that is no white space, which is not taken; nil at the end.
    @inline(__always)
    mutating func peek() -> UInt8? {
        while place < count {
            let next = byte(at: place)
            // Space, tab, line feed and carriage return (RFC 8259, section 2).
            if next > 0x20 || !(next == 0x20 || next == 0x0A || next == 0x09 || next == 0x0D) { return next }
            place += 1
        }
        return nil
    }

    /// Takes the next byte after white space if it is this one.
    @inline(__always)
    mutating func take(_ wanted: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(truncatingIfNeeded: wanted.value) else { return false }
        place += 1
        return true
    }

    // MARK: Structure

    /// Takes a bracket that opens a level.
    mutating func open(_ bracket: Unicode.Scalar, _ what: String) throws(KinError) {
        guard take(bracket) else { throw unexpected(what) }
        depth += 1
        guard depth <= depthLimit else {
            throw error("arrays and objects are nested more than \(depthLimit) deep", at: place - 1)
        }
    }

    /// After a value: takes the comma before the next one (true) or the bracket that closes the level (false).
    mutating func goesOn(until bracket: Unicode.Scalar) throws(KinError) -> Bool {
        if take(",") { return true }
        guard take(bracket) else { throw unexpected("a comma or \(bracket)") }
        depth -= 1
        return false
    }

    /// Takes the bracket of a level that is empty.
    mutating func closesAtOnce(_ bracket: Unicode.Scalar) -> Bool {
        guard take(bracket) else { return false }
        depth -= 1
        return true
    }

    /// Reads an array: the function reads one element each time it is called.
    package mutating func array(_ element: (inout JSONReader) throws(KinError) -> Void) throws(KinError) {
        try open("[", "an array")
        if closesAtOnce("]") { return }
        var number = 0
        repeat {
            do throws(KinError) { try element(&self) } catch { throw error.inField("[\(number)]") }
            number += 1
        } while try goesOn(until: "]")
    }

    /// How many lines end between where another copy of this reader stands and where this one does.
    package func linesEnded(since earlier: JSONReader) -> Int {
        unsafe bytes(earlier.place..<max(earlier.place, place)).count { $0 == 0x0A }
    }

    // MARK: Errors

    /// An error about what stands at a place, the next byte if none is named.
    package func error(_ message: String, code: KinError.Code = .malformedInput, at place: Int? = nil) -> KinError {
        let place = min(place ?? self.place, count)
        var line = linesBefore + 1
        var column = 1
        for i in 0..<place {
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

    /// The error that something else was expected than what comes next.
    package func unexpected(_ wanted: String) -> KinError {
        guard place < count else { return error("the text ends where \(wanted) is expected") }
        let next = byte(at: place)
        if place == 0, next == 0xEF {
            return error("the text begins with a byte order mark; save it as UTF-8 without one")
        }
        let found = (0x21..<0x7F).contains(next) ? "\"\(Character(Unicode.Scalar(next)))\"" : "byte \(next)"
        return error("\(found) stands where \(wanted) is expected")
    }
}
