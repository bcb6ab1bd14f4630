/// The encodings of text that are detected.
enum TextEncoding: String {
    case utf8 = "UTF-8"
    case utf16 = "UTF-16"
    case windows1252 = "Windows-1252"

    /// Decodes text: UTF-16 by its byte order mark or its zero bytes, else UTF-8, else Windows-1252.
    static func decode(_ bytes: [UInt8]) -> (text: String, encoding: TextEncoding) {
        if let isLittle = isLittleEndianUTF16(bytes) {
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { (place: Int) -> UInt16 in
                let (high, low) = isLittle ? (bytes[place + 1], bytes[place]) : (bytes[place], bytes[place + 1])
                return UInt16(high) << 8 | UInt16(low)
            }
            return (String(decoding: units.first == 0xFEFF ? units[1...] : units[...], as: UTF16.self), .utf16)
        }
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if let text = String(validating: bytes[mark...], as: UTF8.self) { return (text, .utf8) }
        var text = String.UnicodeScalarView()
        for byte in bytes[mark...] {
            let code = (0x80...0x9F).contains(byte) ? codes[Int(byte) - 0x80] : UInt32(byte)
            text.append(Unicode.Scalar(code) ?? "\u{FFFD}")
        }
        return (String(text), .windows1252)
    }

    /// Whether the low byte comes first in UTF-16 text; nil for other text.
    static func isLittleEndianUTF16(_ start: [UInt8]) -> Bool? {
        if start.starts(with: [0xFF, 0xFE]) { return true }
        if start.starts(with: [0xFE, 0xFF]) { return false }
        guard start.count >= 4 else { return nil }
        if start[0] != 0, start[1] == 0, start[2] != 0, start[3] == 0 { return true }
        return start[0] == 0 && start[1] != 0 && start[2] == 0 && start[3] != 0 ? false : nil
    }

    /// The characters of the bytes 0x80 to 0x9F of Windows-1252; bytes without one map to the same number.
    private static let codes: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
        0x017E, 0x0178,
    ]
}
