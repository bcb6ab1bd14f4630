import KinFiles
import Testing

@testable import KinShell

@Suite("Completion and spelling")
struct CompletionTests {
    /// An empty index of profiles.
    private func session() -> ReplSession {
        ReplSession(IndexFile(index: VectorIndex(dimension: 16, layout: .flat), space: VectorSpace(dimension: 16)))
    }

    @Test(
        "Tab offers the possible next words",
        arguments: [
            ("ne", ["near "]),
            (":", [":explain ", ":json ", ":plot ", ":timing "]),
            ("near nat", ["nature_mirror="]),
            ("near po", ["post=", "power="]),
            ("near nature_mirror=0.9 mo", ["mobility="]),
            ("near nature_mirror=", []),
            ("near 42 am", ["among "]),
            ("within 0.3 ", ["of "]),
            ("within 0.3 of hor", ["horizon="]),
            ("upsert 42 foo", ["food="]),
            ("set m", ["metric ", "mode "]),
            ("set mode ", ["exact", "probes ", "recall "]),
            ("reca", ["recall"]),
            ("recall 50 f", ["from "]),
            ("plan nat", ["nature_mirror="]),
            ("set metric ", Metric.allCases.map(\.rawValue).sorted()),
            (":timing o", ["off", "on"]),
            ("help wi", ["within"]),
            ("get 4", []),
            ("zzz", []),
        ] as [(String, [String])]
    )
    func offers(text: String, candidates: [String]) {
        #expect(session().completion(of: text).candidates == candidates)
    }

    @Test("Tab offers ids of the index at the position of an id")
    func ids() throws {
        var table = VectorTable(dimension: 16, elements: [Float](repeating: 0.5, count: 16 * 500))
        table.columns = Pleasure.Dimension.names
        let session = ReplSession(try IndexFile(table, metric: .squaredL2, scale: nil))
        #expect(session.completion(of: "near 49").candidates == ["49"] + (490...499).map { "\($0)" })
        #expect(session.completion(of: "within 0.3 of 7").candidates == ["7"] + (70...79).map { "\($0)" })
        #expect(session.completion(of: "get 0").candidates == ["0"])
        #expect(session.completion(of: "get 12345678901234567890").candidates == [])
        #expect(session.completion(of: "get 18446744073709551615").candidates == [])
        #expect(session.completion(of: "near 1").candidates.count == 40)
        #expect(session.completion(of: "set k 1").candidates == [])
    }

    @Test("shell completion offers commands and options")
    func commandLines() {
        #expect(Shell.candidates(["ind"]) == ["index"])
        #expect(Shell.candidates(["index", ""]) == ["build", "info", "recommend", "search", "verify"])
        #expect(Shell.candidates(["index", "search", "--on"]) == ["--only-ids"])
        #expect(Shell.candidates(["missions", "--wea"]) == ["--weather"])
        #expect(Shell.candidates(["forecast", "--"]).contains("--coverage"))
        #expect(kin("--generate-completion-script").results.contains("complete -o default -F _kin kin"))
        #expect(kin("--complete", "mis").results == "missions\n")
    }

    @Test("the common prefix of all candidates is added")
    func addition() {
        #expect(session().completion(of: "near po").addition == "")
        #expect(session().completion(of: "near nat").addition == "ure_mirror=")
        #expect(session().completion(of: "near an").addition == "")
        #expect(session().completion(of: ":e").addition == "xplain ")
    }
}
