/// The style of text: ANSI emphasis or none, and the columns of the terminal.
struct Style {
    let colour: Bool
    /// The largest number of columns of a line; nil: no limit.
    var width: Int?

    /// The minimum number of columns for wrapped text.
    private static let leastRoom = 24

    /// The lines of a text that follows a margin, broken at spaces to fit the terminal.
    func lines(_ text: String, behind margin: Int) -> [String] {
        guard let width, width - margin >= Self.leastRoom else { return [text] }
        return Self.wrapped(text, to: width - margin)
    }

    /// A line of output, broken to fit the terminal; the further lines are indented more than the first.
    func fitted(_ line: String) -> [String] {
        guard let width, Self.columns(line) > width else { return [line] }
        let indent = line.prefix { $0 == " " }.count
        let lines = lines(String(line.dropFirst(indent)), behind: indent + 2)
        return lines.enumerated().map { String(repeating: " ", count: indent + ($0 == 0 ? 0 : 2)) + $1 }
    }

    /// The lines of a text, broken at spaces. A longer word has a line of its own.
    static func wrapped(_ text: String, to room: Int) -> [String] {
        guard columns(text) > room else { return [text] }
        // A percent sign belongs to its number.
        let text = text.replacing(" %", with: "\u{A0}%")
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, columns(line) + 1 + columns(word) > room {
                lines.append(line)
                line = String(word)
            } else {
                line += line.isEmpty ? String(word) : " " + word
            }
        }
        return (lines + [line]).map { TextWidth.trimmed($0).replacing("\u{A0}%", with: " %") }
    }

    /// The number of columns of a text, without the marks of emphasis.
    static func columns(_ text: some StringProtocol) -> Int {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.utf8.count }
        return text.reduce(0) { columns, character in
            let isMark = Mark(rawValue: character.unicodeScalars.first!.value) != nil
            return isMark ? columns : columns + TextWidth.columns(character)
        }
    }

    func strong(_ text: String) -> String { wrap(text, .strong) }
    func faint(_ text: String) -> String { wrap(text, .faint) }
    func good(_ text: String) -> String { wrap(text, .good) }
    func bad(_ text: String) -> String { wrap(text, .bad) }

    private func wrap(_ text: String, _ mark: Mark) -> String {
        colour && !text.isEmpty ? mark.text + text + Mark.plain.text : text
    }

    /// The start or end of an emphasis in a text before it is printed. These characters never occur in other text on a
    /// terminal, because ``VisibleText`` escapes them.
    private enum Mark: UInt32 {
        case plain = 0xFDD0
        case strong, faint, good, bad

        var text: String { String(Character(Unicode.Scalar(rawValue)!)) }

        var code: Int {
            switch self {
            case .plain: 0
            case .strong: 1
            case .faint: 2
            case .good: 32
            case .bad: 31
            }
        }
    }

    /// The text for a terminal: emphasis as ANSI codes, and all hidden characters escaped.
    static func printed(_ text: String) -> String {
        // The first byte of each mark in UTF-8.
        guard text.utf8.contains(0xEF) else { return VisibleText.escaped(text) }
        var (printed, part) = ("", String.UnicodeScalarView())
        for scalar in text.unicodeScalars {
            if let mark = Mark(rawValue: scalar.value) {
                printed += VisibleText.escaped(String(part)) + "\u{1B}[\(mark.code)m"
                part = String.UnicodeScalarView()
            } else {
                part.append(scalar)
            }
        }
        return printed + VisibleText.escaped(String(part))
    }
}
