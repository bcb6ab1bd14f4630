/// Writes JSON as UTF-8, compact, names in the order in which they are written.
package struct JSONWriter {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []
    /// Whether a comma has to come before the next value or name.
    private var needsComma = false

    package init() {}

    /// What has been written, as a string.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets what has been written and keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Ends a line of a file of JSON lines.
    package mutating func endLine() {
        bytes.append(0x0A)
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
    package mutating func array(_ strings: some Sequence<String>) {
        array { writer in for text in strings { writer.string(text) } }
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
        guard let value else { return raw("null") }
        comma()
        bytes.append(0x22)
        // RFC 8259, section 7: quotation marks, backslashes and control characters are escaped.
        for byte in value.utf8 {
            switch byte {
            case 0x22, 0x5C: bytes += [0x5C, byte]
            case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
            case 0x09: bytes += [0x5C, UInt8(ascii: "t")]
            case 0x0D: bytes += [0x5C, UInt8(ascii: "r")]
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += [0x5C, UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(0x22)
        needsComma = true
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

    /// Writes a whole number.
    package mutating func integer(_ value: some BinaryInteger) { raw(value.description) }

    /// Writes true or false.
    package mutating func boolean(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes null.
    package mutating func null() { raw("null") }

    /// Writes a value that is JSON already.
    package mutating func raw(_ json: String) {
        comma()
        bytes += json.utf8
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
