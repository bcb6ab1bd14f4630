/// Comparison of the current search mode with exact search.
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
                "  \(queries.count, "query") from \(path ?? "the index, each left out of its own answer"), k = \(k)"
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
                let isFlat = file.index.layout.isFlat
                say(
                    isFlat
                        ? "a flat index is always exact" : "the mode is exact; compare another: `set mode recall 0.95`")
            }
        }
    }

    private func fileQueries(_ path: String, atMost count: Int) throws -> [RecallTrial.Query] {
        var selection = ColumnSelection()
        selection.preferred = file.space.names
        selection.isScaled = file.space.scaling != nil
        var table = try VectorFile(path, columns: selection, on: console).read()
        try file.requireQueries(table, from: path)
        file.space.scale(&table)
        return (0..<min(count, table.count)).map { RecallTrial.Query(vector: table.row($0), excluded: nil) }
    }
}
