import Foundation

/// The output of a command: results on one stream, notes and errors on the other.
///
/// Commands never print directly. A test therefore reads the same text as a person, and one place decides on colour and
/// progress: only on a terminal, and never with `NO_COLOR` (https://no-color.org).
public final class Console {
    /// Whether results go to a terminal.
    public let isTerminal: Bool
    /// Whether notes and errors go to a terminal on which a progress bar may be drawn.
    public let notesAreOnTerminal: Bool
    private let colour: Bool
    private var hasHistory = false
    /// The lines typed in sessions; nil without libedit, and for a console that is not the process's own.
    private(set) lazy var history = hasHistory ? LineHistory(ProcessInfo.processInfo.environment) : nil
    /// The columns of the terminal; nil to ask the terminal.
    private let columns: Int?
    /// The first error of writing results; later results are discarded.
    private(set) var failure: KinError?

    private let writeResult: (String) throws(KinError) -> Void
    private let writeNote: (String) -> Void
    private var pending = ""
    /// Whether results are held until the command ends.
    private var isHeld = false
    /// Whether a progress bar is in the line of the next note.
    private var isDrawn = false

    /// A console over two sinks of text.
    ///
    /// - Parameters:
    ///   - isTerminal: Whether `results` is a terminal.
    ///   - notesAreOnTerminal: Whether `notes` is a terminal.
    ///   - colour: Whether to write ANSI colour.
    ///   - columns: The columns of the terminal. Default: those of standard output.
    public init(
        isTerminal: Bool = false,
        notesAreOnTerminal: Bool = false,
        colour: Bool = false,
        columns: Int? = nil,
        results: @escaping (String) throws(KinError) -> Void,
        notes: @escaping (String) -> Void
    ) {
        self.isTerminal = isTerminal
        self.notesAreOnTerminal = notesAreOnTerminal
        self.colour = colour
        self.columns = columns
        writeResult = results
        writeNote = notes
    }

    /// The process's own standard output and standard error.
    public static func standard() -> Console {
        StandardStream.keepClosedNumbers()
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let environment = ProcessInfo.processInfo.environment
        let isDumb = environment["TERM"] == "dumb"
        let refused = !(environment["NO_COLOR"] ?? "").isEmpty || isDumb
        let console = Console(
            isTerminal: isTerminal,
            notesAreOnTerminal: isatty(STDERR_FILENO) == 1 && !isDumb,
            colour: isTerminal && !refused,
            results: { text throws(KinError) in try StandardStream.output.write(Array(text.utf8)) },
            // An error of writing notes cannot be reported anywhere.
            notes: { try? StandardStream.error.write(Array($0.utf8)) }
        )
        console.hasHistory = true
        return console
    }

    /// The style of results; the width of a terminal may change between calls.
    var style: Style { style(of: STDOUT_FILENO, isTerminal: isTerminal) }

    /// The style of notes.
    var noteStyle: Style { style(of: STDERR_FILENO, isTerminal: notesAreOnTerminal) }

    private func style(of stream: Int32, isTerminal: Bool) -> Style {
        Style(colour: colour, width: isTerminal ? columns ?? TerminalSize(of: stream)?.columns : nil)
    }

    /// Writes one line of results, in several lines if it is longer than those of the terminal.
    func print(_ line: String = "") {
        for line in style.fitted(line) { write(line) }
    }

    /// Writes a line of JSON, unchanged.
    func print(json line: String) { write(line) }

    private func write(_ line: String) {
        pending += Style.printed(line)
        pending += "\n"
        if !isHeld && (isTerminal || pending.utf8.count > 1 << 16) { flush() }
    }

    /// Writes one line to the notes: a remark, a warning or an error.
    func note(_ line: String) {
        flush()
        eraseBar()
        for part in line.split(separator: "\n", omittingEmptySubsequences: false) {
            for line in noteStyle.fitted(String(part)) { writeNote(Style.printed(line) + "\n") }
        }
    }

    /// Notes the names that were read and not used, with the number of each. An empty list gives no note.
    func noteUnknown(_ counts: [String: Int]) {
        guard !counts.isEmpty else { return }
        let names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let first = names.prefix(5).map { "\($0.key) (\(NumberText.count($0.value)))" }.joined(separator: ", ")
        note("unknown names, ignored: \(first)\(names.count > 5 ? ", and \(names.count - 5) more" : "")")
    }

    /// Writes a line about what may be asked next to the notes.
    func hint(_ line: String) { note(style.faint("  " + line)) }

    /// Draws a progress bar in the line of the next note, over an earlier bar, cut to the width of the terminal.
    func draw(bar: String) {
        let bar = Style.printed(bar)
        let room = TerminalSize(of: STDERR_FILENO).map { $0.columns - 1 } ?? Style.columns(bar)
        writeNote(Self.erasedLine + TextWidth.prefix(bar, columns: room))
        isDrawn = true
    }

    /// Removes the progress bar, if there is one.
    func eraseBar() {
        guard isDrawn else { return }
        writeNote(Self.erasedLine)
        isDrawn = false
    }

    private static let erasedLine = "\r\u{1B}[K"

    /// Runs the body, and shows its results with a pager if they do not fit on the screen.
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

    /// Writes the results that are held; called before every wait, and at the end.
    func flush() {
        guard !pending.isEmpty else { return }
        if notesAreOnTerminal { eraseBar() }
        if failure == nil {
            do throws(KinError) { try writeResult(pending) } catch { failure = error }
        }
        pending = ""
    }
}
