import Foundation
import Kin

@testable import KinShell

/// A folder that is gone when the test is.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/kin-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and gives its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = self.path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    func path(_ name: String) -> String { path + "/" + name }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}

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
func kin(_ arguments: String...) -> (status: Int32, results: String, notes: String) {
    let transcript = Transcript()
    let status = Shell.run(arguments, console: transcript.console)
    return (status, transcript.results, transcript.notes)
}

/// Reads vectors of a file, or throws the failure.
func read(_ path: String, _ selection: ColumnSelection = ColumnSelection()) throws -> VectorTable {
    try VectorFileReader(selection: selection).read(path, console: Transcript().console)
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
