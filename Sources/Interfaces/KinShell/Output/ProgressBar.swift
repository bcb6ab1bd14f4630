import Foundation
import Kin
import KinDrawings
import Synchronization

/// Whether Ctrl-C was pressed during long work.
private let isInterrupted = Atomic(false)

/// A progress bar in one line, drawn next to the results and only on a terminal.
///
/// It shows nothing for the first third of a second, so quick work has no bar, and redraws ten times a second.
final class ProgressBar {
    private let console: Console
    private let title: String
    private let started = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    private var watchesInterrupts = false
    /// The process's usual handler of Ctrl-C; nil for the system's default.
    private var usualHandler: (@convention(c) (Int32) -> Void)?

    init(_ title: String, on console: Console) {
        self.title = title
        self.console = console
    }

    /// Shows the progress of the work.
    ///
    /// - Parameters:
    ///   - done: The units done so far.
    ///   - total: The units in all; nil if unknown (a pipe).
    func update(done: Int, of total: Int?, unit: (Int) -> String) {
        guard console.notesAreOnTerminal else { return }
        let now = ContinuousClock.now
        let wait: Duration = lastDrawn == nil ? .milliseconds(330) : .milliseconds(100)
        guard now - (lastDrawn ?? started) >= wait else { return }
        lastDrawn = now
        console.draw(bar: ProgressBar.line(title: title, done: done, total: total, elapsed: now - started, unit: unit))
    }

    /// Runs long work with a progress bar. Cancels the work at Ctrl-C, or if its results cannot be written; a second
    /// Ctrl-C ends the process.
    ///
    /// - Parameter outlivesInterrupts: Whether the process survives a Ctrl-C before the first report of the work.
    static func following<Result, Failure: Error>(
        _ title: String, on console: Console, outlivesInterrupts: Bool = false, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The work reports on this thread.
        nonisolated(unsafe) let bar = ProgressBar(title, on: console)
        isInterrupted.store(false, ordering: .relaxed)
        if outlivesInterrupts { unsafe bar.watchInterrupts() }
        defer { if unsafe bar.watchesInterrupts { unsafe signal(SIGINT, bar.usualHandler) } }
        return try withProgressHandler(operation: work) { done, total in
            unsafe bar.watchInterrupts()
            unsafe bar.update(done: done, of: total) { NumberText.count($0) }
            let canBeWritten = unsafe bar.console.failure == nil
            return canBeWritten && !isInterrupted.load(ordering: .relaxed)
        }
    }

    /// Records the first Ctrl-C instead of ending the process.
    private func watchInterrupts() {
        guard !watchesInterrupts else { return }
        watchesInterrupts = true
        usualHandler = signal(SIGINT) { _ in
            guard isInterrupted.exchange(true, ordering: .relaxed) else { return }
            signal(SIGINT, SIG_DFL)
            raise(SIGINT)
        }
        // A process started in the background ignores Ctrl-C, which is for a different process; it continues to ignore
        // it.
        if unsafe unsafeBitCast(usualHandler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
            signal(SIGINT, SIG_IGN)
        }
    }

    /// Removes the bar from the terminal.
    deinit { console.eraseBar() }

    static func line(title: String, done: Int, total: Int?, elapsed: Duration, unit: (Int) -> String) -> String {
        guard let total, total > 0 else { return "\(title)  \(unit(done))" }
        let share = min(1, Double(done) / Double(total))
        let width = 24
        let filled = Int(share * Double(width))
        let bar = String(repeating: "━", count: filled) + String(repeating: "·", count: width - filled)
        var line = "\(title)  \(bar) \(Int(share * 100)) %  \(unit(done))"
        if share > 0.02 && share < 1 {
            let left = elapsed.seconds * (1 - share) / share
            line += "  \(Int(left.rounded(.up))) s left"
        }
        return line
    }
}
