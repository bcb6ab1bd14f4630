import KinCore

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
        let room = width - margin
        var lines: [String] = []
        var rest = text[...]
        while rest.count > room, let cut = rest.prefix(room + 1).lastIndex(of: " ") ?? rest.firstIndex(of: " ") {
            lines.append(String(rest[..<cut]))
            rest = rest[cut...].drop { $0 == " " }
        }
        return lines + [String(rest)]
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
