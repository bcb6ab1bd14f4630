import Foundation
import KinTestSupport
import Testing

@testable import KinShell

/// Answers of the tool that no other test covers: very short or very long ones.
@Suite("Rare answers")
struct RareAnswerTests {
    private let folder = TemporaryFolder()

    @Test(
        "a log too short for a backtest is refused with the required number",
        arguments: [
            ("feed", "14 feeds"), ("nap", "14 wakings"), ("wake_up", "14 sleeps"), ("Wake-Up", "14 sleeps"),
            ("night_waking", "14 sleeps"),
            ("bedtime", "14 wakings before five bedtimes"),
        ])
    func shortLogs(kind: String, needs: String) throws {
        let log = try folder.file("log.csv", "type,start,end\nsleep,2026-03-01T10:00,2026-03-01T11:00\n")
        refused(kin("backtest", log, "--kind", kind), 65, "no week with \(needs);")
    }

    @Test("info prints the measured recall of a large index")
    func measuredRecall() throws {
        let (vectors, index) = (folder.path("uniform.npy"), folder.path("uniform.kin"))
        #expect(kin("generate", "uniform", "--count", "12000", "--seed", "3", "-o", vectors).status == 0)
        #expect(kin("index", "build", vectors, "-o", index, "--kind", "ivf").status == 0)
        let info = kin("index", "info", index).results
        #expect(info.contains("recall that was measured"), "\(info)")
        let rows = info.split(separator: "\n").filter { $0.contains(" ± ") }
        #expect(rows.count == 4 && rows.allSatisfy { $0.split(separator: "±").count == 4 }, "\(info)")
        #expect(!info.contains("changed since"))
        let answer = kin("repl", index, "-c", "remove 7", "-c", "info")
        #expect(answer.results.contains("1 vector changed since"), "\(answer.results)")
    }

    @Test("index recommend equals the REPL's recommend and refuses unknown attributes")
    func recommendations() throws {
        let index = folder.path("profiles.kin")
        #expect(kin("index", "build", datasets + "/sample-16d.csv", "-o", index).status == 0)
        let run = kin("index", "recommend", index, "--like", "42,5-7", "--unlike", "9", "-k", "4", "--json")
        #expect(run.status == 0, "\(run.notes)")
        let repl = kin("repl", index, "-c", ":json on", "-c", "recommend 42,5-7 unlike 9 k 4")
        #expect(!run.results.isEmpty && run.results == repl.results, "\(repl.results) \(repl.notes)")
        #expect(kin("index", "recommend", index, "--like", "42", "-k", "3").results.contains("strongest"))
        refused(kin("index", "recommend", index, "--like", "42", "--where", "colour = red"), 64, "colour")
    }

    @Test("missions are printed with their parts, route and travel time")
    func missions() throws {
        let (lines, database) = (folder.path("people.jsonl"), folder.path("people.db"))
        let made = kin(
            "generate", "people", "--count", "2", "--sessions", "30", "--items", "300", "--seed", "5", "-o", lines)
        #expect(made.status == 0 && kin("store", "import", lines, "--store", database).status == 0)
        let asked = [
            "missions", "u1", "--near", "40.7,-73.9", "--minutes", "180", "--slot", "dawn", "--within-km", "30",
        ]
        let run = kin(asked + ["-k", "3", "--store", database])
        let table = run.results.split(separator: "\n")
        #expect(
            table.count == 4 && table[0].contains("wish") && table[0].contains("there"), "\(run.results) \(run.notes)")
        #expect(table.dropFirst().allSatisfy { $0.contains("tool") && $0.contains("space") && $0.contains(" min ") })
        let none = kin(["missions", "u1", "--near", "0,0", "--minutes", "5", "--store", database])
        #expect(none.results.contains("no mission fits: "), "\(none.results)")
        let nobody = kin("today", "u1", "--store", database)
        #expect(nobody.notes.contains("no challenges in the store"), "\(nobody.results) \(nobody.notes)")
    }

    @Test("unknown themes and names in analyses are noted")
    func unknownWords() throws {
        let (images, realms) = (folder.path("images.jsonl"), folder.path("realms"))
        #expect(kin("generate", "images", "--count", "20", "--seed", "2", "-o", images).status == 0)
        var lines = try String(contentsOfFile: images, encoding: .utf8).split(separator: "\n").map(String.init)
        lines[0].insert(contentsOf: "\"weather\":1,", at: lines[0].index(after: lines[0].startIndex))
        let clustered = kin("cluster", try folder.file("more.jsonl", lines.joined(separator: "\n")), "-o", realms)
        #expect(
            clustered.status == 0 && clustered.notes.contains("unknown names, ignored: weather (1)"),
            "\(clustered.notes)")
        let world = kin("world", "--in", realms, "--name", "W", "--theme", "nonsense")
        #expect(world.status == 0 && world.notes.contains("\"nonsense\", so the theme had no effect; there are "))
    }

    @Test("pairs are explained, and a missing naming key is an error")
    func pairs() throws {
        let souls = datasets + "/souls.jsonl"
        let plain = kin("match", souls, "--above", "0.95")
        let explained = kin("match", souls, "--above", "0.95", "--explain")
        let count = plain.results.split(separator: "\n").count
        #expect(count > 0 && plain.notes.contains("\(count) pair"), "\(plain.notes)")
        #expect(explained.results.components(separatedBy: "of the weight compared").count - 1 == count)
        // No pair is nearer than itself, and a shortage is one of the weight.
        #expect([0.5, 0.9999, 1].map(AffinityText.tenths) == ["50.0 %", "99.9 %", "99.9 %"])
        #expect(!explained.results.contains("pairs, too little"))
        let database = folder.path("souls.db")
        #expect(kin("store", "import", souls, "--store", database).status == 0)
        refused(
            kin("anonymous_name", "u1", "--store", database, "--naming-key", folder.path("none.key")), 66,
            "the naming key cannot be read")
    }
}
