import Foundation
import KinTestSupport
import Testing

@testable import KinShell

/// Commands that the tool suggests can be pasted into a shell.
@Suite("Suggested commands")
struct HintTests {
    private let folder = TemporaryFolder()

    /// The words that a shell makes of a line.
    private func words(_ line: String) throws -> [String] {
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "for word in \(line); do printf '%s\\0' \"$word\"; done"]
        shell.standardOutput = output
        try shell.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("a quoted word is one word of a shell")
    func quotes() throws {
        let texts = [
            "plain", "", "a b", "O'Brien", "'", "''", "a\"b", "$HOME", "`id`", "a;b", "*", "a\\b", "~", "#x", "é李",
            "(x)",
            "a&b", "<a>", "!x", "a\nb", "{a,b}", "[ab]", "x=1", "-k",
        ]
        #expect(try words(texts.map(\.quoted).joined(separator: " ")) == texts)
        #expect("kin-1/a_b.kin".quoted == "kin-1/a_b.kin")
    }

    @Test("the next step names the same files, in a folder with blanks and quotes")
    func next() throws {
        let home = folder.path("my 'own' $x")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
        func path(_ name: String) -> String { "\(home)/\(name)" }
        let story = try folder.file("z.jsonl", #"{"zone":{"name":"Pool","suggestedRealm":"ocean","scenes":["tide"]}}"#)
        let pairs = try folder.file("pairs.csv", (0..<30).map { "u\(2 * $0),u\(2 * $0 + 1)\n" }.joined())
        let commands: [(words: [String], files: [String])] = [
            (["generate", "souls", "--count", "60", "-o", path("s.jsonl")], [path("s.jsonl")]),
            (["generate", "images", "--count", "200", "-o", path("i.jsonl")], [path("i.jsonl")]),
            (["generate", "uniform", "--count", "30", "-o", path("u.csv")], [path("u.csv"), path("u.kin")]),
            (["index", "build", path("u.csv"), "-o", path("u.kin")], [path("u.kin")]),
            (["cluster", path("i.jsonl"), "-o", path("realms")], [path("realms")]),
            (["store", "contribute", "ada", story, "--store", path("s.db")], [path("s.db")]),
            (["fit", "weights", path("s.jsonl"), "--pairs", pairs], [path("s.jsonl")]),
            (["repl", path("none.kin")], [path("none.kin")]),
            (["repl", path("u.csv")], [path("u.csv"), path("u.kin")]),
            (["place", path("i.jsonl"), "--in", path("nothing")], [path("nothing")]),
        ]
        for (command, files) in commands {
            let run = kin(command)
            let text = run.results + run.notes
            let hint = try #require(text.firstMatch(of: #/(?:next: |`)(kin [^\n`]*)/#)?.output.1, "\(run)")
            let all = try words(String(hint))
            for file in files { #expect(all.contains(file), "\(hint)") }
        }
    }

    @Test("the next page of sessions is a command of the place where it is shown")
    func pages() throws {
        let store = folder.path("my people.db")
        let lines = try (0..<3).map { try sessionText("walk \($0)", of: "Anna O'Hara", at: $0) }
        let file = try folder.file("s.jsonl", lines.joined(separator: "\n"))
        #expect(kin("store", "import", file, "--store", store).status == 0)
        let shell = kin("sessions", "Anna O'Hara", "count", "2", "--store", store)
        let command = try #require(shell.notes.firstMatch(of: #/more: kin (.*)/#)?.output.1, "\(shell)")
        answered(kin(try words(String(command))), "walk 0")
        let transcript = Transcript()
        let session = try ReplCommand.session(store, threads: 1, console: transcript.console)
        _ = transcript.answer("sessions \"Anna O'Hara\" count 2", of: session)
        let line = try #require(transcript.notes.firstMatch(of: #/more: (.*)/#)?.output.1)
        #expect(transcript.answer(String(line), of: session).contains { $0.contains("walk 0") }, "\(line)")
    }
}
