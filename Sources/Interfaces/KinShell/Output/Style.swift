/// The looks of text: ANSI emphasis or none, and the columns of the terminal.
struct Style {
    let colour: Bool
    /// The columns that lines have; nil for no limit.
    var width: Int?

    /// The least columns that text is wrapped in.
    private static let leastRoom = 24

    /// The lines of a text that stand behind a margin, broken at blanks where they would be too long for the terminal.
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

    func strong(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    func good(_ text: String) -> String { wrap(text, "32") }
    func bad(_ text: String) -> String { wrap(text, "31") }

    private func wrap(_ text: String, _ code: String) -> String {
        colour && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
