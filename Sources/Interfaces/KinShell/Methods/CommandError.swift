/// An invalid request: the error, its position, and a suggestion.
struct CommandError: Error, Equatable {
    let message: String
    /// The invalid characters, counted from the start of the line.
    let range: Range<Int>
    var hint: String?
    /// The line that contains the error.
    var line = ""

    func located(in line: String) -> CommandError {
        var error = self
        error.line = line
        return error
    }

    /// The line with a caret under the error, and the hint. Of a line that is wider than the terminal, the part around
    /// the error.
    func report(style: Style) -> String {
        let room = (style.width ?? .max) - 2
        let first = line.count <= room ? 0 : max(0, min(range.lowerBound - room / 2, line.count + 1 - room))
        var shown = line.dropFirst(first).prefix(room)
        if first > 0 { shown = "…" + shown.dropFirst() }
        if first + shown.count < line.count { shown = shown.dropLast() + "…" }
        // Tabs stay in the margin, so that the caret is below its character in the terminal.
        let margin = shown.prefix(range.lowerBound - first).map { character in
            character == "\t" ? "\t" : String(repeating: " ", count: TextWidth.columns(character))
        }.joined()
        let marked = Style.columns(shown.dropFirst(range.lowerBound - first).prefix(range.count))
        let caret = String(repeating: "^", count: max(1, min(max(range.count, marked), room - margin.count)))
        return "  \(shown)\n  \(margin)\(style.bad(caret))\n\(message)" + (hint.map(continued) ?? "")
    }

    /// The hint after the message; it may be a question: did you mean this?
    private func continued(_ hint: String) -> String {
        message.hasSuffix("?") ? " " + hint.prefix(1).uppercased() + hint.dropFirst() : "; " + hint
    }
}

extension Console {
    /// Writes an error to the notes.
    ///
    /// - Returns: The exit status for the error.
    func report(_ error: any Error) -> ProcessStatus {
        switch error {
        case let status as ProcessStatus: return status
        case let error as CommandError:
            note(error.report(style: noteStyle))
            return .usage
        default:
            let failure = error as? Failure ?? Failure(error as? KinError ?? KinError(.inputOutput, "\(error)"))
            note("\(style.bad("Error")): \(failure)")
            return failure.status
        }
    }
}
