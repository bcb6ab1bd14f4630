import Foundation
import KinTestSupport
import Testing

@testable import KinShell

/// Every command of the REPL as a person types it: the input, and a part of the expected output.
@Suite("REPL at a terminal", .serialized)
struct TerminalTests {
    private let folder = TemporaryFolder()

    /// Builds an index of the sample profiles and returns its path.
    private func built() -> String {
        let path = folder.path("profiles.kin")
        #expect(kin("index", "build", datasets + "/sample-16d.csv", "-o", path).status == 0)
        return path
    }

    /// The REPL on a file, after its greeting.
    private func opened(
        _ path: String, rows: UInt16 = 50, columns: UInt16 = 200, environment: [String: String] = [:]
    ) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            ["repl", path], home: folder.path, rows: rows, columns: columns, environment: environment)
        _ = try terminal.greeting()
        return terminal
    }

    @Test("commands of every kind work on an index")
    func index() throws {
        let path = folder.path("profiles.kin")
        #expect(
            kin("index", "build", datasets + "/sample-16d.csv", "-o", path, "--kind", "ivf").status == 0)
        let terminal = try PseudoTerminal(["repl", path], home: folder.path)
        #expect(try terminal.greeting().contains("2,000 vectors of 16 dimensions"))
        let plot = folder.path("near.svg")
        let transcript: [(line: String, shown: String)] = [
            ("near 42 k 3", "921"), ("upsert 9000 nature_mirror=0.9 mobility=0.7", "added 9000"),
            ("remove 9000", "removed 1 vector"), ("recall 20", "recall"), ("lists", "list"),
            (":timing on", "timing is on"), (":plot \(plot)", "drawn: \(plot)"), (":json on", ""),
            ("near 42 k 1", "\"id\""), (":json off", "json is off"), ("help near", "TARGET is one of"),
            ("save", "saved 2,000 vectors"),
        ]
        for (line, shown) in transcript { try terminal.say(line, expecting: shown) }
        #expect(FileManager.default.fileExists(atPath: plot))
        #expect(try terminal.finish("quit") == 0)
    }

    @Test("errors are marked, Tab completes, and history is recalled")
    func keys() throws {
        let path = built()
        let terminal = try opened(path)
        let mistake = try terminal.say("near 42 amongst 3")
        #expect(mistake.contains("^") && mistake.contains("amongst"))
        #expect(try terminal.say("naer 42").contains("did you mean near?"))
        try terminal.type("near nat\t") { $0.contains("nature_mirror=") }
        #expect(try terminal.say("0.9 k 1").contains("rank"))
        try terminal.type("get 199\t\t") { $0.contains("1999") && $0.contains("1990") }
        #expect(try terminal.say("0").contains("nature_mirror"))
        try terminal.type("\u{1B}[A") { $0.contains("get 1990") }
        #expect(try terminal.say("").contains("nature_mirror"))
        #expect(try terminal.finish("quit") == 0)
    }

    #if os(Linux)
        @Test("without libedit, a session reads lines without editing")
        func withoutEditing() throws {
            let path = built()
            // The dynamic linker finds these files before the system's, and refuses them.
            for name in ["libedit.so.2", "libedit.so.0"] {
                try Data("no library".utf8).write(to: URL(filePath: folder.path(name)))
            }
            let terminal = try PseudoTerminal(
                ["repl", path], home: folder.path, environment: ["LD_LIBRARY_PATH": folder.path])
            #expect(try terminal.greeting().contains("without libedit"))
            #expect(try terminal.say("near 42 k 1").contains("rank"))
            #expect(try terminal.say("naer 42").contains("did you mean near?"))
            #expect(try terminal.finish("quit") == 0)
        }
    #endif

    @Test("only answers longer than the screen use the pager")
    func paging() throws {
        let path = built()
        let terminal = try opened(path, rows: 12, environment: ["PAGER": "sed 's/^/paged /'"])
        #expect(try !terminal.say("near 42 k 2").contains("paged"))
        #expect(try terminal.say("near 42 k 30").components(separatedBy: "paged").count > 30)
        // The further lines of a paste are commands, not keys of the pager.
        let pasted = try terminal.type("near 42 k 30\rget 43\r") {
            $0.contains("nature_mirror") && $0.hasSuffix("kin> ")
        }
        let first = pasted.components(separatedBy: "kin> ")[0]
        #expect(!first.contains("paged") && first.contains("\n    30 "), "\(pasted)")
        #expect(try terminal.finish("quit") == 0)
    }

    @Test(
        "an interactive pager gets keys and returns the terminal",
        arguments: ["less", "more"].filter { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") })
    func keysOfThePager(pager: String) throws {
        let path = built()
        let terminal = try opened(path, rows: 12, environment: ["PAGER": pager, "LESSHISTFILE": "-"])
        // A full screen ends with the pager's prompt.
        try terminal.type("near 42 k 30\r") { $0.contains(pager == "less" ? "\n:" : "--More--") }
        try terminal.type(" ") { $0.contains("\n    12 ") }
        _ = try terminal.type("q") { $0.hasSuffix("kin> ") }
        #expect(try terminal.say("near 42 k 2").contains("921"))
        #expect(try terminal.finish("quit") == 0)
    }

    @Test("Ctrl-C ends a command but not the session, and changes stay")
    func interrupts() throws {
        let path = built()
        let queries = folder.path("queries.csv")
        #expect(kin("generate", "uniform", "--count", "50000", "-o", queries).status == 0)
        let terminal = try opened(path)
        #expect(try terminal.say("remove 42").contains("removed 1 vector"))
        // The bar shows that the searches have begun.
        try terminal.type("recall 50000 from \(queries)\r") { $0.contains("working") }
        let ending = try terminal.type("\u{3}") { $0.hasSuffix("kin*> ") }
        #expect(ending.contains("cancelled"), "\(ending)")
        #expect(try terminal.say("get 43").contains("nature_mirror"))
        #expect(try terminal.say("save").contains("saved 1,999 vectors"))
        #expect(try terminal.finish("quit") == 0)
    }

    @Test("lines fit a narrow terminal")
    func narrow() throws {
        let path = built()
        let terminal = try opened(path, columns: 60)
        let help = try terminal.say("help near", expecting: "Examples")
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 60 || $0.hasPrefix("    ") }, "\(help)")
        let choices = try terminal.type("near 42 \t") { $0.contains("where") }
        #expect(choices.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(choices)")
        #expect(try terminal.finish("\u{3}quit") == 0)
    }

    @Test(
        "forget removes the lines that name the person from the histories of all sessions and their file",
        arguments: [["forget", "u1"], ["store", "forget", "u1"], ["repl", "-c", "forget u1"], ["repl"], []])
    func forgottenHistory(words: [String]) throws {
        let path = folder.path("people.db")
        #expect(kin("store", "import", datasets + "/people.jsonl", "--store", path).status == 0)
        let environment = ["KIN_HISTORY": folder.path("lines")]
        let terminal = try opened(path, environment: environment)
        for line in ["profile u1", "users", "near session:u1-7 k 1", "profile u10"] { try terminal.say(line) }
        if words.isEmpty {
            try terminal.say("forget u1")
            try terminal.type("\u{1B}[A") { $0.contains("profile u10") }
        } else {
            let other = try PseudoTerminal(
                words + (words[0] == "repl" ? [path] : ["--store", path]), home: folder.path, environment: environment)
            if words == ["repl"] { try other.say("forget u1") }
            #expect(try other.finish(words == ["repl"] ? "quit" : "") == 0)
            // Saves the history again.
            try terminal.say("info")
        }
        #expect(try terminal.finish(words.isEmpty ? "\u{3}quit" : "quit") == 0)
        let saved = try String(contentsOfFile: folder.path("lines"), encoding: .utf8)
        #expect(saved.contains("users") && saved.contains("u10"), "\(saved)")
        #expect(!saved.replacing("u10", with: "").contains("u1") && !saved.contains("forget"), "\(saved)")
        #expect(LineHistory.names("a \"b\"", in: #"put {"soul":{"uid":"a \"b\""}}"#))
    }

    @Test("typed letters arrive in any locale", arguments: ["", "C", "POSIX", "xx_XX.UTF-8", "C.UTF-8"])
    func locales(locale: String) throws {
        let path = folder.path("people.db")
        let (plain, others) = (["Jos", "nal", "x"], ["José", "Ünal", "x李", "x👩"])
        let souls = try folder.file(
            "souls.jsonl", (plain + others).map { "{\"soul\":{\"uid\":\"\($0)\"}}\n" }.joined())
        #expect(kin("store", "import", souls, "--store", path).status == 0)
        let history = folder.path("lines")
        let terminal = try opened(
            path, environment: ["LC_ALL": locale, "LC_CTYPE": "", "LANG": "", "KIN_HISTORY": history])
        for name in others { try terminal.say("soul_history \(name)") }
        for name in others { try terminal.say("forget \(name)", expecting: "\"\(name)\" forgotten") }
        #expect(try terminal.finish("quit") == 0)
        let users = try #require(
            try JSONSerialization.jsonObject(
                with: Data(kin("users", "--store", path, "--json").results.utf8)) as? [[String: String]])
        #expect(users.compactMap { $0["user"] } == plain)
        #expect(try !String(contentsOfFile: history, encoding: .utf8).contains("history x"))
    }

    @Test("Ctrl-C ends the writing of samples and leaves no file", arguments: ["clustered", "souls"])
    func interruptedSamples(kind: String) throws {
        let output = folder.path(kind == "souls" ? "x.jsonl" : "x.npy")
        let terminal = try writing(kind, to: output)
        try terminal.type("\u{3}") { $0.contains("cancelled") }
        #expect(try terminal.finish("") == 130)
        #expect(samples.isEmpty)
    }

    @Test("signals that end the tool leave no file", arguments: [SIGTERM, SIGHUP])
    func signals(number: Int32) throws {
        let terminal = try writing("clustered", to: folder.path("x.npy"))
        #expect(try terminal.end(by: number) == 128 + number)
        #expect(samples.isEmpty)
    }

    /// The tool while it writes many samples.
    private func writing(_ kind: String, to path: String) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(["generate", kind, "--count", "30000000", "-o", path], home: folder.path)
        try terminal.type("") { $0.contains("working") }
        return terminal
    }

    /// The files of samples, and unfinished ones.
    private var samples: [String] { folder.names.filter { $0.hasPrefix("x.") || $0.hasPrefix(".kin-") } }
}
