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

    @Test("sessions are paged, newest first")
    func sessions() throws {
        let first = ask("sessions", "u0", "count", "20")
        #expect(first.results.split(separator: "\n").count == 21)
        #expect(first.notes.contains("more: kin sessions u0 count 20 after u0-30 --store \(database)"))
        #expect(ask("sessions", "u0", "count", "20", "after", "u0-10").results.contains("u0-9"))
    }

    @Test("insight and map print their results")
    func insightAndMap() throws {
        let insight = ask("insight", "session:u1-40")
        for part in ["Similar sessions", "Against the usual", "Active together", "Usual path idle → drift"] {
            #expect(insight.results.contains(part), "\(insight.results)")
        }
        #expect(ask("insight", "session:u1-40", "--json").objects.first?["past_sessions"] as? Int == 40)
        let plot = folder.path("pleasure.svg")
        let map = ask("map", "u1", "--plot", plot)
        #expect(map.results.contains("of the variance") && map.results.contains("kinds of session"), "\(map.results)")
        let drawing = try String(contentsOfFile: plot, encoding: .utf8)
        #expect(drawing.hasPrefix("<svg ") && drawing.hasSuffix("</svg>\n"))
        // A dot per session and per kind, and the latest session in the map and in the legend.
        #expect(drawing.components(separatedBy: "<circle ").count - 1 == 50 + 4 + 2)
        #expect(ask("map", "u1", "--plot", folder.path("no/such/folder.svg")).status == 73)
    }

    @Test("the person of `set` and their time zone give way to a session, a point or a log")
    func settings() throws {
        let log = #"log=[{"type":"feed","start":"2026-03-05T06:40"}]"#
        for line in [
            "near session:u0-7 k 2", "near point order=1 k 2", "inventory point order=1 k 2", "repairs \(log)",
            "forecast \(log) now=2026-03-05T07:00 kind=feed", "insight u0-7",
        ] {
            let plain = kin("repl", database, "-c", line)
            #expect(plain.status == 0, "\(line): \(plain.notes)")
            let set = kin("repl", database, "-c", "set user u1", "-c", "set zone UTC", "-c", line)
            #expect(set.results.hasSuffix(plain.results) && set.status == 0, "\(line): \(set.notes)")
        }
        let near = "near k 2 at 2025-03-01T12:00Z"
        let named = kin("repl", database, "-c", near + " user u1")
        #expect(kin("repl", database, "-c", "set user u1", "-c", near).results.hasSuffix(named.results))
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
