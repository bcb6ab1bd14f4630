import Foundation
import KinEngine
import KinFiles
import KinTestSupport
import Testing

@testable import KinShell

@Suite("Tool commands")
struct ShellTests {
    private let folder = TemporaryFolder()

    private func builtIndex() throws -> String {
        let csv = try folder.file("t.csv", "id,east,north\n10,0,1\n11,1,0\n12,2,0\n13,3,0\n")
        let index = folder.path("t.kin")
        #expect(kin("index", "build", csv, "-o", index).status == 0)
        return index
    }

    @Test("build prints its result and the next step")
    func build() throws {
        let csv = try folder.file("t.csv", "id,east,north\n10,0,1\n11,1,0\n")
        let index = folder.path("t.kin")
        let run = kin("index", "build", csv, "-o", index, "--metric", "ip", "--scale", "minmax")
        #expect(run.status == 0)
        #expect(run.results.hasPrefix("\(index): 2 vectors of 2 dimensions, metric ip, built in "))
        #expect(run.results.contains("\(index).columns.json: names and scaling of the columns"))
        #expect(run.results.contains("next: kin repl \(index)"))
        #expect(run.notes == "note: ids are taken from column id\n")
        let info = kin("index", "info", index)
        for part in [
            "vectors             2", "metric              ip", "ids                 10 to 11", "minmax", "east north",
        ] {
            #expect(info.results.contains(part), "\(info.results)")
        }
    }

    @Test("search works by id, vector and query file")
    func search() throws {
        let index = try builtIndex()
        func found(_ arguments: String...) -> [UInt64] {
            kin(["index", "search", index, "--json"] + arguments).neighborIDs
        }
        #expect(found("--id", "11") == [12, 10, 13])
        #expect(found("--id", "11", "-k", "1") == [12])
        #expect(found("--vector", "2.9,0", "-k", "2") == [13, 12])
        #expect(found("--vector", "[2.9, 0]", "-k", "1") == [13])
        #expect(found("--vector", "north=1", "-k", "1") == [10])
        #expect(found("--id", "11", "--within", "1") == [12])
        #expect(found("--id", "11", "--only-ids", "10,13") == [10, 13])
        #expect(found("--id", "11", "--where", "id in (10, 12)") == [12, 10])
        #expect(found("--id", "11", "--where", "id != 12", "--only-ids", "12-13") == [13])
        #expect(found("--id", "11", "--explain", "-k", "2") == [12, 10])
        let queries = try folder.file("q.csv", "north,note,east\n0,x,3.2\n1,y,0\n")
        #expect(found("--queries", queries, "-k", "1") == [13, 10])
        #expect(found("--queries", queries, "--within", "0.5") == [13, 10])
        let people = kin("index", "search", index, "--queries", queries, "-k", "1")
        #expect(people.results.contains("query 0\n  rank   id   squared distance\n     1   13   0.04\n"))
        #expect(people.notes.contains("2 queries, "))
    }

    /// 4,500 points of a plane, in an index with the given options.
    private func points(_ options: String...) throws -> String {
        let csv = try folder.file("p.csv", "x,y\n" + (0..<4_500).map { "\($0 % 67),\($0 / 67)\n" }.joined())
        let index = folder.path("p.kin")
        answered(
            kin(["index", "build", csv, "-o", index] + options),
            options.contains("flat") ? "2 dimensions, metric" : " list")
        return index
    }

    @Test("-- ends the options, and an option of one letter may have its value attached")
    func optionSyntax() throws {
        let index = try builtIndex()
        let expected = kin("index", "search", index, "--id", "10", "-k", "2", "--json").results
        for options in [["-k2", "--json", "--"], ["--json", "-k=2", "--"]] {
            let run = kin(["index", "search", "--id", "10"] + options + [index])
            #expect(run.status == 0 && run.results == expected, "\(run)")
        }
        // After --, a word that begins with a dash is a file, an id or any other value.
        refused(kin("index", "search", "--id", "10", "--", "--help"), 66, "--help")
        let store = folder.path("s.db")
        let soul = #"[{"user_id": "-dash", "goals": {"sleep": 1}}]"#
        #expect(kin("put", soul, "--store", store).status == 0)
        answered(kin("sessions", "--store", store, "--", "-dash"))
        refused(kin("sessions", "-dash", "--store", store), 64, "a value that begins with - follows --")
        refused(kin("index", "search", index, "-k0"), 64, "-k must be from 1")
        refused(kin("index", "search", index, "-jsno"), 64, "did you mean json?")
    }

    @Test("an inverted file is built, described, verified and searched in every mode")
    func lists() throws {
        let index = try points("--kind", "ivf", "--partition", "lists=3")
        let info = kin("index", "info", index).results
        for part in [
            "kind", "ivf (lists; a search visits", "by k-means lists", "radius of a box", "recall was not measured",
        ] {
            #expect(info.contains(part), "\(part): \(info)")
        }
        let record = try kin("index", "info", index, "--json").object()
        let lists = try #require(record["lists"] as? [String: Any])
        #expect(record["kind"] as? String == "ivf" && lists["partition"] as? String == "k-means lists")
        #expect(kin("index", "verify", index).results.contains("intact"))
        let exact = kin("index", "search", index, "--id", "140", "-k", "5").results
        for mode in ["exact", "recall=1", "probes=1000"] {
            #expect(kin("index", "search", index, "--id", "140", "-k", "5", "--mode", mode).results == exact, "\(mode)")
        }
        let explained = kin("index", "search", index, "--id", "140", "--mode", "probes=1", "--explain").results
        #expect(explained.contains("lists visited") && explained.contains("the nearest list;"), "\(explained)")
        #expect(kin("index", "search", try points("--partition", "median"), "--id", "140", "-k", "5").results == exact)
        let flat = try points("--kind", "flat")
        #expect(kin("index", "info", flat).results.contains("flat (every search"))
        refused(kin("index", "search", flat, "--id", "1", "--mode", "recall=0.9"), 64, "this index is flat")
    }

    @Test("a build with little memory writes the same index and column file")
    func buildInPieces() throws {
        let numbers = (0..<9_000).map { "\($0 * 7 % 9_001),\($0 % 97),\($0 % 89)" }
        let csv = try folder.file("v.csv", "id,east,north\n" + numbers.joined(separator: "\n") + "\n")
        let (whole, pieces) = (folder.path("whole.kin"), folder.path("pieces.kin"))
        #expect(kin("index", "build", csv, "--kind", "ivf", "-o", whole).status == 0)
        let built = kin("index", "build", csv, "--memory", "16M", "-o", pieces, "--json")
        #expect(built.status == 0, "\(built.notes)")
        #expect(try folder.bytes("whole.kin") == folder.bytes("pieces.kin"))
        #expect(try folder.bytes("whole.kin.columns.json") == folder.bytes("pieces.kin.columns.json"))
        #expect(kin("index", "search", pieces, "--vector", "east=3,north=4", "-k", "1").status == 0)
        for (options, text) in [
            (["--memory", "1M"], "must be 16M or more"), (["--memory", "much"], "must be 16M or more"),
            (["--memory", "9e9G"], "must be 16M or more"),
            (["--memory", "1G", "--kind", "flat"], "leave --kind flat out"),
            (["--memory", "1G", "--scale", "standard"], "all rows at once"),
            (["--memory", "1G", "--attribute", "east:number"], "all rows at once"),
        ] {
            refused(kin(["index", "build", csv, "-o", pieces] + options), 64, text)
        }
        let twice = try folder.file("twice.csv", "id,a\n1,2\n1,3\n")
        refused(kin("index", "build", twice, "--memory", "16M", "-o", pieces), 65, "the id 1 is given twice")
        #expect(try folder.bytes("whole.kin") == folder.bytes("pieces.kin"))
    }

    @Test("verify exits with 0 if intact and 65 with the location if damaged")
    func verify() throws {
        let index = try builtIndex()
        let good = kin("index", "verify", index)
        #expect(good.status == 0)
        #expect(good.results.contains("intact"))
        var bytes = try folder.bytes("t.kin")
        bytes[bytes.count / 2] ^= 1
        _ = try folder.file("t.kin", bytes)
        let bad = kin("index", "verify", index)
        #expect(bad.status == 65)
        #expect(bad.results.contains("damaged") || bad.notes.contains("Error"))
        let json = kin("index", "verify", index, "--json")
        #expect(json.status == 65)
        _ = try folder.file("t.kin", Array(bytes.prefix(100)))
        let short = kin("index", "verify", index)
        #expect(short.status == 65 && short.results.contains("damaged") && short.results.contains("cut short"))
        #expect(kin("index", "info", index).status == 65)
    }

    @Test("each kind of error has its exit status")
    func statuses() throws {
        let index = try builtIndex()
        let csv = folder.path("t.csv")
        let bad = try folder.file("bad.csv", "a\nx\n")
        let souls = try folder.file("souls.jsonl", "{\"user_id\": \"u1\", \"valence\": 7}\n")
        let cases: [([String], Int32, String)] = [
            (["idnex"], 64, "did you mean 'kin index'?"),
            (["index", "search", index], 64, "exactly one of --id, --vector and --queries"),
            (["index", "search", index, "--id", "10", "--vector", "1,2"], 64, "exactly one"),
            (["index", "search", index, "--id", "10", "--only-ids", "a"], 64, "must be ids or ranges"),
            (["index", "search", index, "--id", "10", "--within", "1", "--explain"], 64, "--explain"),
            (["index", "search", index, "--id", "10", "--where", "id in"], 64, "a list of values is missing"),
            (["index", "search", index, "--id", "10", "--where", "mood = 1"], 64, "mood"),
            (["index", "search", index, "--vector", "1"], 64, "2 dimensions, this vector has 1"),
            (["index", "search", index, "--vector", "est=1"], 64, "did you mean east?"),
            (["index", "search", index, "--id", "7"], 65, "no vector with id 7"),
            (["index", "search", csv, "--id", "7"], 65, "not an index; build one with `kin index build"),
            (["index", "search", folder.path("none.kin"), "--id", "7"], 66, "make it: `kin index build"),
            (["index", "build", bad, "-o", index], 65, "'x'"),
            (["index", "build", csv, "-o", folder.path("x.csv")], 64, "use a name such as"),
            (["index", "build", csv, "-o", folder.path("none/x.kin")], 73, "none"),
            (["index", "build", folder.path("none.csv"), "-o", index], 66, "there is no such file"),
            (["index", "build", csv, "-o", index, "--partition", "lists=0"], 64, "auto, median and lists=N"),
            (["index", "build", csv, "-o", index, "--kind", "flat", "--partition", "median"], 64, "--kind ivf"),
            (["index", "search", index, "--id", "10", "--mode", "recall=2"], 64, "at most 1"),
            (["index", "search", index, "--id", "10", "--mode", "quick"], 64, "the modes are"),
            (["index", "search", index, "--id", "10", "--mode", "probes=2", "--within", "1"], 64, "leave out --mode"),
            (["repl", index, "-c", "near 10", "-f", "x"], 64, "not both"),
            (["repl", index, "-f", folder.path("none.txt")], 66, "there is no such file"),
            (["generate", "uniform", "--count", "0", "-o", folder.path("x.csv")], 64, "count must be"),
            (["generate", "uniform", "--count", "5", "-o", folder.path("x.zip")], 64, "--format"),
            (["generate", "uniform", "--count", "5", "-o", folder.path("x.bvecs")], 64, "csv, npy or fvecs"),
            (["generate", "uniform", "--count", "5", "-o", folder.path("none/x.csv")], 73, "folder"),
            (["near", "session:s1", "--store", folder.path("none.db")], 66, "there is no store"),
            (["match", souls, "--user", "u1"], 65, "line 1"),
        ]
        for (arguments, status, message) in cases { refused(kin(arguments), status, message) }
    }

    @Test("a store that cannot be looked at is not taken for a missing one")
    func unreachableStore() throws {
        let loop = folder.path("loop.db")
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let commands = [["users", "--store"], ["export", "--store"], ["store", "export", "--store"], ["repl"]]
        for command in commands { refused(kin(command + [loop]), 74, "cannot look at") }
        for command in commands { refused(kin(command + [folder.path("none.db")]), 66, "there is no store") }
    }

    @Test("the REPL runs commands from -c and -f and stops at the first error")
    func repl() throws {
        let index = try builtIndex()
        let two = kin("repl", index, "-c", "near 11 k 1", "-c", "get 10")
        #expect(two.status == 0)
        #expect(two.results == "  rank   id   squared distance\n     1   12   1\n  east    0\n  north   1\n")
        let script = try folder.file("s.txt", "# first\nset k 1\nnear 11\nneer 12\nnear 13\n")
        let stopped = kin("repl", index, "-f", script)
        #expect(stopped.status == 64)
        #expect(stopped.notes.contains("did you mean near?"))
        #expect(stopped.notes.contains("\(script), line 4: stopped here"))
        #expect(!stopped.results.contains("13"))
        let change = kin("repl", index, "-c", "remove 10", "-c", "quit", "-c", "near 11")
        #expect(change.status == 0)
        #expect(change.notes == "1 change not saved; add `save` at the end\n")
        #expect(kin("repl", index, "-c", "remove 10", "-c", "save").status == 0)
        #expect(kin("repl", index, "-c", "get 10").status == 65)
    }

    @Test("kmeans writes centroids of a whole file or of its pieces")
    func kmeans() throws {
        let points = folder.path("points.npy")
        let made = kin("generate", "clustered", "--count", "3000", "--clusters", "12", "--seed", "3", "-o", points)
        #expect(made.status == 0)
        let table = try VectorTable(reading: points).matrix()
        let (whole, pieces) = (folder.path("whole.npy"), folder.path("pieces.npy"))
        let run = kin("kmeans", points, "-k", "12", "-o", whole, "--seed", "5")
        #expect(run.status == 0 && run.results.hasPrefix("\(whole): 12 centroids of 3,000 vectors of 16 dimensions"))
        let expected = try KMeans(k: 12, seed: 5).fit(table)
        #expect(try VectorTable(reading: whole).matrix() == expected.centroids)

        let json = kin("kmeans", points, "-k", "12", "-o", pieces, "--seed", "5", "--batch", "700", "--json")
        #expect(json.results.contains("\"points\":3000") && json.results.contains("\"batch\":700"), "\(json.results)")
        var stream = MiniBatchKMeans(k: 12, seed: 5)
        for first in stride(from: 0, to: 3_000, by: 700) {
            let count = min(700, 3_000 - first)
            let rows = Array(table.elements[first * 16..<(first + count) * 16])
            try stream.partialFit(Matrix(rows: count, columns: 16, elements: rows))
        }
        #expect(try VectorTable(reading: pieces).matrix() == stream.centroids)

        refused(
            kin("kmeans", points, "-k", "4000", "-o", pieces, "--force", "--batch", "500"), 64,
            "4000 clusters need at least as many")
    }

    @Test("every example in every help parses as a command line")
    func examples() throws {
        var examples: [String] = []
        func collect(_ path: [String]) {
            let run = kin(path + ["--help"])
            #expect(run.status == 0)
            examples += run.results.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("kin ") || $0.contains("| kin ") }
        }
        examples += HelpTopic.all.map(\.example)
        for name in KinCommand.all.map(\.name) + MethodTable.names {
            collect(name.split(separator: " ").map(String.init))
        }
        #expect(examples.count > 80)
        for example in examples {
            let words = shellWords(example)
            let start = try #require(words.lastIndex(of: "kin"))
            let arguments = Array(words[(start + 1)...].prefix { $0 != ">" })
            #expect(throws: Never.self, "\(example)") {
                if arguments != ["demo"] { _ = try toolRequest(arguments) }
            }
        }
    }

    /// The words of a shell command, with double quotes.
    private func shellWords(_ line: String) -> [String] {
        var words: [String] = []
        for (index, part) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 {
                words.append(String(part))
            } else {
                words += part.split(separator: " ").map(String.init)
            }
        }
        return words
    }

    @Test("the help lists every exit status")
    func help() {
        let help = kin("help", "all").results
        for status in ProcessStatus.allCases { #expect(help.contains("\(status.rawValue)   \(status.meaning)")) }
    }
}
