import KinIndex
import Testing

@Suite("Neighbour votes")
struct NeighborVoteTests {
    @Test("the most common label wins, and ties go to the nearest")
    func winners() {
        #expect(NeighborVote.winner(of: ["b", "a", "a"]) == "a")
        #expect(NeighborVote.winner(of: ["b", "a"]) == "b")
        #expect(NeighborVote.winner(of: ["c", "b", "a", "a", "b"]) == "b")
        #expect(NeighborVote.winner(of: []) == nil)
    }

    @Test("correct guesses and mistakes are counted")
    func counts() throws {
        var index = VectorIndex(dimension: 1, layout: .flat)
        let ids: [VectorID] = [7, 8, 9]
        try index.upsert(Matrix(rows: 3, columns: 1, elements: [0, 1, 10]), ids: ids)
        let answers = try index.search(Matrix(rows: 4, columns: 1, elements: [0.1, 0.2, 9, 8]), k: 1)
        let vote = NeighborVote(
            answers: answers, teaching: ["a", "b", "c"], truth: ["a", "c", "a", "a"], ids: ids)
        #expect(vote.tested == 4 && vote.correct == 1 && vote.accuracy == 0.25)
        let mistakes = vote.commonestMistakes(5).map { "\($0.truth)\($0.guess)\($0.count)" }
        #expect(mistakes == ["ac2", "ca1"])
    }
}

@Suite("Flat and inverted-file indexes")
struct VectorIndexTests {
    @Test("both layouts give the same answers and keep their layout under cosine")
    func alike() throws {
        var random = SeededGenerator(seed: 11)
        let elements = (0..<600).map { _ in Float(random.below(1000)) / 1000 }
        let vectors = try Matrix(rows: 200, columns: 3, elements: elements)
        let ids = (0..<200).map { VectorID(UInt64($0)) }
        var answers: [[VectorID]] = []
        for layout in [IndexLayout.flat, .lists] {
            var index = VectorIndex(dimension: 3, layout: layout)
            try index.upsert(vectors, ids: ids)
            let other = try index.rebuilt(under: .cosine, threads: 1)
            #expect(other.layout == layout && other.metric == .cosine && other.count == 200)
            let own = OwnNeighbor(5, k: 4, mode: .exact, filter: nil)
            let found = try index.search(
                try #require(try index.vector(for: 5)), k: own.wanted,
                options: .init(mode: .exact, where: own.filter, threads: 1))
            answers.append(own.others(found).map(\.id))
            #expect(answers.last?.count == 4 && answers.last?.contains(5) == false)
            let trial = RecallTrial(index: index, k: 4, filter: nil, threads: 1)
            let queries = trial.drawQueries(20)
            let exact = try trial.run(queries, mode: .exact).answers
            let half = exact.map { Array($0.prefix(2)) }
            #expect(RecallTrial.recall(of: exact, against: exact) == (1, 0))
            #expect(RecallTrial.recall(of: half, against: exact) == (0.5, 0))
            if layout == .flat {
                #expect(throws: KinError.self) {
                    try index.search([0, 0, 0], k: 1, options: .init(mode: .probes(1), where: .all, threads: 1))
                }
            }
        }
        #expect(answers[0] == answers[1])
        #expect(IndexLayout.automatic(count: 10_000, dimension: 64) == .lists)
        #expect(IndexLayout.automatic(count: 9999, dimension: 2) == .flat)
    }
}
