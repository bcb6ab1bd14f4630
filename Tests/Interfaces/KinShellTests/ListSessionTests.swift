import KinSamples
import KinTestSupport
import Testing

@testable import KinShell

/// Made once, with enough profiles for a measurement of recall.
private let profiles: Result<IndexFile, any Error> = Result {
    let generator = try ProfileGenerator(.clustered(clusters: 20), count: 10_000, dimension: 4, seed: 3)
    var table = VectorTable(dimension: 4, elements: generator.elements(threads: 2))
    table.columns = ["a", "b", "c", "d"]
    return try IndexFile(table, metric: .squaredL2, scale: nil, layout: .lists, threads: 2)
}

@Suite("The REPL on an inverted file")
struct ListSessionTests {
    private let folder: TemporaryFolder
    private let transcript = Transcript()
    private let session: ReplSession

    init() throws {
        folder = TemporaryFolder()
        session = ReplSession(
            try profiles.get(), path: folder.path("p.kin"), threads: 2, isInteractive: false,
            console: transcript.console)
    }

    private func answer(_ line: String) -> [String] { transcript.answer(line, of: session) }

    private func object(_ line: String) throws -> [String: Any] { try jsonObject(answer(line)[0]) }

    @Test("recommend uses likes, dislikes, diversity and exclusions")
    func recommends() throws {
        func ids(_ line: String) throws -> [UInt64] {
            let neighbors = try #require(object(line)["neighbors"] as? [[String: Any]])
            return neighbors.compactMap { $0["id"] as? UInt64 }
        }
        #expect(answer("recommend 42").first?.contains("score") == true)
        _ = answer(":json on")
        let near = try ids("near 42 k 12")
        #expect(try ids("recommend 42 k 12") == near)
        #expect(try ids("recommend 42 k 5 exclude \(near[0]),\(near[2])") == [near[1]] + near[3...6])
        let index = try profiles.get().index
        let wanted = Recommendation(
            positive: [.id(42), .id(57), .vector([0.5, 0, 0, 0.25])], negative: [.id(9)], negativeWeight: 0.25,
            diversity: 0.2)
        #expect(
            try ids("recommend 42,57 vector a=0.5 d=0.25 unlike 9 unlike_weight 0.25 diversity 0.2 k 7")
                == index.recommend(wanted, k: 7).map(\.id.rawValue))
        #expect(transcript.refusal("recommend unlike 9", of: session).contains("example"))
        #expect(transcript.refusal("recommend 42 per_category 2", of: session).contains("belong together"))
        for (line, word) in [
            ("recommend 99999999", "99999999"), ("recommend 42 diversity 0.5", "0.5"),
            ("recommend 42 category colour per_category 1", "colour"),
        ] {
            transcript.clear()
            #expect(session.execute(line) != .done && transcript.notes.contains(word), "\(line): \(transcript.notes)")
        }
    }

    @Test("a mode applies to later searches and is shown")
    func mode() throws {
        let exact = answer("near 42 k 20")
        #expect(answer("set") == ["  k 10, metric l2, mode exact, threads 2"])
        #expect(answer("set mode recall 0.3") == ["  k 10, metric l2, mode recall 0.3, threads 2"])
        #expect(answer("near 42 k 20") != exact)
        #expect(answer("set mode recall=1") == ["  k 10, metric l2, mode recall 1, threads 2"])
        #expect(answer("near 42 k 20") == exact)
        #expect(answer("set mode probes 1").first?.contains("probes 1") == true)
        _ = answer("set mode exact")
        #expect(answer("near 42 k 20") == exact)
    }

    @Test("recall measures the mode against exact search")
    func recall() throws {
        #expect(answer("recall 20").last == "  the mode is exact; compare another: `set mode recall 0.95`")
        _ = answer("set mode recall 0.8")
        let lines = answer("recall 50")
        #expect(lines.first == "  50 queries from the index, each left out of its own answer, k = 10")
        #expect(lines.contains { $0.contains("recall 0.8   0.") && $0.contains("±") }, "\(lines)")
        #expect(lines.last?.hasSuffix(" × as fast as exact search") == true)
        _ = answer(":json on")
        let measured = try object("recall 300")
        let recall = try #require(measured["recall"] as? Double)
        // The target is 0.8, with a standard error of less than 0.02 on 300 queries: at most three errors below, and
        // not all queries exact.
        #expect(recall > 0.74 && recall < 1, "\(recall)")
        #expect(measured["queries"] as? Int == 300 && measured["mode"] as? String == "recall 0.8")
        // The same, computed directly.
    }

    @Test("a vector is not its own neighbour, and the requested number remains")
    func ownNeighbor() throws {
        let index = session.file.index
        let query = try #require(try index.vector(for: 42))
        for filter in [nil, IDList("0-500")?.filter] {
            let exact = OwnNeighbor(42, k: 9, mode: .exact, filter: filter)
            let sure = OwnNeighbor(42, k: 9, mode: .recall(1), filter: filter)
            let found = try [(exact, SearchMode.exact), (sure, .recall(1))].map { own, mode in
                own.others(
                    try index.search(query, k: own.wanted, options: .init(mode: mode, where: own.filter, threads: 1)))
            }
            #expect(found[0] == found[1] && found[0].count == 9 && !found[0].contains { $0.id == 42 })
        }
        #expect(OwnNeighbor(42, k: 10, mode: .recall(0.9), filter: nil).wanted == 10)
        #expect(OwnNeighbor(nil, k: 10, mode: .exact, filter: nil).wanted == 10)
    }

    @Test("recall takes queries from a file, in the units of the data")
    func recallFromFile() throws {
        let csv = try folder.file("q.csv", "d,c,b,a\n0.1,0.2,0.3,0.4\n0.5,0.5,0.5,0.5\n0.9,0.1,0.2,0.3\n")
        _ = answer("set mode probes 1")
        #expect(answer("recall 2 from \(csv)").first == "  2 queries from \(csv), k = 10")
        #expect(answer("recall from \"\(csv)\"").first == "  3 queries from \(csv), k = 10")
        let narrow = try folder.file("n.csv", "x,y\n1,2\n")
        let refused = transcript.refusal("recall from \(narrow)", of: session, as: .dataError)
        #expect(refused.contains("the queries have 2 columns, the index has 4 dimensions"))
        #expect(session.execute("recall from \(folder.path("none.csv"))") == .failed(.noInput))
    }

    @Test("lists prints the number, sizes and a histogram")
    func lists() throws {
        let lines = answer("lists")
        let index = session.file.index
        #expect(lines.first?.contains("\(index.listCount) by median splits") == true, "\(lines)")
        #expect(lines.contains { $0.contains("radius of a box") } && lines.contains { $0.contains("█") }, "\(lines)")
        _ = answer(":json on")
        let record = try object("lists")
        #expect(record["count"] as? Int == index.listCount)
        #expect(record["largest"] as? Int == index.listReport?.sizes.max())
    }

    @Test("plan prints mode, filter and lists of the last search by default")
    func plan() throws {
        _ = answer("near 77")
        let exact = answer("plan").joined(separator: "\n")
        for part in ["vector 77, k 10", "exact: a box is skipped only if", "none", "lists visited"] {
            #expect(exact.contains(part), "\(part): \(exact)")
        }
        _ = answer("set mode recall 0.9")
        _ = answer("filter id < 5000")
        let relaxed = answer("plan a=0.5 k 3").joined(separator: "\n")
        for part in ["a vector of your own, k 3", "recall 0.9: boxes within ", "when measured", "id < 5000"] {
            #expect(relaxed.contains(part), "\(part): \(relaxed)")
        }
        _ = answer(":json on")
        let settings = try object("set")
        #expect(settings["mode"] as? String == "recall 0.9" && settings["k"] as? Int == 10)
        #expect(try object("filter")["filter"] as? String == "id < 5000")
        let record = try object("plan 5")
        #expect(record["mode"] as? String == "recall 0.9" && record["filter"] as? String == "id < 5000")
        #expect((record["explain"] as? [String: Any])?["lists_visited"] is Int)
    }

    @Test("a filter limits every search until it is removed, even after changes")
    func filter() throws {
        func ids(_ line: String) -> Set<Int> {
            Set(answer(line).dropFirst().compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } })
        }
        _ = answer("filter id between 40 and 49 or id = 20000")
        #expect(ids("near 42") == Set(40...49).subtracting([42]))
        #expect(ids("near 42 among 45-60") == Set(45...49))
        #expect(ids("near 42 where id != 49") == Set(40...48).subtracting([42]))
        #expect(ids("within 100 of 42 among 0-41") == [40, 41])
        #expect(answer("plan 42").contains { $0.contains("filter   id between 40 and 49") })
        #expect(transcript.refusal("filter mood = good", of: session).contains("mood"))
        #expect(ids("near 42") == Set(40...49).subtracting([42]), "a refused filter leaves the old one")
        _ = answer("remove 41")
        _ = answer("upsert 20000 [0,0,0,1]")
        #expect(ids("near 42") == Set(40...49).subtracting([41, 42]).union([20_000]))
        _ = answer("set metric cosine")
        #expect(session.file.index.layout == .lists)
        #expect(ids("near 42") == Set(40...49).subtracting([41, 42]).union([20_000]))
        _ = answer("filter off")
        #expect(answer("near 42").count == 11)
    }

    @Test("a flat index explains its missing modes and lists and how to get them")
    func flat() throws {
        let table = VectorTable(dimension: 2, elements: [0, 0, 1, 1, 2, 2])
        let file = try IndexFile(table, metric: .squaredL2, scale: nil)
        let flat = ReplSession(file, path: "f.kin", threads: 1, isInteractive: false, console: transcript.console)
        for line in ["set mode recall 0.9", "set mode probes 3", "lists"] {
            let text = transcript.refusal(line, of: flat)
            #expect(text.contains("this index is flat") && text.contains("--kind ivf"), "\(text)")
        }
        #expect(flat.execute("set mode exact") == .done)
        #expect(transcript.answer("plan 1", of: flat).joined().contains("a flat index screens every vector"))
        #expect(transcript.answer("recall", of: flat).last == "  a flat index is always exact")
    }
}

@Suite("Histograms and recalls as text")
struct CellTextTests {
    @Test("sizes are counted in bins of equal width without loss")
    func histogram() {
        let table = SizeHistogram.table(of: [10, 11, 11, 19, 25, 25, 25, 25], bins: 4, width: 4)
        #expect(
            table.rows == [
                ["10 – 13", "3", "███"], ["14 – 17", "0", ""], ["18 – 21", "1", "█"], ["22 – 25", "4", "████"],
            ])
        #expect(SizeHistogram.table(of: [7, 7], width: 2).rows == [["7", "2", "██"]])
        #expect(SizeHistogram.table(of: []).rows.isEmpty)
        #expect(SizeHistogram.bar(0.5, width: 3) == "█▌")
        #expect(SizeHistogram.bar(0.0001, width: 8) == "▏")
    }

    @Test("a recall and its error are shown with the same digits")
    func recall() {
        #expect(RecallText.text(0.9567, error: 0.0031) == "0.957 ± 0.003")
        #expect(RecallText.text(1, error: 0) == "1.000 ± 0.000")
        #expect(RecallText.text(0.05, error: 0.012) == "0.050 ± 0.012")
    }
}
