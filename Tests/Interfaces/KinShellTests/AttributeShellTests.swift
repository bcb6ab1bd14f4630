import Foundation
import KinFiles
import KinTestSupport
import Testing

@testable import KinShell

@Suite("Attributes in the shell")
struct AttributeShellTests {
    private let folder = TemporaryFolder()

    private static let rows = #"""
        id,east,north,user,visits,from,to,done
        10,0,0,u1,3,2026-01-01,2026-01-02,true
        11,1,0,"a, ""b""",4.0,2026-01-05T06:30:00Z,2026-01-05T07:00:00Z,no
        12,2,0, u1 ,,,,
        13,3,0,u2,-1,2026-02-01,2026-02-03,1

        """#

    private func built() throws -> String {
        let csv = try folder.file("t.csv", Self.rows)
        let index = folder.path("t.kin")
        let run = kin(
            "index", "build", csv, "-o", index, "--attribute", "user:category", "--attribute", "visits:integer",
            "--attribute", "stay:time-range=from,to", "--attribute", "done:boolean", "--attribute", "began:time=from")
        #expect(run.status == 0, "\(run.notes)")
        #expect(run.results.contains("4 vectors of 2 dimensions"))
        return index
    }

    @Test("attributes are built from columns and searched with --where")
    func buildAndSearch() throws {
        let index = try built()
        func found(_ condition: String, _ more: String...) -> [UInt64] {
            kin(["index", "search", index, "--vector", "0,0", "--json", "--where", condition] + more).neighborIDs
        }
        #expect(found("user = u1") == [10, 12])
        #expect(found(#"user = "a, \"b\"""#) == [11])
        #expect(found("visits >= 3") == [10, 11])
        #expect(found("visits is missing") == [12])
        #expect(found("stay overlaps [2026-01-05T06:59:00Z, 2026-02-02)") == [11, 13])
        #expect(found("began < 2026-01-05 or done = true") == [10, 13])
        #expect(found("user = u1", "--only-ids", "11-13,20") == [12])
        #expect(found("user = u1", "--within", "1") == [10])
    }

    @Test("tags are read, searched and shown as sets, and --group-by finds one vector of each group")
    func tagsAndGroups() throws {
        let csv = try folder.file(
            "tags.csv",
            """
            id,east,document,words
            1,0,a,quiet | garden
            2,1,a,
            3,2,b,garden
            4,3,,"[""busy"", 'loud']"
            5,4,a,busy

            """)
        let index = folder.path("tags.kin")
        let build = [
            "index", "build", csv, "-o", index, "--columns", "east", "--attribute", "document:category", "--attribute",
            "tags:tags=words", "--kind", "flat",
        ]
        #expect(kin(build).status == 0)
        func search(_ more: String...) -> [String] { ["index", "search", index, "--vector", "0", "--json"] + more }
        #expect(kin(search("--where", "tags contains garden")).neighborIDs == [1, 3])
        #expect(kin(search("--where", "tags not overlaps (busy, quiet)")).neighborIDs == [3])
        #expect(kin(search("--where", "tags is missing")).neighborIDs == [2])
        #expect(kin(search("--where", "tags contains gardn")).notes.contains(#"no row has tags with "gardn""#))
        let shown = kin(search("-k", "1", "--show", "tags")).results
        #expect(shown.contains(#""tags":["garden","quiet"]"#), "\(shown)")
        let text = kin("index", "search", index, "--vector", "0", "-k", "1", "--show", "tags").results
        #expect(text.contains("garden, quiet"), "\(text)")
        #expect(kin("index", "verify", index).results.contains("tags tags (4 values)"))
        #expect(kin(search("--group-by", "document")).neighborIDs == [1, 3, 4])
        #expect(
            kin(["index", "search", index, "--id", "1", "--group-by", "document", "--json"]).neighborIDs == [2, 3, 4])
        let queries = try folder.file("queries.csv", "east\n4\n")
        #expect(
            kin("index", "search", index, "--queries", queries, "--group-by", "document", "-k", "2", "--json")
                .results.contains(#""neighbors":[{"id":5,"#))
        for (arguments, message) in [
            (search("--group-by", "tags"), "tags is a set of tags"), (search("--group-by", "doc"), "document"),
            (search("--group-by", "document", "--within", "2"), "leave out --group-by"),
            (search("--group-by", "document", "--explain"), "without groups"),
            (
                [
                    "index", "build", try folder.file("bad.csv", "x,t\n1,a||b\n"), "-o", folder.path("bad.kin"),
                    "--attribute",
                    "t:tags",
                ], "line 2, column t: a tag has at least one character"
            ),
        ] {
            refused(kin(arguments), nil, message)
        }
    }

    @Test("info lists attributes only if there are any")
    func info() throws {
        let index = try built()
        let info = kin("index", "info", index).results
        #expect(info.contains("attributes          user  category, 3 values\n"), "\(info)")
        #expect(info.contains("                    stay  time-range\n"), "\(info)")
        #expect(
            kin("index", "info", index, "--json").results.contains(#"{"name":"user","kind":"category","values":3}"#))
        let csv = folder.path("t.csv")
        let plain = folder.path("plain.kin")
        #expect(kin("index", "build", csv, "-o", plain, "--columns", "east,north").status == 0)
        #expect(!kin("index", "info", plain, "--json").results.contains("attributes"))
        #expect(kin("index", "verify", index).results.contains("attributes: user category (3 values), visits integer"))
    }

    @Test("errors name the place and a likely correction")
    func errors() throws {
        let index = try built()
        let csv = folder.path("t.csv")
        func build(_ attribute: String) -> [String] {
            ["index", "build", csv, "-o", folder.path("x.kin"), "--columns", "east,north", "--attribute", attribute]
        }
        func search(_ condition: String) -> [String] { ["index", "search", index, "--id", "10", "--where", condition] }
        let cases: [([String], Int32, String)] = [
            (build("user"), 64, "such as user:category"), (build("user:categroy"), 64, "did you mean category?"),
            (build("usr:category"), 64, "did you mean user?"), (build("stay:time-range=from"), 64, "two columns"),
            (build("id:integer=visits"), 64, "every row already has an id"),
            (build("user:integer"), 65, "line 2, column user: 'u1' is not an integer"),
            (build("user:time"), 65, "is not a time"), (build("user:boolean"), 65, "true, false, yes, no"),
            (build("stay:time-range=to,from"), 65, "before it begins"),
            (search("user = "), 64, "a value is missing"), (search("usr = u1"), 64, "did you mean user?"),
            (search("user > u1"), 64, "categories have no order"),
        ]
        for (arguments, status, message) in cases {
            refused(kin(arguments), status, message)
        }
        // An unknown category may be intended, so the answer is empty, with a note.
        for arguments in [
            search("user = u11"), search("user in (u1, u11)") + ["--json"],
            ["index", "recommend", index, "--like", "10", "--where", "user = u11"],
        ] {
            let run = kin(arguments)
            #expect(run.status == 0 && run.notes.contains(#"no row has user = "u11"; did you mean "u1"?"#), "\(run)")
        }
        #expect(!kin(search("user = u1")).notes.contains("no row has"))
    }

    @Test("the REPL supports where and filter")
    func session() throws {
        let path = try built()
        let transcript = Transcript()
        let session = ReplSession(
            try IndexFile(opening: path), path: path, threads: 1, isInteractive: false, console: transcript.console)
        func answer(_ line: String) -> [String] { transcript.answer(line, of: session) }
        func ids(_ line: String) -> [String] { answer(line).ids }
        #expect(ids("near [0,0] where user = u1") == ["10", "12"])
        #expect(ids("near 10 k 1 among 11-13 where id > 11 # a comment, where \"nothing\" counts") == ["12"])
        #expect(ids("near [0,0] where user = 'a, \"b\"' or visits < 0") == ["11", "13"])
        #expect(ids("within 5 of [0,0] where visits is missing").first == "12")
        #expect(answer("filter") == ["  no filter: every vector is searched"])
        #expect(answer("filter user = u1") == ["  filter user = u1: 2 of 4 vectors"])
        #expect(ids("near [3,0]") == ["12", "10"])
        #expect(ids("near [3,0] where visits >= 0") == ["10"])
        #expect(answer("FILTER off") == ["  no filter: every vector is searched"])
        #expect(ids("near [3,0] k 1") == ["13"])
        #expect(answer("get 12").contains("  user: u1") && !answer("get 12").contains { $0.contains("visits") })
        _ = answer(":json on")
        #expect(answer("get 10")[0].contains(#""attributes":{"began":"2026-01-01T00:00:00Z","done":true,"#))
        _ = answer(":json off")
        _ = answer("set metric ip")
        #expect(ids("near [1,0] where user = u1") == ["12", "10"])

        for (line, caret, message) in [
            (
                "near [0,0] where user = )", "  near [0,0] where user = )\n                          ^",
                "a value is expected"
            ),
            ("filter user == = 1", "  filter user == = 1\n                 ^", "a value is expected here"),
            ("near [0,0] where", "  near [0,0] where\n", "a value of where is missing here"),
        ] {
            let notes = transcript.refusal(line, of: session)
            #expect(notes.contains(caret) && notes.contains(message), "\(notes)")
        }
        #expect(transcript.refusal("filter usr = 1", of: session).contains("did you mean user?"))
        #expect(session.filter == nil)
    }

    @Test("attributes are shown with the answer, by the tool and in the REPL")
    func shown() throws {
        let index = try built()
        let run = kin("index", "search", index, "--vector", "0,0", "-k", "3", "--show", "user,visits")
        let lines = run.results.split(separator: "\n")
        #expect(lines[0].hasSuffix("user     visits") && lines[1].hasSuffix("u1       3"), "\(run)")
        #expect(lines[2].contains(#"a, "b""#) && lines[3].contains("u1"), "\(run)")
        let json = kin("index", "search", index, "--vector", "0,0", "-k", "3", "--show", "visits,user", "--json")
            .results
        #expect(
            json.contains(#""attributes":{"user":"u1","visits":3}"#) && json.contains(#""attributes":{"user":"u1"}"#))
        let queries = try folder.file("q.csv", "east,north\n3,0\n0,0\n")
        let batch = kin("index", "search", index, "--queries", queries, "-k", "1", "--show", "user", "--json").results
        #expect(
            batch.contains(#""attributes":{"user":"u2"}"#) && batch.contains(#""attributes":{"user":"u1"}"#), "\(batch)"
        )
        refused(kin("index", "search", index, "--vector", "0,0", "--show", "usr"), 64, "did you mean user?")
        let liked = kin("index", "recommend", index, "--like", "10", "--show", "done").results
        #expect(liked.contains("done") && liked.contains("false"))

        let transcript = Transcript()
        let session = ReplSession(
            try IndexFile(opening: index), path: index, threads: 1, isInteractive: false, console: transcript.console)
        func answer(_ line: String) -> [String] { transcript.answer(line, of: session) }
        #expect(answer("near [0,0] k 1 show user,stay")[1].contains("[2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z)"))
        #expect(answer("within 1.5 of [0,0] show visits").contains { $0.hasSuffix("3") })
        #expect(answer("head 2 show user")[1...].map { $0.contains("u1") } == [true, false])
        #expect(answer("head").count == 5 && answer("head")[4].contains("[3, 0]"))
        #expect(answer("head where user = u1").count == 3)
        #expect(answer("sample 2 seed 5") == answer("sample 2 seed 5") && answer("sample 2").count == 3)
        #expect(Set((0..<40).map { answer("sample 1 seed \($0)")[1] }).count == 4)
        #expect(answer("sample 99").count == 5 && answer("sample 3 where visits > 99") == ["  nothing"])
        _ = answer(":json on")
        #expect(
            answer("head 1 show user")[0] == #"{"vectors":[{"id":10,"attributes":{"user":"u1"},"vector":[0.0,0.0]}]}"#)
        #expect(transcript.refusal("head 5 show usr", of: session).contains("did you mean user?"))
    }

    @Test("ids that are texts are conditions, too")
    func textIDs() throws {
        let csv = try folder.file("n.csv", "id,east,north\na,0,0\nb,1,0\nc,2,0\n")
        let index = folder.path("n.kin")
        #expect(kin("index", "build", csv, "-o", index).status == 0)
        for options in [[], ["--memory", "16M"]] {
            let path = folder.path("lists.kin")
            let run = kin(["index", "build", csv, "--kind", "ivf", "-o", path] + options)
            #expect(run.status == 0, "\(run)")
            try FileManager.default.moveItem(atPath: path, toPath: folder.path("n\(options.count).kin"))
        }
        #expect(try folder.bytes("n0.kin") == folder.bytes("n2.kin"))
        let run = kin("index", "search", index, "--vector", "0,0", "--where", "id != a", "--json")
        #expect(run.results.contains(#""id":"b""#) && !run.results.contains(#""id":"a""#), "\(run)")
        let both = kin("index", "search", index, "--vector", "0,0", "--where", "id != a", "--only-ids", "a,c", "--json")
        #expect(both.results.contains(#""id":"c""#) && !both.results.contains(#""id":"b""#), "\(both)")
        refused(
            kin("index", "search", index, "--vector", "0,0", "--where", "id = 5"), 64, "ids of this index are texts")
        let transcript = Transcript()
        let session = ReplSession(
            try IndexFile(opening: index), path: index, threads: 1, isInteractive: false, console: transcript.console)
        #expect(transcript.answer("filter id in (a, c)", of: session) == ["  filter id in (a, c): 2 of 3 vectors"])
        #expect(transcript.answer("near b", of: session).filter { $0.contains(" a ") || $0.contains(" c ") }.count == 2)
    }

    @Test("`where` begins a filter unless it is a name or in quotes")
    func clauses() throws {
        let file = IndexFile(
            index: VectorIndex(dimension: 2, layout: .flat, attributes: try AttributeSchema(["user": .category])),
            space: VectorSpace(dimension: 2, names: ["where", "b"]))
        let session = ReplSession(file)
        for (line, expected) in [
            ("near where=1 b=2", #"{"target":{"where":1,"b":2}}"#),
            ("near where = 1 where user = u1", #"{"target":{"where":1},"where":"user = u1"}"#),
            (#"near "where"=1 k 2 WHERE user=u1 #c"#, #"{"target":{"where":1},"k":2,"where":"user=u1"}"#),
            (
                #"within 1 of 7 among 8 where user = "u1""#,
                #"{"distance":1,"of":7,"among":["8"],"where":"user = \"u1\""}"#
            ),
            ("filter", "{}"), ("filter OFF # now", #"{"where":"OFF"}"#), ("filter user=u1", #"{"where":"user=u1"}"#),
        ] {
            let (form, words) = try #require(try session.read(line))
            let request = try MethodRequest(words, for: form, dimensions: session.dimensions)
            #expect(request.json == expected, "\(line)")
        }
        #expect(session.completion(of: "near 1 where us").addition == "er ")
        #expect(session.completion(of: "filter (").candidates == ["id ", "user "])
        #expect(session.completion(of: "near 1 show us").candidates == ["user"])
        #expect(session.completion(of: "near 1 whe").candidates.contains("where "))
    }
}
