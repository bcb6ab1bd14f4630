import Foundation
import Kin
import KinTestSupport
import Testing

@testable import KinShell

@Suite("Challenge and daily content commands")
struct ChallengeCommandTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path("kin.db") }

    init() throws {
        folder = TemporaryFolder()
        #expect(kin("generate", "challenges", "--count", "60", "--seed", "2", "-o", folder.path("c.jsonl")).status == 0)
        #expect(kin("store", "import", folder.path("c.jsonl"), "--store", store).status == 0)
        #expect(ask("prefer", "u42", "--notifications", "on").status == 0)
    }

    private func ask(_ arguments: String..., at: String? = "2026-03-28T20:00:00Z") -> Run {
        kin(arguments + ["--store", store] + (at.map { ["--at", $0] } ?? []))
    }

    @Test("three challenges are suggested and explained, and the first is today's")
    func suggest() throws {
        answered(ask("suggest", "u42", "--explain"), "propensity", "as far as the evidence goes")
        let queue = ask("suggest", "u42", "--json").objects
        #expect(queue.count == 3)
        let title = try #require((queue[0]["challenge"] as? [String: Any])?["title"] as? String)
        let today = ask("today", "u42")
        #expect(
            today.results.contains(title) && today.results.contains("day 1, 2026-03-28")
                && today.notes.contains("kin complete u42"))
        #expect(
            ask("complete", "u42", "--rating", "5", "--minutes", "12").results
                == "completed: \(title), 5 of 5, 12 min\n")
        #expect(ask("complete", "u42").notes.contains("was completed already"))
        #expect(ask("complete", "u43").notes.contains("nothing is known of \"u43\""))
        #expect(ask("history", "u42", at: nil).results.contains(title))
        let shown = ask("today", "u43")
        #expect(shown.status == 0 && shown.results.contains("  next\n") && shown.notes.contains("has not begun"))
        #expect(ask("assign", "u42").results.contains("completed"))
        #expect(ask("reflect", "u42", "--text", "well").results.contains("done, \"well\""))
        #expect(ask("progress", "u42").results.contains("1 of 1 day, 100.00 %"))
    }

    @Test("the timeline has local times that fit 80 columns")
    func timeline() throws {
        #expect(ask("rotation", "u42", "--refresh", "07:15", "--reminder", "20:30").status == 0)
        for zone in ["Europe/Berlin", "Pacific/Auckland", "America/New_York", "UTC"] {
            let terminal = Transcript(columns: 80)
            let line = ["timeline", "u42", "--zone", zone, "--days", "3", "--store", store]
            #expect(Shell.run(line, console: terminal.console) == 0)
            #expect(terminal.lines.allSatisfy { $0.count <= 80 })
            #expect(terminal.lines.count { $0.contains("  07:15  20:30  ") } == 3, "\(terminal.lines)")
        }
        #expect(ask("challenge", "rotation", "u42", "--focus", "wealth").results.contains("wealth"))
        #expect(ask("timeline", "u42", "--json").results.split(separator: "wealth").count == 8)
    }

    @Test("an empty result gives the reason, and errors give advice")
    func limits() {
        #expect(
            ask("challenge", "prefer", "u42", "--max-time", "1", "--time-zone", "Asia/Tokyo").results.contains(
                "Asia/Tokyo"))
        #expect(ask("suggest", "u42").results.contains("short enough"))
        #expect(
            ask("challenge", "prefer", "u42", "--time-zone", "Asia/Tokio").notes.contains("did you mean Asia/Tokyo?"))
        #expect(ask("today", "u42", "--zone", "Mars").notes.contains("Europe/Berlin"))
        #expect(kin("suggest", "u42", "--store", folder.path("none.db")).notes.contains("kin store import"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.db")))
        #expect(ask("challenge", "notify", "u42").results.hasPrefix("next notification"))
        #expect(
            ask("challenge", "notified", "u42", "2026-03-28T19:00:00Z", "--answered", "yes").results.contains(
                "answered"))
    }

    @Test("a content file is checked by line")
    func check() throws {
        #expect(kin("generate", "content", "-o", folder.path("year.jsonl")).status == 0)
        answered(kin("check_content", "@" + folder.path("year.jsonl")), "364 records, nothing wrong")
        var lines = String(decoding: try folder.bytes("year.jsonl"), as: UTF8.self).split(separator: "\n").map(
            String.init)
        lines[2] = "{}"
        let bad = kin("check_content", "@" + (try folder.file("bad.jsonl", lines.joined(separator: "\n"))))
        #expect(
            bad.status == 65 && bad.results.contains("line 3") && bad.results.contains("day 3 is missing"),
            "\(bad.results)")
        let challenges = kin("check_content", "@" + folder.path("c.jsonl"), "--challenges")
        #expect(challenges.results.contains("60 records, nothing wrong"), "\(challenges.results)")
    }

    @Test("a partial year names its missing days on import and on use")
    func partOfAYear() throws {
        #expect(kin("generate", "content", "-o", folder.path("year.jsonl")).status == 0)
        let lines = String(decoding: try folder.bytes("year.jsonl"), as: UTF8.self).split(separator: "\n")
        let halves = try [lines.prefix(40), lines.dropFirst(40)].enumerated().map {
            try folder.file("\($0.offset).jsonl", $0.element.joined(separator: "\n"))
        }
        let first = kin("store", "import", halves[0], "--store", store)
        #expect(first.status == 0 && first.notes.contains("days 41, 42, 43, 44, 45 and 319 more are missing"))
        #expect(ask("today", "u42").notes.contains("days 41, 42"))
        for command in ["put", "import"] {
            #expect(kin(command, halves[0], "--store", store).notes.contains("days 41, 42"))
        }
        #expect(ask("timeline", "u42").status == 0)
        let second = kin("store", "import", halves[1], "--store", store)
        #expect(second.status == 0 && !second.notes.contains("missing"), "\(second.notes)")
        #expect(ask("timeline", "u42").status == 0)
    }
}
