import Ceilings
import Kin
import Measuring

/// One query at a time on 16 dimensions: bound by reading codes, 16 bytes of them a vector at first and 8 from some dozens of queries on.
struct SinglePart {
    private let setting: Setting

    init(_ setting: Setting) { self.setting = setting }

    func run() throws {
        let options = setting.options
        print("\n### One query at a time, 16 dimensions, squared L2\n")
        var table = Table([
            "vectors", "threads", "µs a query", "median", "read a query", "survivors", "read at", "bound",
            "of the bound",
        ])
        for count in [options.vectors, options.large] where count > 0 { try addRows(count, to: &table) }
        print(table)
        print("\nThe bound: what a query reads, at the rate measured for as many bytes on as many threads.")
    }

    private func addRows(_ count: Int, to table: inout Table) throws {
        let options = setting.options
        let vectors = try options.data.matrix(rows: count, dimension: 16, seed: options.seed, stream: 0)
        let queries = try options.data.matrix(rows: 50, dimension: 16, seed: options.seed, stream: 1)
        var index = VectorIndex(dimension: 16, layout: .flat)
        _ = try index.append(vectors)
        let truth = DoublePrecisionScan(vectors: vectors, metric: .squaredL2)
        // Until the index has what it makes for single queries.
        for row in 0..<100 { _ = try index.search(Array(queries.row(row % queries.rows)), k: options.k) }
        let report = try index.explain(Array(queries.row(0)), k: options.k)
        for threads in options.threadCounts {
            for row in 0..<min(options.checked, queries.rows) {
                let found = try index.search(Array(queries.row(row)), k: options.k, options: .init(threads: threads))
                try truth.check(found, of: queries.row(row), k: options.k)
            }
            let timing = try time(index, queries, threads: threads)
            let bytes = Double(report.bytesRead)
            let bound = Ceilings.readingRate(bytes: report.bytesRead, threads: threads)
            table.add([
                "\(count)", "\(threads)", (1e6 * timing.best).shown, (1e6 * timing.median).shown,
                "\((1e-6 * bytes).shown) MB", "\(report.survivors)",
                "\((1e-9 * bytes / timing.best).shown) GB/s",
                "\((1e-9 * bound).shown) GB/s", "\((100 * bytes / timing.best / bound).fixed(0)) %",
            ])
        }
    }

    /// Seconds of one query. On one thread through the caller's buffer, which allocates nothing.
    private func time(_ index: VectorIndex, _ queries: Matrix<Float>, threads: Int) throws -> Timing {
        let k = setting.options.k
        var rows = (0..<queries.rows).map { Array(queries.row($0)) }
        var results = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: k)
        // As many queries a round as a tenth of the time allows.
        let one = try Timing.measure(seconds: 0) {
            _ = try index.search(rows[0], k: k, options: .init(threads: threads))
        }
        rows = Array(rows.prefix(max(1, Int(min(Double(rows.count), setting.options.seconds / 10 / one.best)))))
        let timing = try Timing.measure(seconds: setting.options.seconds) {
            for query in rows {
                if threads == 1 {
                    var buffer = results.mutableSpan
                    _ = try index.search(query.span, into: &buffer)
                } else {
                    _ = try index.search(query, k: k, options: .init(threads: threads))
                }
            }
        }
        let count = Double(rows.count)
        return Timing(best: timing.best / count, median: timing.median / count)
    }
}
