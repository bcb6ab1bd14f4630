import Foundation

/// The output of a command: results on one stream, notes and errors on the other.
///
/// Commands never print directly, so a test reads what a person would see, and colour and progress are decided in one
/// place: only on a terminal, and never against `NO_COLOR` (https://no-color.org).
public final class Console {
    /// Whether results go to a terminal.
    public let isTerminal: Bool
    /// Whether notes and errors go to a terminal, so that a progress bar may be drawn there.
    public let notesAreOnTerminal: Bool
    let style: Style

    private let writeResult: (String) -> Void
    private let writeNote: (String) -> Void
    private var pending = ""
    /// Whether results wait for the end of a command.
    private var isHeld = false

    /// A console over two sinks of text.
    ///
    /// - Parameters:
    ///   - isTerminal: whether `results` is a terminal.
    ///   - notesAreOnTerminal: whether `notes` is a terminal.
    ///   - colour: whether to write ANSI colour.
    public init(
        isTerminal: Bool = false,
        notesAreOnTerminal: Bool = false,
        colour: Bool = false,
        results: @escaping (String) -> Void,
        notes: @escaping (String) -> Void
    ) {
        self.isTerminal = isTerminal
        self.notesAreOnTerminal = notesAreOnTerminal
        style = Style(colour: colour)
        writeResult = results
        writeNote = notes
    }

    /// The process's own standard output and standard error.
    public static func standard() -> Console {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let environment = ProcessInfo.processInfo.environment
        let refused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        return Console(
            isTerminal: isTerminal,
            notesAreOnTerminal: isatty(STDERR_FILENO) == 1,
            colour: isTerminal && !refused,
            results: { FileHandle.standardOutput.write(Data($0.utf8)) },
            notes: { FileHandle.standardError.write(Data($0.utf8)) }
        )
    }

    /// Writes one line of results.
    func print(_ line: String = "") {
        pending += line
        pending += "\n"
        if !isHeld && (isTerminal || pending.utf8.count > 1 << 16) { flush() }
    }

    /// Writes one line beside the results: a note, a warning or an error.
    func note(_ line: String) {
        flush()
        writeNote(line + "\n")
    }

    /// Writes to the notes without ending the line: what a progress bar needs.
    func draw(_ text: String) { writeNote(text) }

    /// Does something, and shows its results by a pager when they do not fit on the screen.
    func paging<Result>(_ pager: Pager?, _ body: () throws -> Result) rethrows -> Result {
        guard let pager else { return try body() }
        flush()
        isHeld = true
        defer {
            isHeld = false
            if pager.show(pending) { pending = "" }
            flush()
        }
        return try body()
    }

    /// Hands over what is still held back; called before anything that waits, and at the end.
    func flush() {
        guard !pending.isEmpty else { return }
        writeResult(pending)
        pending = ""
    }
}
