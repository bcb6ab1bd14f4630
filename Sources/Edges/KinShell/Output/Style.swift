/// ANSI emphasis, or none.
struct Style {
    let colour: Bool

    func strong(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    func good(_ text: String) -> String { wrap(text, "32") }
    func bad(_ text: String) -> String { wrap(text, "31") }

    private func wrap(_ text: String, _ code: String) -> String {
        colour && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
