/// The columns that text takes on a terminal: two for wide characters of East Asia and for emoji, none for combining
/// marks (https://www.unicode.org/reports/tr11/).
enum TextWidth {
    /// The number of columns of a character.
    static func columns(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first, !first.isASCII || scalars.count > 1 else { return 1 }
        let isEmoji = first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}")
        if isEmoji || wide.contains(where: { $0.contains(first.value) }) { return 2 }
        let invisible: [Unicode.GeneralCategory] = [.nonspacingMark, .enclosingMark, .format]
        return invisible.contains(first.properties.generalCategory) ? 0 : 1
    }

    /// The start of a text that fits a number of columns.
    static func prefix(_ text: String, columns room: Int) -> Substring {
        var used = 0
        return text.prefix { character in
            used += Style.columns(String(character))
            return used <= room
        }
    }

    /// A text with spaces after it, or before it, up to a number of columns.
    static func padded(_ text: String, to columns: Int, isRight: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, columns - Style.columns(text)))
        return isRight ? padding + text : text + padding
    }

    /// A text without the spaces at its end.
    static func trimmed(_ text: String) -> String { String(text.reversed().drop { $0 == " " }.reversed()) }

    /// The wide scalars that are not emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18CFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
