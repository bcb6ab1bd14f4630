/// The encodings of text that are detected.
enum TextEncoding: String {
    case utf8 = "UTF-8"
    case utf16 = "UTF-16"
    case windows1252 = "Windows-1252"

    /// Decodes text: UTF-16 by its byte order mark or its zero bytes, else UTF-8, else Windows-1252.
    ///
    /// - Throws: `.malformedInput` for bytes that look like a different encoding.
    static func decode(_ bytes: [UInt8]) throws(KinError) -> (text: String, encoding: TextEncoding) {
        if let isLittle = isLittleEndianUTF16(bytes) {
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { (place: Int) -> UInt16 in
                let (high, low) = isLittle ? (bytes[place + 1], bytes[place]) : (bytes[place], bytes[place + 1])
                return UInt16(high) << 8 | UInt16(low)
            }
            return (String(decoding: units.first == 0xFEFF ? units[1...] : units[...], as: UTF16.self), .utf16)
        }
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if let text = String(validating: bytes[mark...], as: UTF8.self) { return (text, .utf8) }
        if let name = foreign(bytes) {
            throw KinError(
                .malformedInput,
                "the text is not UTF-8, but possibly \(name); convert it: iconv -f \(name) -t UTF-8 FILE > NEW")
        }
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

    /// The likely encoding of a text that is not Windows-1252, as iconv names it; nil for Windows-1252.
    ///
    /// At most two letters with accents are next to each other. In the scripts of Asia and in Cyrillic most bytes from 0x80
    /// are in longer runs.
    private static func foreign(_ bytes: [UInt8]) -> String? {
        let runs = bytes.prefix(1 << 20).split { $0 < 0x80 }
        let (all, long) = (runs.joined(), runs.filter { $0.count > 2 }.joined())
        // Symbols of Windows-1252 that are rare in texts begin many letters in Shift-JIS.
        let rare: Set<UInt8> = [0x81, 0x82, 0x83, 0x86, 0x87, 0x88, 0x89, 0x8D, 0x8F, 0x90, 0x98, 0x99, 0x9D]
        if !long.isEmpty, all.count(where: rare.contains) * 12 > all.count { return "SHIFT_JIS" }
        guard 2 * long.count > all.count else { return codePage(bytes.prefix(1 << 20)) }
        let isPaired = runs.allSatisfy { $0.count.isMultiple(of: 2) }
        if !isPaired, all.count(where: { $0 < 0xC0 }) * 10 < all.count { return "WINDOWS-1251" }
        // Kana are most letters of Japanese, and the syllables of Korean come first.
        let leads = runs.flatMap { run in stride(from: run.startIndex, to: run.endIndex, by: 2).map { bytes[$0] } }
        if leads.count(where: { $0 == 0xA4 || $0 == 0xA5 }) * 4 > leads.count { return "EUC-JP" }
        return leads.contains { $0 > 0xC8 } ? "GBK" : "EUC-KR"
    }

    /// The encoding of old Macs or of DOS, if most accents between letters are not letters in Windows-1252, which has them
    /// from 0xC0 on.
    private static func codePage(_ bytes: ArraySlice<UInt8>) -> String? {
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        // œ, an apostrophe and a hard space are between letters, too.
        let others: Set<UInt8> = [0x8C, 0x92, 0x9C, 0xA0, 0xAD, 0xB7]
        let inner = bytes.indices.dropFirst().dropLast().lazy.filter {
            bytes[$0] >= 0x80 && isLetter(bytes[$0 - 1]) && isLetter(bytes[$0 + 1]) && !others.contains(bytes[$0])
        }.map { bytes[$0] }
        guard 2 * inner.count(where: { $0 < 0xC0 }) > inner.count else { return nil }
        // In DOS they are capital letters.
        let isMac = inner.contains { [0x8D, 0x8E, 0x8F, 0x90, 0x99, 0x9A, 0x9F].contains($0) }
        return isMac ? "MACINTOSH" : "CP850"
    }

    /// The characters of the bytes 0x80 to 0x9F of Windows-1252; bytes without one map to the same number.
    private static let codes: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
        0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
        0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
}
