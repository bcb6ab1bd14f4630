import KinCore
import KinJSON
import Testing

@Suite struct JSONWriterTests {
    @Test(arguments: 0..<20)
    func asciiCharactersAreEscapedAtEachPosition(length: Int) throws {
        for code in 0..<UInt8(0x80) {
            for position in 0..<max(length, 1) {
                var bytes = Array(repeating: UInt8(ascii: "a"), count: length)
                if position < length { bytes[position] = code }
                let text = String(decoding: bytes, as: UTF8.self)
                var writer = JSONWriter()
                writer.string(text)
                #expect(writer.text == "\"\(text.unicodeScalars.map(escaped).joined())\"")
                #expect(try JSONReader.read(writer.text) { reader throws(KinError) in try reader.string() } == text)
            }
        }
    }

    @Test func charactersBeyondASCIIAreWrittenUnchanged() {
        var writer = JSONWriter()
        writer.string("ö\"été\\日本語\n🌙🌙🌙")
        #expect(writer.text == #""ö\"été\\日本語\n🌙🌙🌙""#)
    }

    /// RFC 8259, section 7, character by character.
    private func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\t": "\\t"
        case "\r": "\\r"
        case "\u{0}"..<"\u{20}":
            "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: String(scalar)
        }
    }
}
