/// Writes JSON as UTF-8, compact, names in the order in which they are written.
package struct JSONWriter {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []
    /// Whether a comma has to come before the next value or name.
    private var needsComma = false

    package init() {}

    /// What has been written, as a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Makes room for so many bytes.
    package mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

    /// Forgets what has been written and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Writes an object whose members the function writes, each by ``member(_:_:)``.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        between(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    /// Writes an array whose elements the function writes.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        between(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
    }

    /// Writes an array of strings.
    package mutating func array(_ strings: [String]) {
        array { writer in for text in strings { writer.string(text) } }
    }

    /// Writes an array, each element by the function.
    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
    ) {
        array { writer in for element in elements { write(element, &writer) } }
    }

    /// Writes a member of an object: its name, and its value by the function.
    package mutating func member(_ name: String, _ value: (inout JSONWriter) -> Void) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        value(&self)
    }

    /// Writes a string, or null.
    package mutating func string(_ value: String?) {
        guard var value else { return raw("null") }
        comma()
        bytes.append(0x22)
        value.withUTF8 { text in
            var written = 0
            for i in 0..<text.count where unsafe Self.isEscaped(text[i]) {
                unsafe append(text, written..<i)
                unsafe escape(text[i])
                written = i + 1
            }
            unsafe append(text, written..<text.count)
        }
        bytes.append(0x22)
        needsComma = true
    }

    /// Copies a part of a text; as a buffer of its own, which the standard library copies at once.
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[part]))
    }

    /// RFC 8259, section 7: quotation marks, backslashes and control characters are escaped.
    private static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

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

    /// Writes a finite number with as many digits as it takes to read the same one again.
    package mutating func number(_ value: Double) {
        precondition(value.isFinite, "JSON has no NaN and no infinity")
        raw(value.description)
    }

    /// Writes a finite number with as many digits as it takes to read the same float again.
    package mutating func number(_ value: Float) {
        precondition(value.isFinite, "JSON has no NaN and no infinity")
        raw(value.description)
    }

    /// Writes a finite number, or null.
    package mutating func number(_ value: Double?) {
        if let value { number(value) } else { null() }
    }

    /// Writes a whole number.
    package mutating func integer(_ value: some BinaryInteger) { raw(value.description) }

    /// Writes true or false.
    package mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes null.
    package mutating func null() { raw("null") }

    /// Writes a value that is JSON already.
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
