import Foundation
public import Kin
import KinFiles

/// The output of a command: results on one stream, notes and errors on the other.
///
/// Commands never print directly, so a test reads what a person would see, and colour and progress are decided in one
/// place: only on a terminal, and never against `NO_COLOR` (https://no-color.org).
public final class Console {
    /// Whether results go to a terminal.
    public let isTerminal: Bool
    /// Whether notes and errors go to a terminal, so that a progress bar may be drawn there.
    public let notesAreOnTerminal: Bool
    private let colour: Bool
    /// The first error of writing results; what comes after it is not written.
    private(set) var failure: KinError?

    private let writeResult: (String) throws(KinError) -> Void
    private let writeNote: (String) -> Void
    private var pending = ""
    /// Whether results wait for the end of a command.
    private var isHeld = false
    /// Whether a progress bar stands where the next note is to be.
    private var isDrawn = false

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
        results: @escaping (String) throws(KinError) -> Void,
        notes: @escaping (String) -> Void
    ) {
        self.isTerminal = isTerminal
        self.notesAreOnTerminal = notesAreOnTerminal
        self.colour = colour
        writeResult = results
        writeNote = notes
    }

    /// The process's own standard output and standard error.
    public static func standard() -> Console {
        StandardStream.keepClosedNumbers()
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let environment = ProcessInfo.processInfo.environment
        let refused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        return Console(
            isTerminal: isTerminal,
            notesAreOnTerminal: isatty(STDERR_FILENO) == 1,
            colour: isTerminal && !refused,
            results: { text throws(KinError) in try StandardStream.output.write(Array(text.utf8)) },
            // Nobody could be told that the notes cannot be written.
            notes: { try? StandardStream.error.write(Array($0.utf8)) }
        )
    }

    /// The looks of results; a terminal may have another width each time.
    var style: Style { Style(colour: colour, width: isTerminal ? TerminalSize(of: STDOUT_FILENO)?.columns : nil) }

    /// Writes one line of results.
    func print(_ line: String = "") {
        pending += Style.printed(line)
        pending += "\n"
        if !isHeld && (isTerminal || pending.utf8.count > 1 << 16) { flush() }
    }

    /// Writes one line beside the results: a note, a warning or an error.
    func note(_ line: String) {
        flush()
        eraseBar()
        writeNote(Style.printed(line) + "\n")
    }

    /// Draws a progress bar in the line of the next note, over an earlier one; what the line has no room for is left out.
    func draw(bar: String) {
        let bar = Style.printed(bar)
        let room = TerminalSize(of: STDERR_FILENO).map { $0.columns - 1 } ?? bar.count
        writeNote(Self.erasedLine + bar.prefix(room))
        isDrawn = true
    }

    /// Removes the progress bar, if there is one.
    func eraseBar() {
        guard isDrawn else { return }
        writeNote(Self.erasedLine)
        isDrawn = false
    }

    private static let erasedLine = "\r\u{1B}[K"

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
        if notesAreOnTerminal { eraseBar() }
        if failure == nil {
            do throws(KinError) { try writeResult(pending) } catch { failure = error }
        }
        pending = ""
    }
}
