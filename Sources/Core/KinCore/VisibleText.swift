/// Escapes text from other people, so that it is harmless on a terminal or in a drawing.
///
/// A control character could move the cursor, change the title of a window or hide earlier text. A bidirectional
/// override changes the order of letters on the screen. An invisible character makes two ids look alike. The escapes
/// are JSON's (`\u001B`), so JSON retains its meaning.
package enum VisibleText {
    /// A text with every control, bidirectional and invisible character escaped, except line feeds and tabs.
    ///
    /// - Complexity: O(length); a text without such characters is returned unchanged.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: mayNeedEscape), text.unicodeScalars.contains(where: isHidden) else {
            return text
        }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            if isHidden(scalar) {
                for unit in UTF16.encode(scalar)! { text += escape(unit) }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// A text on one line: as ``escaped(_:)``, with line feeds and tabs also escaped.
    package static func escapedLine(_ text: String) -> String {
        let text = escaped(text)
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x09 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// Whether a byte of UTF-8 may be part of a hidden character: a control, or the first byte of a block with hidden
    /// characters.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F, 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF3: true
        default: false
        }
    }

    /// The first control, bidirectional or invisible character of a text, as `U+202E`; nil without such a character.
    /// Line feeds and tabs are ignored.
    package static func firstHidden(in text: String) -> String? {
        guard text.utf8.contains(where: mayNeedEscape), let found = text.unicodeScalars.first(where: isHidden) else {
            return nil
        }
        return number(of: found)
    }

    /// Whether a character is a control, a mark that changes the direction of others, or invisible. Joiners (U+200C and
    /// U+200D) are not hidden: Persian, Indic scripts and emoji use them.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F...0x9F: true  // C0, DEL, C1
        case 0xAD, 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x3164, 0xFFA0: true
        case 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xFDD0...0xFDEF, 0xFFF0...0xFFFB, 0xFFFE...0xFFFF, 0xE0000...0xE0FFF: true
        default: false
        }
    }

    /// The number of a character in Unicode notation, `U+202E`.
    static func number(of scalar: Unicode.Scalar) -> String { "U+" + digits(scalar.value) }

    private static func escape(_ unit: UInt16) -> String { "\\u" + digits(UInt32(unit)) }

    /// Hexadecimal digits, at least four.
    private static func digits(_ number: UInt32) -> String {
        let digits = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
