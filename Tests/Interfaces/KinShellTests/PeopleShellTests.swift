import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinShell

@Suite("A store on the command line")
struct PeopleShellTests {
    private let folder: TemporaryFolder
    private let database: String

    /// The file of a store with three people, fifty sessions each, and eighty items; made once.
    private static let bytes = Result {
        let folder = TemporaryFolder()
        let (lines, database) = (folder.path("people.jsonl"), folder.path("people.db"))
        let made = kin(
            "generate", "people", "--count", "3", "--sessions", "50", "--items", "80", "--seed", "4", "-o", lines)
        #expect(made.results.hasPrefix("\(lines): 3 people, 150 sessions, 80 items\n"))
        let put = kin("store", "import", lines, "--store", database)
        #expect(put.status == 0, "\(put.notes)")
        #expect(put.results.hasPrefix("\(database): 80 inventory items, 3 profiles and 150 sessions imported in "))
        return try folder.bytes("people.db")
    }

    init() throws {
        folder = TemporaryFolder()
        database = try folder.file("people.db", Self.bytes.get())
    }

    private func ask(_ words: String...) -> Run { kin(words + ["--store", database]) }

    @Test("near finds other sessions by session, person and point, under a filter")
    func near() throws {
        let found = ask("near", "session:u1-7", "k", "4", "where", "state = reflection", "--json").objects
        let sessions = found.compactMap { $0["session"] as? [String: Any] }
        #expect(sessions.count == 4 && sessions.allSatisfy { $0["state"] as? String == "reflection" })
        let table = ask("near", "nature_mirror=0.9", "mobility=0.7", "k", "2", "metric", "cosine")
        #expect(table.results.contains("distance") && table.results.split(separator: "\n").count == 3)
        #expect(ask("near", "user:u2", "at", "2025-09-01T06:30Z", "k", "1").status == 0)
        #expect(ask("near", "session:nobody").status == 65)
        refused(ask("near", "session:u1-7", "where", "mood = 3"), 64, "mood")
        #expect(ask("near", "natur_mirror=0.9").notes.contains("did you mean nature_mirror?"))
    }

    @Test("sessions are paged, newest first")
    func sessions() throws {
        let first = ask("sessions", "u0", "count", "20")
        #expect(first.results.split(separator: "\n").count == 21)
        #expect(first.notes.contains("more: sessions u0 count 20 after u0-30"))
        #expect(ask("sessions", "u0", "count", "20", "after", "u0-10").results.contains("u0-9"))
    }

    @Test("a profile is printed with its slot and the number of sessions")
    func profile() {
        #expect(ask("profile", "u2", "at", "2026-11-20T06:30Z").results.contains("dawn, after 50 sessions"))
        #expect(ask("profile", "u2", "at", "2001-01-01").status == 65)
    }

    @Test("inventory near a place returns conditions, distances and a ranking")
    func inventory() throws {
        let found = ask(
            "inventory", "near", "40.7,-73.9", "within", "12km", "for", "45min", "at", "dawn", "--json"
        ).objects
        let distances = found.compactMap { $0["km"] as? Double }
        #expect(!distances.isEmpty && distances == distances.sorted() && distances.allSatisfy { $0 <= 12 })
        #expect(ask("inventory", "near", "40.7,-73.9", "type", "space", "as", "u1", "k", "3").results.contains("space"))
        #expect(ask("inventory", "within", "2km").status == 64)
        #expect(ask("inventory", "near", "95,0").notes.contains("lat"))
        refused(ask("inventory", "near", "40.7,-73.9", "--slot", "dwan"), 64, "did you mean \"dawn\"?", "^^^^")
    }

    @Test("insight, missions and map print their results")
    func insightAndMap() throws {
        let insight = ask("insight", "session:u1-40")
        for part in ["Similar sessions", "Against the usual", "Fire together", "Usual path idle → drift"] {
            #expect(insight.results.contains(part), "\(insight.results)")
        }
        #expect(ask("insight", "session:u1-40", "--json").objects.first?["past_sessions"] as? Int == 40)
        let missions = ask(
            "missions", "u1", "near", "40.7,-73.9", "for", "3h", "at", "dawn", "within", "20km", "travel", "car",
            "k", "3", "--json")
        let named = ask(
            "missions", "--user=u1", "--near", "40.7,-73.9", "--minutes", "180", "--slot", "dawn", "--within-km=20",
            "--travel", "car", "-k", "3", "--json")
        #expect(named.results == missions.results)
        #expect(missions.status == 0, "\(missions.notes)")
        #expect(missions.objects.count == 3)
        let plot = folder.path("pleasure.svg")
        let map = ask("map", "u1", "--plot", plot)
        #expect(map.results.contains("of the variance") && map.results.contains("kinds of session"), "\(map.results)")
        let drawing = try String(contentsOfFile: plot, encoding: .utf8)
        #expect(drawing.hasPrefix("<svg ") && drawing.hasSuffix("</svg>\n"))
        // A dot per session and per kind, and the latest session in the map and in the legend.
        #expect(drawing.components(separatedBy: "<circle ").count - 1 == 50 + 4 + 2)
        #expect(ask("map", "u1", "--plot", folder.path("no/such/folder.svg")).status == 73)
    }

    @Test("the REPL opens a store, and an error ends a script")
    func repl() throws {
        let run = kin("repl", database, "-c", "info", "-c", "users", "-c", ":json on", "-c", "sessions u0 count 1")
        #expect(run.status == 0, "\(run.notes)")
        #expect(run.results.contains("sessions   150") && run.results.contains("\"id\":\"u0-49\""))
        #expect(kin("repl", database, "-c", "nera session:u0-1").notes.contains("did you mean near?"))
        #expect(kin("repl", database, "-c", "help inventory").results.contains("--within-km NUMBER[km]"))
    }
}
