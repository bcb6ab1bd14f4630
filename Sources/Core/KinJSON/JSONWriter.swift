/// Writes compact JSON as UTF-8 to a byte array, with members in the order of the calls.
package struct JSONWriter {
    /// The UTF-8 bytes written so far.
    package private(set) var bytes: [UInt8] = []
    /// Whether a comma must precede the next value or name.
    private var needsComma = false
    /// The number of bytes after which arrays write no further elements.
    private let limit: Int

    /// Creates an empty writer.
    ///
    /// - Parameter limit: The number of bytes after which arrays write no further elements. Default: no limit.
    package init(limit: Int = .max) { self.limit = limit }

    /// Whether more bytes than the limit were written, so that arrays may lack elements.
    package var isOverLimit: Bool { bytes.count > limit }

    /// The text written so far.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text of an object; `members` writes its members with ``member(_:_:)``.
    package static func object(_ members: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        writer.object(members)
        return writer.text
    }

    /// Appends one value to existing bytes of any content.
    package static func append(to target: inout [UInt8], _ value: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        // Swapped instead of assigned, so that the bytes never have two owners and are never copied.
        swap(&writer.bytes, &target)
        value(&writer)
        swap(&writer.bytes, &target)
    }

    /// Writes an object; `members` writes its members with ``member(_:_:)``.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        between(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// Writes an array; `elements` writes its elements.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        between(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
    }

    /// Writes an array of strings, each escaped as ``string(_:)`` does.
    package mutating func array(_ strings: [String]) {
        array { writer in for text in strings { writer.string(text) } }
    }

    /// Writes an array; `write` must write one value for each element.
    package mutating func array<Element>(
        _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
    ) {
        array { writer in
            // By number: the types of indices and iterators would be looked up for each array that is written.
            for i in 0..<elements.count {
                if writer.isOverLimit { break }
                write(elements[i], &writer)
            }
        }
    }

    /// Writes a member of an object: its name, and the value that `value` writes.
    package mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        value(&self)
    }

    /// Writes the name of a member, whose value must follow.
    mutating func begin(_ name: EscapedName) {
        comma()
        unsafe bytes.append(contentsOf: name.bytes)
        needsComma = false
    }

    /// Writes a string with its escapes; null for nil.
    package mutating func string(_ value: String?) {
        guard var value else { return raw("null") }
        comma()
        bytes.append(0x22)
        value.withUTF8 { text in
            var written = 0
            while true {
                let next = unsafe Self.firstEscaped(in: text, from: written)
                unsafe append(text, written..<next)
                guard next < text.count else { return }
                unsafe escape(text[next])
                written = next + 1
            }
        }
        bytes.append(0x22)
        needsComma = true
    }

    /// Writes a string whose characters `append` appends; none of them may need an escape.
    package mutating func plainString(_ append: (inout [UInt8]) -> Void) {
        comma()
        bytes.append(0x22)
        append(&bytes)
        bytes.append(0x22)
        needsComma = true
    }

    /// Copies a part of a text as one buffer.
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[part]))
    }

    /// The offset of the first byte that must be escaped, from a given offset on; the number of bytes if no byte must.
    private static func firstEscaped(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var i = start
        while i + 8 <= text.count {
            let word = unsafe UnsafeRawPointer(text.baseAddress! + i).loadUnaligned(as: UInt64.self)
            let escaped = EscapedBytes.mask(of: UInt64(littleEndian: word))
            if escaped != 0 { return i + escaped.trailingZeroBitCount / 8 }
            i += 8
        }
        while i < text.count, unsafe !EscapedBytes.contains(text[i]) { i += 1 }
        return i
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(0x5C)
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            let digits: StaticString = "0123456789abcdef"
            bytes += [UInt8(ascii: "u"), 0x30, 0x30]
            unsafe bytes.append(digits.utf8Start[Int(byte >> 4)])
            unsafe bytes.append(digits.utf8Start[Int(byte & 15)])
        }
    }

    /// Writes the shortest decimal that reads as the same double. A value that is not finite makes the text invalid.
    package mutating func number(_ value: Double) { raw(value.description) }

    /// Writes the shortest decimal that reads as the same float. A value that is not finite makes the text invalid.
    package mutating func number(_ value: Float) { raw(value.description) }

    /// Writes a whole number in decimal.
    package mutating func integer(_ value: some BinaryInteger) { raw(value.description) }

    /// Writes either true or false.
    package mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes the value null.
    package mutating func null() { raw("null") }

    /// Writes a value that is already valid JSON.
    package mutating func raw(_ json: String) {
        comma()
        var json = json
        json.withUTF8 { unsafe bytes.append(contentsOf: $0) }
        needsComma = true
    }

    private mutating func between(_ open: UInt8, _ close: UInt8, _ contents: (inout JSONWriter) -> Void) {
        comma()
        bytes.append(open)
        needsComma = false
        contents(&self)
        bytes.append(close)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }
}

/// The name of a member in quotation marks followed by the colon, for records whose fields are written many times.
///
/// Its memory is never freed, like the schemas, so that threads that write do not share a reference count.
@safe
struct EscapedName: @unchecked Sendable {
    fileprivate let bytes: UnsafeBufferPointer<UInt8>

    init(_ name: String) {
        var writer = JSONWriter()
        writer.string(name)
        let text = writer.bytes + [UInt8(ascii: ":")]
        let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
        _ = unsafe memory.initialize(fromContentsOf: text)
        unsafe bytes = UnsafeBufferPointer(memory)
    }
}
