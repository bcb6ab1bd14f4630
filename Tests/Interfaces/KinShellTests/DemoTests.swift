import Foundation
import Kin
import KinTestSupport
import Testing

@testable import KinShell

@Suite("The demo")
struct DemoTests {
    private let folder = TemporaryFolder()

    @Test("five answers fit forty lines of eighty columns and leave a usable store")
    func fiveAnswers() throws {
        let run = kin("demo", "--count", "1000", "-o", folder.path)
        #expect(run.status == 0, "\(run.notes)")
        let lines = run.results.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 40, "\(run.results)")
        #expect(lines.dropLast().allSatisfy { $0.count <= 80 }, "\(run.results)")
        for (number, topic) in Demo.Topic.allCases.enumerated() {
            #expect(lines.contains { $0.hasPrefix("\(number + 1) \(topic.rawValue) ") }, "\(topic)")
        }
        #expect(run.results.ranges(of: "because ").count == 5)
        #expect(run.results.contains("█") && run.results.contains("?"))
        let near = kin("repl", folder.path("demo.kin"), "-c", "near 42 k 2")
        #expect(near.status == 0, "\(near.notes)")
        let store = kin(
            "repl", folder.path("demo.db"), "-c", "kin ada k 3", "-c", "forecast ada mia", "-c", "babies ada")
        #expect(store.status == 0, "\(store.notes)")
        #expect(store.results.contains("next nap about"))
    }

    @Test("without a folder of the caller, the store remains and the index is deleted")
    func index() throws {
        let transcript = Transcript()
        let demo = Demo(console: transcript.console, count: 1000, folder: folder.path, keepsIndex: false, threads: 1)
        try demo.run(nil, asJSON: false)
        #expect(transcript.lines.last == "Left for you: kin repl \(Demo.quoted(demo.store))")
        #expect(FileManager.default.fileExists(atPath: demo.store))
        #expect(!FileManager.default.fileExists(atPath: demo.index))
    }

    @Test("files that no demo left in this state are replaced only with --force, and a store never")
    func otherFiles() throws {
        let words = ["demo", "worlds", "--count", "1000", "-o", folder.path]
        try FileManager.default.createDirectory(atPath: folder.path("realms"), withIntermediateDirectories: false)
        for name in Demo.files {
            let mine = try folder.file(name, "mine")
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            refused(kin(words), 64, "would be lost", name, "-o chooses a different folder")
            #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine", "\(name)")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == before, "\(name)")
            try FileManager.default.removeItem(atPath: mine)
        }
        for name in Demo.files { _ = try folder.file(name, "mine") }
        for arguments in [words + ["--force"], words] { #expect(kin(arguments).status == 0, "\(arguments)") }
        for name in Demo.files {
            let path = folder.path(name)
            try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            var bytes = try folder.bytes(name + ".old")
            bytes[bytes.count - 1] ^= 1
            _ = try folder.file(name, bytes)
            refused(kin(words), 64, "would be lost", name)
            #expect(try folder.bytes(name) == bytes, "\(name)")
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: path + ".old", toPath: path)
        }
        #expect(kin(words).status == 0)
    }

    @Test("a store with changes is never replaced, not even while they are only in its log")
    func otherPeople() async throws {
        let words = ["demo", "near", "--count", "1000", "-o", folder.path]
        #expect(kin(words).status == 0)
        let store = folder.path("demo.db")
        let writer = try Store(at: store)
        _ = try await writer.importLines(#"{"soul":{"uid":"anna"}}"#, now: Timestamp(seconds: 1.7e9))
        for arguments in [words, words + ["--force"]] {
            refused(kin(arguments), 64, "this is a store, which would be lost", "demo.db", "-o chooses")
        }
        try await writer.close()
        for arguments in [words, words + ["--force"]] { refused(kin(arguments), 64, "demo.db") }
        answered(kin("users", "--store", store), "anna")
    }

    @Test("the JSON answers match the text")
    func json() throws {
        let run = kin("demo", "--count", "1000", "-o", folder.path, "--json")
        let text = kin("demo", "--count", "1000", "-o", folder.path).results.replacing(#/\s+/#, with: " ")
        let answers = run.objects
        #expect(answers.compactMap { $0["topic"] as? String } == Demo.Topic.allCases.map(\.rawValue))
        for answer in answers {
            #expect(answer.keys.sorted() == ["answer", "question", "reason", "seconds", "topic"])
            for key in ["question", "answer"] {
                #expect(text.contains(try #require(answer[key] as? String)), "\(answer)")
            }
            #expect(try #require(answer["seconds"] as? Double) > 0)
        }
    }

    @Test("no example is empty", arguments: Demo.Topic.allCases)
    func topics(topic: Demo.Topic) throws {
        let run = kin("demo", topic.rawValue, "--count", "1000", "-o", folder.path)
        #expect(run.status == 0, "\(run.notes)")
        let parts = run.results.components(separatedBy: "\n\n")
        #expect(parts.count > 2)
        for part in parts {
            #expect(part.split(separator: "\n").count > 1 || part.hasPrefix("next") || !part.hasPrefix("$"), "\(part)")
        }
        for empty in ["nothing", "nobody", "no mission", "no session", "no item", "null"] {
            #expect(!run.results.contains(empty), "\(run.results)")
        }
    }

    /// Other tests of generators make their own data; this one recreates each bundled file.
    @Test("the commands of datasets/README.md reproduce the bundled files byte for byte")
    func datasetsAgain() throws {
        let made = folder.path("datasets")
        for line in [
            "challenges --count 200 --seed 16 -o challenges.jsonl", "content -o content.jsonl",
            "clustered --count 2000 --seed 16 -o sample-16d.csv",
            "people --count 3 --sessions 30 --items 30 --seed 16 -o people.jsonl",
            "souls --count 100 --communities 8 --seed 16 -o souls.jsonl",
            "images --count 120 --seed 16 -o images.jsonl", "babies --count 2 --days 60 --age 45 --seed 16 -o babies",
        ] {
            var words = line.split(separator: " ").map(String.init)
            try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
            words[words.count - 1] = made + "/" + words[words.count - 1]
            let run = kin(["generate"] + words)
            #expect(run.status == 0, "\(run.notes)")
        }
        let names = try FileManager.default.subpathsOfDirectory(atPath: made)
            .filter { ($0 as NSString).pathExtension != "" }
        #expect(names.count == 8)
        for name in names {
            let isSame = FileManager.default.contentsEqual(atPath: made + "/" + name, andPath: datasets + "/" + name)
            #expect(isSame, "\(name)")
        }
    }
}
