import Kin
import KinDrawings
import KinFiles

/// Measuring the present mode against the exact one.
extension ReplSession {
    func recall(queries count: Int, file path: String?) throws {
        guard file.index.count > 1 else {
            throw KinError(.invalidArgument, "recall needs an index of at least 2 vectors; put some in with `upsert`")
        }
        let trial = RecallTrial(index: file.index, k: k, filter: prepared, threads: threads)
        let queries = try path.map { path in try fileQueries(path, atMost: count) } ?? trial.drawQueries(count)
        guard !queries.isEmpty else { throw Failure.usage("\(path ?? "the file") holds no vectors") }
        let exact = try trial.run(queries, mode: .exact)
        let tried = mode == .exact ? nil : try trial.run(queries, mode: mode)
        let found = RecallTrial.recall(of: (tried ?? exact).answers, against: exact.answers)
        let seconds = (tried ?? exact).seconds
        let record: Record = [
            "mode": mode.text, "k": k, "queries": queries.count, "recall": found.mean, "standard_error": found.error,
            "seconds": seconds, "exact_seconds": exact.seconds,
        ]
        print(record) {
            console.print(
                "  \(NumberText.count(queries.count, "query")) from \(path ?? "the index, each left out of its own answer"), k = \(k)"
            )
            func row(_ title: String, _ recall: String, _ seconds: Double) -> [String] {
                let rate = NumberText.threeDigits(1 / max(seconds, 1e-9))
                return [title, recall, NumberText.duration(.seconds(seconds)), rate]
            }
            let own = tried.map { row(mode.text, RecallText.text(found.mean, error: found.error), $0.seconds) }
            console.print(
                TextTable(
                    ["", "recall", ">a query", ">queries a second"],
                    [row("exact", "1", exact.seconds)] + (own.map { [$0] } ?? [])))
            if tried != nil {
                say("\(NumberText.threeDigits(exact.seconds / max(seconds, 1e-9))) × as fast as exact search")
            } else {
                let isFlat = file.index.kind == .flat
                say(
                    isFlat
                        ? "a flat index is always exact" : "the mode is exact; compare another: `set mode recall 0.95`")
            }
        }
    }

    private func fileQueries(_ path: String, atMost count: Int) throws -> [RecallTrial.Query] {
        var selection = ColumnSelection()
        selection.preferred = file.space.names
        var table = try VectorFileReader(selection: selection).read(path, console: console)
        try file.requireQueries(table, from: path)
        file.space.scale(&table)
        return (0..<min(count, table.count)).map { RecallTrial.Query(vector: table.row($0), excluded: nil) }
    }
}

/// Searches one by one in two modes, timed.
struct RecallTrial {
    struct Query {
        let vector: [Float]
        /// The query's own id, left out of its answer.
        let excluded: VectorID?
    }

    struct Outcome {
        let answers: [[VectorID]]
        /// Of one search, in the mean.
        let seconds: Double
    }

    let index: any VectorIndex
    let k: Int
    /// Nil where every vector is allowed.
    let filter: SearchFilter?
    let threads: Int

    /// Vectors of the index, drawn at random from a fixed seed: the same index gives the same queries.
    func drawQueries(_ count: Int) -> [Query] {
        var ids = index.ids
        var generator = SeededGenerator(seed: 1)
        let drawn = min(count, ids.count)
        for place in 0..<drawn { ids.swapAt(place, place + generator.below(ids.count - place)) }
        return ids[..<drawn].compactMap { id in index.vector(for: id).map { Query(vector: $0, excluded: id) } }
    }

    /// Searches twice and times the second time, when memory is as warm for one mode as for the other.
    func run(_ queries: [Query], mode: SearchMode) throws(KinError) -> Outcome {
        _ = try answers(queries, mode: mode)
        let start = ContinuousClock.now
        let answers = try answers(queries, mode: mode)
        return Outcome(answers: answers, seconds: (ContinuousClock.now - start).seconds / Double(queries.count))
    }

    private func answers(_ queries: [Query], mode: SearchMode) throws(KinError) -> [[VectorID]] {
        var answers: [[VectorID]] = []
        answers.reserveCapacity(queries.count)
        for query in queries {
            let own = OwnNeighbor(query.excluded, k: k, mode: mode, filter: filter)
            let found = try index.search(
                query.vector, k: own.wanted, mode: mode, where: own.filter, threads: threads)
            answers.append(own.others(found).map(\.id))
        }
        return answers
    }

    /// The share of the true neighbours that were found, in the mean over the queries, and its standard error; a query without
    /// neighbours lost none.
    static func recall(of found: [[VectorID]], against truth: [[VectorID]]) -> (mean: Double, error: Double) {
        let shares = zip(found, truth).map { found, truth in
            truth.isEmpty ? 1 : Double(Set(found).intersection(truth).count) / Double(truth.count)
        }
        let n = Double(shares.count)
        let mean = shares.reduce(0, +) / n
        let variance = shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, n - 1)
        return (mean, (variance / n).squareRoot())
    }
}
