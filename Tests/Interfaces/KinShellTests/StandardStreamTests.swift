import Foundation
import Kin
import KinEngine
import KinTestSupport
import Testing

@testable import KinShell

/// Results that cannot be written, for any reason: status 74, one error line, no crash.
@Suite("Unwritable standard output")
struct StandardStreamTests {
    private let folder = TemporaryFolder()

    @Test("every help, list and table exits with 74")
    func inProcess() {
        let names = KinCommand.all.map(\.name) + MethodTable.names
        let lines =
            names.map { $0.split(separator: " ").map(String.init) + ["--help"] }
            + [
                ["--help"], ["--version"], ["methods"], ["methods", "--json"], ["index"],
                ["--generate-completion-script"],
            ]
        for line in lines {
            var notes = ""
            let console = Console(
                results: { _ throws(KinError) in throw KinError(.inputOutput, "standard output cannot be written") },
                notes: { notes += $0 })
            #expect(Shell.run(line, console: console) == 74, "\(line)")
            #expect(notes == "Error: standard output cannot be written\n", "\(line)")
        }
    }

    /// Runs the tool that was built with these tests, with its output redirected by a shell.
    private func run(_ line: String) throws -> (status: Int32, notes: String) {
        let tool = try builtProgram("kin")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec '\(tool)' " + line]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let notes = Pipe()
        process.standardError = notes
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: notes.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationReason == .exit, "\(line)")
        return (process.terminationStatus, text)
    }

    @Test("a full disk and a closed stream exit with 74", arguments: [">/dev/full", ">&-"])
    func processes(redirection: String) throws {
        guard redirection == ">&-" || FileManager.default.fileExists(atPath: "/dev/full") else { return }
        #expect(kin("index", "build", datasets + "/sample-16d.csv", "-o", folder.path("p.kin")).status == 0)
        #expect(kin("store", "import", datasets + "/people.jsonl", "--store", folder.path("kin.db")).status == 0)
        for line in [
            "--help", "index info p.kin", "index search p.kin --id 3 --json", "generate souls --count 5 -o -",
            "generate clustered --count 5 -o -", "store export", "store export --user u1", "users", "check --json",
            "near session:u1-7", "repl p.kin -c 'near 42'", "match \(datasets)/souls.jsonl -k 1",
            "kmeans \(datasets)/sample-16d.csv -k 2 -o -", "index build \(datasets)/sample-16d.csv -o again.kin",
        ] {
            let (status, notes) = try run("\(line) \(redirection)")
            #expect(status == 74, "\(line): \(notes)")
            #expect(notes.contains("standard output cannot be written"), "\(line): \(notes)")
        }
        // No file got the number of the closed stream, and thereby its text.
        #expect(try run("check >/dev/null").status == 0)
        #expect(try run("index verify again.kin >/dev/null").status == 0)
    }

    @Test("an argument that is not UTF-8 is refused, and no file gets a repaired name")
    func latinNames() throws {
        for line in [
            "store import \(datasets)/people.jsonl --store $(printf 'caf\\351.db')",
            "kmeans $(printf 'caf\\350.csv') -k 2", "users $(printf -- '--store=\\377')",
        ] {
            let (status, notes) = try run(line)
            #expect(status == 64 && notes.contains("must be UTF-8"), "\(line): \(notes)")
        }
        #expect(folder.names.isEmpty)
    }

    @Test("a closed standard error is not an error")
    func closedNotes() throws {
        #expect(try run("--version 2>&-").status == 0)
        #expect(try run("nonsense 2>&-").status == 64)
    }
}
