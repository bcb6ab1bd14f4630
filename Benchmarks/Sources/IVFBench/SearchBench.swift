import Ceilings
import Kin
import Measuring

/// Searches in every mode, with and without filters.
struct SearchBench {
    let index: VectorIndex
    let queries: Matrix<Float>
    let truth: DoublePrecisionScan
    let options: IVFBenchOptions

    /// A table with a row for every mode.
    func modes() throws {
        print("\n### Searching\n")
        var table = Table(header("mode"))
        try addRows(to: &table, prefix: "", allowed: nil)
        print(table)
    }

    /// A table with rows for every share of allowed vectors.
    func filters() throws {
        guard !options.shares.values.isEmpty else { return }
        print("\n### Under filters\n")
        var table = Table(header("allowed, mode"))
        for (place, share) in options.shares.values.enumerated() {
            var generator = SeededGenerator.stream(UInt64(place), of: options.seed)
            var allowed = IDBitmap()
            for id in 0..<UInt64(index.count) where generator.uniform() < share { allowed.insert(VectorID(id)) }
            try addRows(to: &table, prefix: "\((100 * share).shown) %, ", allowed: allowed)
        }
        print(table)
    }

    private func header(_ first: String) -> [String] {
        [first, "recall", "µs a query", "median", "lists", "blocks", "survivors"]
            + options.threads.values.map { "QPS in batches, \($0) thread\($0 == 1 ? "" : "s")" }
    }

    /// A row for every mode, for the ids that a bitmap allows or for all ids.
    private func addRows(to table: inout Table, prefix: String, allowed: IDBitmap?) throws {
        let filter = allowed.map { SearchFilter.bitmap($0) } ?? .all
        let threads = options.mostThreads
        let exact = try index.search(queries, k: options.k, options: .init(where: filter, threads: threads))
        try check(filter: filter, allowed: allowed)
        for mode in options.modes.values {
            let found = try index.search(
                queries, k: options.k, options: .init(mode: mode, where: filter, threads: threads))
            table.add([prefix + mode.name, found.recall(of: exact).fixed(4)] + (try figures(mode, filter)))
        }
    }

    private func figures(_ mode: SearchMode, _ filter: SearchFilter) throws -> [String] {
        let single = try Timing.single(queries.arrays(), seconds: options.seconds) { query in
            _ = try index.search(query, k: options.k, options: .init(mode: mode, where: filter))
        }
        let counts = try counts(mode, filter)
        let batches = try options.threads.values.map { threads in
            let batch = try Timing.measure(seconds: options.seconds) {
                _ = try index.search(queries, k: options.k, options: .init(mode: mode, where: filter, threads: threads))
            }
            return (Double(queries.rows) / batch.best).shown
        }
        return [(1e6 * single.best).shown, (1e6 * single.median).shown] + counts + batches
    }

    /// Mean counts of a search: lists, blocks, survivors.
    private func counts(_ mode: SearchMode, _ filter: SearchFilter) throws -> [String] {
        let reports = try queries.arrays(100).map {
            try index.explain($0, k: options.k, options: .init(mode: mode, where: filter))
        }
        let sums = [
            reports.reduce(0) { $0 + ($1.lists?.visited ?? 0) }, reports.reduce(0) { $0 + $1.blocksScreened },
            reports.reduce(0) { $0 + $1.survivors },
        ]
        return sums.map { (Double($0) / Double(reports.count)).shown }
    }

    /// Throws if an exact search differs from the scan in double precision.
    private func check(filter: SearchFilter, allowed: IDBitmap?) throws {
        for query in queries.arrays(options.checked) {
            let found = try index.search(query, k: options.k, options: .init(where: filter))
            try truth.check(found, of: query[...], k: options.k, among: allowed)
        }
    }
}

extension NeighborTable {
    /// The share of the exact neighbours that were found.
    func recall(of exact: NeighborTable) -> Double {
        let hits = zip(self, exact).reduce(0) { $0 + Set($1.0.map(\.id)).intersection($1.1.map(\.id)).count }
        let all = exact.reduce(0) { $0 + $1.count }
        return all == 0 ? 1 : Double(hits) / Double(all)
    }
}
