import Ceilings
import Kin
import Measuring

/// One query at a time on 16 dimensions: bound by reading codes, 16 bytes per vector at first, and 8 after a few dozen
/// queries.
struct SinglePart {
    let setting: Setting

    func run() throws {
        let options = setting.options
        print("\n### One query at a time, 16 dimensions, squared L2\n")
        var table = Table([
            "vectors", "threads", "µs a query", "median", "bytes read a query", "survivors", "rate of reading", "bound",
            "share of the bound",
        ])
        for count in [options.vectors, options.large] where count > 0 { try addRows(count, to: &table) }
        print(table)
        print("\nThe bound: the bytes that a query reads, at the rate measured for this number of bytes and threads.")
    }

    private func addRows(_ count: Int, to table: inout Table) throws {
        let options = setting.options
        let data = try options.profiles(count, queries: 50)
        let rows = data.queries.arrays()
        var index = VectorIndex(dimension: 16, layout: .flat)
        _ = try index.append(data.vectors)
        let truth = DoublePrecisionScan(vectors: data.vectors, metric: .squaredL2)
        // Runs queries until the index has built its structures for single queries.
        for query in rows + rows { _ = try index.search(query, k: options.k) }
        let report = try index.explain(rows[0], k: options.k)
        for threads in options.threads.values {
            for query in rows.prefix(options.checked) {
                let found = try index.search(query, k: options.k, options: .init(threads: threads))
                try truth.check(found, of: query[...], k: options.k)
            }
            let timing = try time(index, rows, threads: threads)
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

    /// Seconds per query. On one thread through the caller's buffer, without allocation.
    private func time(_ index: VectorIndex, _ queries: [[Float]], threads: Int) throws -> Timing {
        let k = setting.options.k
        var results = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: k)
        return try Timing.single(queries, seconds: setting.options.seconds) { query in
            if threads == 1 {
                var buffer = results.mutableSpan
                _ = try index.search(query.span, into: &buffer)
            } else {
                _ = try index.search(query, k: k, options: .init(threads: threads))
            }
        }
    }
}
