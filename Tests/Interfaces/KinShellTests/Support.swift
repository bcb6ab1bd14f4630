import Foundation
import Kin
import KinFiles
import Testing

@testable import KinShell

/// The output of a command.
final class Transcript {
    private(set) var results = ""
    private(set) var notes = ""
    private(set) var console: Console!

    init(isTerminal: Bool = false, notesAreOnTerminal: Bool = false, colour: Bool = false) {
        console = Console(
            isTerminal: isTerminal, notesAreOnTerminal: notesAreOnTerminal, colour: colour,
            results: { [unowned self] in results += $0 },
            notes: { [unowned self] in notes += $0 }
        )
    }

    /// The output at a terminal with a number of columns.
    init(columns: Int) {
        console = Console(
            isTerminal: true, notesAreOnTerminal: true, columns: columns, results: { [unowned self] in results += $0 },
            notes: { [unowned self] in notes += $0 })
    }

    var lines: [String] {
        console.flush()
        return results.split(separator: "\n").map(String.init)
    }

    /// Clears the output so far.
    func clear() {
        console.flush()
        results = ""
        notes = ""
    }
}

extension Transcript {
    /// The lines of a session's answer to one line.
    func answer(_ line: String, of session: any Conversation) -> [String] {
        clear()
        #expect(session.execute(line) == .done, "\(line): \(notes)")
        return lines
    }

    /// The notes that a session writes when it refuses one line.
    func refusal(_ line: String, of session: any Conversation, as status: ProcessStatus = .usage) -> String {
        clear()
        #expect(session.execute(line) == .failed(status), "\(line): \(notes)")
        return notes
    }
}

extension [String] {
    /// The ids in a table of neighbours.
    var ids: [String] { dropFirst().map { String($0.split(separator: " ")[1]) } }
}

extension ReplSession {
    /// A session on an index in memory.
    convenience init(_ file: IndexFile, console: Console = Console(results: { _ in }, notes: { _ in })) {
        self.init(file, path: "x", threads: 1, console: console)
    }
}

/// The outcome of a command line: the exit status, the results and the notes.
struct Run {
    let arguments: [String]
    let status: Int32
    let results: String
    let notes: String

    /// The one JSON object of the results, if the tool succeeded.
    func object() throws -> [String: Any] {
        #expect(status == 0, "\(self)")
        return try jsonObject(results)
    }

    /// The ids of the neighbours in all answers of a JSON search.
    var neighborIDs: [UInt64] {
        #expect(status == 0, "\(notes)")
        return objects.flatMap { $0["neighbors"] as? [[String: Any]] ?? [] }.compactMap { $0["id"] as? UInt64 }
    }

    /// The JSON objects of the results: the elements of an array, or one object per line.
    var objects: [[String: Any]] {
        let array = try? JSONSerialization.jsonObject(with: Data(results.utf8)) as? [[String: Any]]
        return array ?? results.split(separator: "\n").compactMap { try? jsonObject($0) }
    }
}

/// Expects that the tool refused a command line, and that its notes contain some words.
///
/// - Parameter status: The exit status; nil: any but success.
func refused(
    _ run: Run, _ status: Int32?, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(run.status == status ?? max(1, run.status), "\(run)", sourceLocation: sourceLocation)
    for word in words { #expect(run.notes.contains(word), "\(run)", sourceLocation: sourceLocation) }
}

/// Expects that the tool succeeded, and that its results contain some words.
func answered(_ run: Run, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(run.status == 0, "\(run)", sourceLocation: sourceLocation)
    for word in words { #expect(run.results.contains(word), "\(run)", sourceLocation: sourceLocation) }
}

/// Reads a JSON object.
func jsonObject(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
}

/// A session of a person in JSON, which begins some seconds after a fixed instant.
func sessionText(
    _ id: String, of user: String, at second: Int = 0, _ state: SessionState = .drift,
    _ primary: [Pleasure.Dimension] = [.food]
) throws -> String {
    try PleasureSession(
        id: id, userID: user, start: Timestamp(seconds: 1.7e9 + Double(second)), state: state,
        pleasure: PleasureMarks(primary: primary)
    ).json
}

/// The request that the tool reads from a command line.
func toolRequest(_ line: [String]) throws -> MethodRequest {
    let (form, count) = try #require(Shell.find(line))
    let (text, words) = Word.words(of: line)
    return try MethodRequest(Word.joiningCondition(Array(words.dropFirst(count)), of: text), for: form)
}

/// Runs the tool in this process.
func kin(_ arguments: String...) -> Run { kin(arguments) }

/// Runs the tool with some arguments.
func kin(_ arguments: [String]) -> Run {
    let transcript = Transcript()
    let status = Shell.run(arguments, console: transcript.console)
    return Run(arguments: arguments, status: status, results: transcript.results, notes: transcript.notes)
}

/// The repository's folder of sample data.
let datasets = repository + "/datasets"

/// The repository's folder.
let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path
