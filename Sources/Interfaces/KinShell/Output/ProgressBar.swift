import Foundation
import Synchronization

/// The first signal to end the process during long work; 0 if none has come.
private let interruption = Atomic<Int32>(0)

/// A progress bar in one line, drawn next to the results and only on a terminal.
///
/// It shows nothing for the first third of a second, so quick work has no bar, and redraws ten times a second.
final class ProgressBar {
    private let console: Console
    private let title: String
    private let started = ContinuousClock.now
    private var lastDrawn: ContinuousClock.Instant?
    /// The signals that end the process: Ctrl-C, `kill` and a closed terminal.
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// The process's usual handlers of ``signals``, nil for the system's default; empty until they are watched.
    private var usualHandlers: [(@convention(c) (Int32) -> Void)?] = []

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

    /// Runs long work with a progress bar. Cancels the work at a signal to end the process, or if its results cannot be
    /// written; a second signal ends the process. After the work, signals other than Ctrl-C have their usual effect.
    ///
    /// - Parameter outlivesInterrupts: Whether the process survives a Ctrl-C before the first report of the work.
    static func following<Result, Failure: Error>(
        _ title: String, on console: Console, outlivesInterrupts: Bool = false, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The work reports on this thread.
        nonisolated(unsafe) let bar = ProgressBar(title, on: console)
        interruption.store(0, ordering: .relaxed)
        if outlivesInterrupts { unsafe bar.watchInterrupts() }
        defer { unsafe bar.endWatching() }
        return try withProgressHandler(operation: work) { done, total in
            unsafe bar.watchInterrupts()
            unsafe bar.update(done: done, of: total) { NumberText.count($0) }
            let canBeWritten = unsafe bar.console.failure == nil
            return canBeWritten && interruption.load(ordering: .relaxed) == 0
        }
    }

    /// Records the first signal instead of ending the process.
    private func watchInterrupts() {
        guard usualHandlers.isEmpty else { return }
        usualHandlers = Self.signals.map { number in
            let usual = signal(number) { number in
                guard interruption.exchange(number, ordering: .relaxed) != 0 else { return }
                signal(number, SIG_DFL)
                raise(number)
            }
            // A process started in the background ignores Ctrl-C, which is for a different process; it continues to
            // ignore it.
            if unsafe unsafeBitCast(usual, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                signal(number, SIG_IGN)
            }
            return usual
        }
    }

    private func endWatching() {
        guard !usualHandlers.isEmpty else { return }
        for (number, usual) in zip(Self.signals, usualHandlers) { signal(number, usual) }
        let number = interruption.load(ordering: .relaxed)
        if number != 0, number != SIGINT { raise(number) }
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
