import Foundation
import Kin

@testable import KinShell

/// What a command wrote.
final class Transcript {
    private(set) var results = ""
    private(set) var notes = ""
    private(set) var console: Console!

    init(colour: Bool = false, notesAreOnTerminal: Bool = false) {
        console = Console(
            notesAreOnTerminal: notesAreOnTerminal,
            colour: colour,
            results: { [unowned self] in results += $0 },
            notes: { [unowned self] in notes += $0 }
        )
    }

    var lines: [String] {
        console.flush()
        return results.split(separator: "\n").map(String.init)
    }

    /// Forgets what was written so far.
    func clear() {
        console.flush()
        results = ""
        notes = ""
    }
}

/// Runs the tool in this process.
func kin(_ arguments: String...) -> (status: Int32, results: String, notes: String) { kin(arguments) }

/// Runs the tool with some arguments.
func kin(_ arguments: [String]) -> (status: Int32, results: String, notes: String) {
    let transcript = Transcript()
    let status = Shell.run(arguments, console: transcript.console)
    return (status, transcript.results, transcript.notes)
}

/// The failure that `body` ends with.
func failure<Result>(of body: () throws -> Result) -> Failure? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? Failure
    }
}

/// The repository's folder.
let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path
