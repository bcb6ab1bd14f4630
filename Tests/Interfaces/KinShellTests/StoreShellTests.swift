import Foundation
import KinFiles
import KinStore
import KinTestSupport
import Testing

@testable import KinShell

@Suite("kin store")
struct StoreShellTests {
    private let folder = TemporaryFolder()
    private var store: [String] { ["--store", folder.path("people.db")] }

    private func run(_ arguments: [String]) -> Run { kin(["store"] + arguments) }

    /// Four sessions of two people, and a profile.
    private func lines() throws -> String {
        let sessions = try (0..<4).map { try sessionText("s\($0)", of: "u\($0 % 2)", at: $0) }
        let profile = try PleasureProfile(userID: "u1", pleasure: [.horizon: 0.5]).json
        return (sessions + [profile]).joined(separator: "\n")
    }

    @Test("vectors are exported as a NumPy array and a list of ids, without texts")
    func vectors() throws {
        let embeddings = (0..<3).map {
            "{\"session_embedding\":{\"user_id\":\"u\($0 % 2)\",\"session_id\":\"s\($0)\",\"model\":\"note\",\"vector\":[\($0),1.5]}}"
        }
        let file = try folder.file("people.jsonl", ([lines()] + embeddings).joined(separator: "\n"))
        #expect(run(["import", file] + store).status == 0)
        let array = folder.path("vectors.npy")
        for (name, ids, columns) in [("note", "s0\ns1\ns2\n", 2), ("points", "s0\ns1\ns2\ns3\n", 16)] {
            #expect(run(["export", "--vectors", name, "-o", array, "--force"] + store).status == 0)
            let table = try VectorTable(reading: array)
            #expect(table.dimension == columns && table.elements.count == columns * (ids.count / 3))
            if columns == 2 { #expect(table.elements == [0, 1.5, 1, 1.5, 2, 1.5]) }
            #expect(try String(contentsOfFile: array + ".ids", encoding: .utf8) == ids)
        }
        #expect(run(["export", "--vectors", "other", "-o", array] + store).status != 0)
        #expect(run(["export", "--vectors", "note"] + store).status != 0)
    }

    @Test func importExportForgetAndCheckWork() throws {
        let file = try folder.file("people.jsonl", lines())
        let imported = run(["import", file] + store)
        #expect(imported.status == 0, "\(imported.notes)")
        #expect(imported.results.contains("people.db: 1 profile and 4 sessions imported in "), "\(imported.results)")

        let checked = run(["check"] + store)
        #expect(checked.status == 0)
        #expect(checked.results.contains("intact") && checked.results.contains("inventory items"))

        let export = run(["export", "--user", "u1"] + store)
        let exported = export.results.split(separator: "\n")
        #expect(export.status == 0 && exported.count == 3 && exported[0].hasPrefix("{\"profile\":{\"uid\":\"u1\""))
        #expect(exported[1...].allSatisfy { $0.hasPrefix("{\"session\":") })
        #expect(export.notes.contains("1 profile and 2 sessions exported"))

        let all = folder.path("all.jsonl")
        #expect(run(["export", "-o", all] + store).status == 0)
        answered(run(["import", all, "--json", "--store", folder.path("copy.db")]), "{\"profile\":1,\"session\":4}")

        for said in [
            "1 profile and 2 sessions of \"u1\" forgotten", "nothing was stored about \"u1\"",
            "nothing was stored about \"u1\"",
        ] {
            answered(run(["forget", "u1"] + store), said)
        }
        answered(run(["forget", "u1", "u7", "u8"] + store), "nothing was stored about 3 people")
        let json = run(["check", "--json"] + store).results
        #expect(json.contains("\"people\":1") && json.contains("\"is_intact\":true"))
        #expect(run(["export", "--user", "u1"] + store).status == ProcessStatus.dataError.rawValue)
    }

    @Test("all line ends are accepted, and a script may start with a byte order mark")
    func lineEnds() throws {
        let story = #"{"story":{"title":"The shell","content":"Once\u2028upon a tide."}}"#
        for (end, name) in [("\n", "lf"), ("\r\n", "crlf"), ("\r", "cr")] {
            let made = try folder.file("\(name).jsonl", ["\u{FEFF}" + story, "", story, ""].joined(separator: end))
            let run = run(["contribute", "u1", made] + store)
            #expect(
                run.status == 0 && run.results.contains("2 contributions"),
                "\(name): \(run.notes)")
            let bad = try folder.file("bad.jsonl", [story, "", "nonsense"].joined(separator: end))
            refused(self.run(["contribute", "u1", bad] + store), 65, "bad.jsonl, line 3")
            let script = try folder.file("script.txt", ["\u{FEFF}users", "", "nonsense", ""].joined(separator: end))
            let repl = kin("repl", folder.path("people.db"), "-f", script)
            #expect(
                repl.status == 64 && repl.results.contains("u1") && repl.notes.contains("script.txt, line 3: stopped"))
        }
    }

    @Test("an import of several files reports those before a failed one")
    func severalFiles() throws {
        let good = try folder.file("good.jsonl", lines())
        let bad = try folder.file("bad.jsonl", "{\"id\":\"x\"}\n")
        let new = ["--store", folder.path("new.db")]
        refused(run(["import", good, bad] + new), 65, "good.jsonl: 1 profile and 4 sessions imported")
        #expect(run(["check"] + new).results.contains("intact"))
    }

    @Test("app records are described, imported from formatted JSON and exported in their form")
    func recordsOfApps() throws {
        let event =
            #"{"type": "feed", "timestamp": "2026-05-01T10:00:00Z", /* ounces */ "feedData": {"volume": 4.5}, "mood": 1}"#
        let file = try folder.file("events.json", "[\n  \(event)\n]\n")
        let described = kin(["shape", file])
        #expect(described.results.contains("feed of babysync: 1 record, stored as care_event"))
        #expect(
            described.results.contains("ounces to millilitres")
                && described.results.contains("to be given: baby, user, id"))
        #expect(described.results.contains("unknown, an error unless extra is yes: mood"))
        refused(kin(["put", file, "--user", "u", "--baby", "b"] + store), nil, "mood")
        let taken = kin(["put", file, "--user", "u", "--baby", "b", "--extra", "yes"] + store)
        #expect(taken.results.contains("1 care event imported"))
        #expect(
            kin(["export", "--shape", "babysync", "--json"] + store).results.contains(#""feedData":{"volume":4.5}"#))
        #expect(
            kin(["predictions", "--user", "u", "--baby", "b", "--shape", "babysync", "--json"] + store).results
                .contains("nextFeedTime"))
    }

    @Test("the exit status distinguishes missing inputs from outputs that cannot be created")
    func statuses() throws {
        let file = try folder.file("people.jsonl", lines())
        #expect(run(["import", folder.path] + store).status == ProcessStatus.noInput.rawValue)
        #expect(kin(["import", folder.path] + store).status == ProcessStatus.noInput.rawValue)
        let nowhere = ["--store", folder.path("none/people.db")]
        #expect(run(["import", file] + nowhere).status == ProcessStatus.cannotCreate.rawValue)
        #expect(kin(["put", "--records", "[]"] + nowhere).status == ProcessStatus.cannotCreate.rawValue)
        #expect(kin("users", "--store", folder.path).status == ProcessStatus.noInput.rawValue)
        let empty = try folder.file("empty.jsonl", "")
        for command in [
            ["cluster", empty, "-o", folder.path("realms")], ["cluster", "-o", folder.path("realms"), empty],
        ] {
            refused(kin(command), 65, "there are no analyses of images in \(empty)")
        }
    }

    @Test("errors name no position in generated JSON and give advice")
    func advice() throws {
        #expect(run(["import", try folder.file("people.jsonl", lines())] + store).status == 0)
        for words in [
            ["prefer", "u1", "--quiet-hours", "25:00-26:00"], ["put", "--records", "{bad"],
            ["put", "--records", #"[{"session":{"id":4}}]"#],
        ] {
            let run = kin(words + store)
            #expect(
                run.status != 0 && !run.notes.contains(", column ") && !run.notes.contains("line 1"), "\(run.notes)")
        }
        answered(kin("repl", folder.path("people.db"), "-c", "help filter"), "joined by `and`", "state")
        let table = try folder.file("ch.csv", "id,title\nc1,Stretch\n")
        for words in [["put", table], ["import", table]] {
            refused(kin(words + store), 65, "ch.csv, line 1", "Engine.put of Python")
        }
        refused(kin("days", table, "--store", folder.path("none.db")), 66, "`kin rhythm FILE`")
        let none = kin("repl", folder.path("none.db"))
        #expect(none.status == 66 && none.notes.contains("kin store import") && !none.notes.contains("index build"))
        let unfinished = kin("repl", folder.path("people.db"), "-c", "set user").notes
        #expect(unfinished.contains("`set reset` removes all values"), "\(unfinished)")
        let nera = kin("nera").notes
        #expect(nera.contains("; did you mean 'kin near'?"), "\(nera)")
    }
}
