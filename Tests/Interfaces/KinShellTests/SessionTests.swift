import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinShell

@Suite("The REPL's session")
struct SessionTests {
    private let folder = TemporaryFolder()
    private let transcript = Transcript()

    /// Four points on a line and a distant one, in two named dimensions.
    private func line(metric: Metric = .squaredL2, isInteractive: Bool = false) throws -> ReplSession {
        var table = VectorTable(dimension: 2, elements: [0, 0, 1, 0, 2, 0, 3, 0, 0, 9])
        table.columns = ["east", "north"]
        table.ids = [10, 11, 12, 13, 99]
        let file = try IndexFile(table, metric: metric, scale: nil)
        let path = folder.path("line.kin")
        try file.save(to: path)
        return ReplSession(
            try IndexFile(opening: path), path: path, threads: 1, isInteractive: isInteractive,
            console: transcript.console
        )
    }

    /// The output of one command.
    private func answer(_ session: ReplSession, _ line: String) -> [String] { transcript.answer(line, of: session) }

    private func ids(_ lines: some Collection<String>) -> [String] { Array(lines).ids }

    @Test("near works by id, vector and name, within limits")
    func near() throws {
        let session = try line()
        #expect(
            answer(session, "near 11") == [
                "  rank   id   squared distance", "     1   10   1", "     2   12   1", "     3   13   4",
                "     4   99   82",
            ]
        )
        #expect(ids(answer(session, "near 11 k 2")) == ["10", "12"])
        #expect(ids(answer(session, "near [2.9, 0] k 2")) == ["13", "12"])
        #expect(ids(answer(session, "near north=8 k 1")) == ["99"])
        #expect(ids(answer(session, "near 11 among 12-99 k 2")) == ["12", "13"])
        #expect(ids(answer(session, "near 11 among 11,13")) == ["13"])
        #expect(answer(session, "near 11 among 7") == ["  nothing"])
    }

    @Test("ids can be texts, even texts that look like numbers")
    func textIDs() throws {
        var table = VectorTable(dimension: 2, elements: [0, 0, 1, 0, 2, 0, 3, 0, 0, 9])
        table.names = ["home", "042", "doc-2", "far away", "x"]
        let path = folder.path("texts.kin")
        try IndexFile(table, metric: .squaredL2, scale: nil).save(to: path)
        let session = ReplSession(
            try IndexFile(opening: path), path: path, threads: 1, console: transcript.console)
        #expect(
            answer(session, "near 042 k 2") == [
                "  rank      id   squared distance", "     1    home   1", "     2   doc-2   1",
            ])
        #expect(ids(answer(session, "near doc-2 k 2")) == ["042", "far"])
        #expect(ids(answer(session, "near \"far away\" among home,x,042")) == ["042", "home", "x"])
        #expect(ids(answer(session, "within 1 of home").dropLast()) == ["042"])
        #expect(ids(answer(session, "recommend home,doc-2 exclude x k 1")) == ["042"])
        #expect(ids(answer(session, "near [0, 8] k 1")) == ["x"])
        #expect(answer(session, "upsert new [0, 8]") == ["  added new"])
        #expect(answer(session, "upsert new [0, 7]") == ["  replaced new"])
        #expect(answer(session, "get new") == ["  [0, 7]"])
        #expect(answer(session, "remove home,042") == ["  removed 2 vectors"])
        #expect(answer(session, "info").contains { $0.contains("ids") && $0.contains("texts") })
        for unknown in ["near home", "near 42", "get home", "remove doc-2,home", "near x among nobody"] {
            transcript.clear()
            #expect(session.execute(unknown) == .failed(.dataError), "\(unknown)")
            #expect(transcript.notes.contains("there is no vector with the id"), "\(unknown)")
        }
        session.switches.insert(.json)
        #expect(answer(session, "near x k 1") == [#"{"neighbors":[{"id":"new","distance":4.0}]}"#])
        session.switches.remove(.json)
        _ = answer(session, "save")
        #expect(try VectorIndex(opening: path).id(of: "new") != nil)
    }

    @Test("a vector with some dimensions is compared in those, or in all on request")
    func named() throws {
        let session = try line()
        let found = answer(session, "near east=3 k 2")
        #expect(transcript.notes.contains("compared in 1 of 2 dimensions"))
        #expect(ids(found) == ["13", "12"])
        // 99 is far to the north of all others, and as far to the east as 10.
        #expect(
            answer(session, "near east=0.1 k 5").dropFirst().map { $0.split(separator: " ")[1] } == [
                "10", "99", "11", "12", "13",
            ])
        #expect(ids(answer(session, "near east=0.1 k 5 compare all")).last == "99")
        #expect(ids(answer(session, "near east=0.1 among 11-99 k 1")) == ["99"])
        #expect(ids(answer(session, "within 0.5 of north=9").dropLast()) == ["99"])
        #expect(answer(session, "within 0.5 of east=0 compare all").last == "  1 vector within 0.5")
    }

    @Test("changes apply to searches at once and to the file on save")
    func changes() throws {
        let session = try line()
        let path = folder.path("line.kin")
        #expect(answer(session, "upsert 50 [1.25, 0]") == ["  added 50"])
        #expect(answer(session, "upsert 10 east=7") == ["  replaced 10"])
        #expect(answer(session, "get 10") == ["  east    7", "  north   0"])
        #expect(ids(answer(session, "near 11 k 1")) == ["50"])
        #expect(answer(session, "remove 12-13,12") == ["  removed 2 vectors"])
        #expect(session.unsavedChanges == 4)
        #expect(session.prompt == "kin*> ")
        #expect(try IndexFile(opening: path).index.count == 5)
        #expect(answer(session, "save").first?.hasPrefix("  saved 4 vectors to \(path) in ") == true)
        #expect(session.unsavedChanges == 0)
        let saved = try IndexFile(opening: path)
        #expect(saved.index.ids.sorted() == [10, 11, 50, 99])
        #expect(saved.space.names == ["east", "north"])
        _ = answer(session, "save \"\(folder.path("a b.kin"))\"")
        #expect(try IndexFile(opening: folder.path("a b.kin")).space.names == ["east", "north"])
    }

    @Test("a new metric preserves the vectors and changes the order")
    func metric() throws {
        let session = try line()
        #expect(answer(session, "set metric ip") == ["  k 10, metric ip, threads 1"])
        #expect(
            answer(session, "near [1, 0] k 2") == [
                "  rank   id   -inner product", "     1   13   -3", "     2   12   -2",
            ])
        #expect(session.file.index.count == 5)
        #expect(session.unsavedChanges == 1)
        // The origin has no direction, so the index does not change.
        transcript.clear()
        #expect(session.execute("set metric cosine") == .failed(.dataError))
        #expect(session.file.index.metric == .innerProduct)
        _ = answer(session, "remove 10")
        #expect(answer(session, "set metric Cosine") == ["  k 10, metric cosine, threads 1"])
        #expect(ids(answer(session, "near [5, 0.1] k 3")) == ["11", "12", "13"])
    }

    @Test("timing and explanation are shown on request")
    func switches() throws {
        let session = try line()
        #expect(answer(session, ":timing on") == ["  timing is on"])
        let timed = try #require(answer(session, "near 11 k 1").last)
        #expect(timed.hasSuffix(" µs") || timed.hasSuffix("ms") || timed.hasSuffix(" s"), "\(timed)")
        _ = answer(session, ":timing off")
        _ = answer(session, ":explain on")
        let explained = answer(session, "near 11 k 1")
        for part in ["how", "vectors", "blocks screened", "survivors", "compared exactly", "memory read"] {
            #expect(explained.contains { $0.contains(part) }, "\(part)")
        }
        _ = answer(session, ":explain off")
        #expect(answer(session, "near 11 k 1").count == 2)
    }

    @Test("JSON output is one object per line and nothing else")
    func json() throws {
        let session = try line()
        _ = session.execute(":json on")
        #expect(
            answer(session, "near 11 k 2") == [#"{"neighbors":[{"id":10,"distance":1.0},{"id":12,"distance":1.0}]}"#])
        #expect(answer(session, "within 0.5 of 11") == [#"{"neighbors":[]}"#])
        #expect(answer(session, "get 99") == [#"{"id":99,"names":["east","north"],"vector":[0.0,9.0]}"#])
        #expect(answer(session, "set k 3") == [#"{"k":3,"metric":"l2","threads":1}"#])
        let info = try jsonObject(answer(session, "info")[0])
        #expect(info["vectors"] as? Int == 5 && info["metric"] as? String == "l2")
        #expect(answer(session, "upsert 7 [1, 2]") == [#"{"added":7}"#])
        #expect(answer(session, "upsert 7 [1, 3]") == [#"{"replaced":7}"#])
        #expect(answer(session, "remove 7") == [#"{"removed":1}"#])
        let saved = try jsonObject(answer(session, "save \(folder.path("x.kin"))")[0])
        #expect(saved["saved"] as? Int == 5 && saved["file"] as? String == folder.path("x.kin"))
        let drawn = try jsonObject(answer(session, ":plot \(folder.path("x.svg"))")[0])
        #expect(drawn["drawn"] as? String == folder.path("x.svg"))
    }

    @Test(
        "errors name the cause and change nothing",
        arguments: [
            ("near 5", ProcessStatus.dataError, "there is no vector with id 5; ids here run from 10 to 99"),
            ("get 5", .dataError, "no vector with id 5"),
            ("remove 1-9", .dataError, "none of these ids"),
            ("upsert 1 [1]", .usage, "2 dimensions, this vector has 1"),
            ("near aest=1", .usage, "did you mean east?"),
            ("help foo", .usage, "no command 'foo'"),
            ("save /nonexistent/x.kin", .cannotCreate, "/nonexistent"),
        ]
    )
    func errors(command: String, status: ProcessStatus, message: String) throws {
        let session = try line()
        let notes = transcript.refusal(command, of: session, as: status)
        #expect(notes.contains(message), "\(notes)")
        #expect(session.unsavedChanges == 0)
        #expect(session.file.index.count == 5)
    }

    @Test("quitting with unsaved changes warns a person once and never stops a script")
    func quitting() throws {
        let person = try line(isInteractive: true)
        #expect(person.execute("quit") == .quit)
        _ = person.execute("remove 10")
        #expect(person.execute("quit") == .done)
        #expect(transcript.notes.contains("1 change not saved; `save` saves, `quit` again discards"))
        #expect(person.execute("info") == .done)
        #expect(person.execute("quit") == .done, "another command in between takes the warning back")
        #expect(person.execute("quit") == .quit)
        #expect(person.execute("quit!") == .quit)
        transcript.clear()
        #expect(!person.mayEnd())
        #expect(person.mayEnd())
        let script = try line()
        _ = script.execute("remove 10")
        #expect(script.execute("quit") == .quit)
        #expect(transcript.notes.contains("1 change not saved"))
    }

    @Test("help lists every command and describes each")
    func help() throws {
        let session = try line()
        let list = answer(session, "help").joined(separator: "\n")
        for form in IndexCommands.all {
            #expect(list.contains("  \(form.name) "))
            let more = answer(session, "help \(form.name)")
            #expect(more.first?.hasPrefix(MethodHelp.usage(of: form)) == true)
            #expect(more.first?.contains(form.summary.replacing("`", with: "")) == true)
        }
        #expect(answer(session, "help timing").first?.hasPrefix(":timing STATE") == true)
    }

    @Test("save does not replace a file that was written after it was opened")
    func saveAfterOthers() throws {
        let sessions = [
            try line(),
            ReplSession(
                try IndexFile(opening: folder.path("line.kin")), path: folder.path("line.kin"), threads: 1,
                console: transcript.console),
        ]
        for (number, session) in sessions.enumerated() {
            _ = answer(session, "upsert \(number) [5, 5]")
        }
        #expect(answer(sessions[0], "save").first?.contains("saved 6 vectors") == true)
        #expect(sessions[1].execute("save") != .done && transcript.notes.contains("the file was replaced"))
        #expect(try IndexFile(opening: folder.path("line.kin")).index.contains(0))
        #expect(answer(sessions[1], "save \(folder.path("other.kin"))").first?.contains("saved 6") == true)
        #expect(answer(sessions[0], "upsert 7 [5, 5]") == ["  added 7"])
        #expect(answer(sessions[0], "save").first?.contains("saved 7 vectors") == true)
    }

    @Test("every example in the help parses on an index of profiles")
    func examples() {
        let file = IndexFile(index: VectorIndex(dimension: 16, layout: .flat), space: VectorSpace(dimension: 16))
        let session = ReplSession(file)
        var found = 0
        for form in IndexCommands.all {
            guard let start = form.details.firstIndex(where: { $0.hasPrefix("Example") }) else { continue }
            for example in form.details[(start + 1)...] {
                found += 1
                #expect(throws: Never.self, "\(example)") {
                    let (form, words) = try #require(try session.read(example.trimmingCharacters(in: .whitespaces)))
                    _ = try MethodRequest(words, for: form, dimensions: session.dimensions)
                }
            }
        }
        #expect(found >= 8)
    }
}
