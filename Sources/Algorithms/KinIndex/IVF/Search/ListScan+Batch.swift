// A batch is divided into groups of queries near each other. Threads process the groups one by one. A query that needs
// only a few lists finishes alone. Queries with many lists left wait for each other; see `QueryGroup`. The results of a
// query depend only on the order of its own lists, not on its group.

extension ListScan {
    /// Searches for each query of a batch.
    ///
    /// - Parameters:
    ///   - k: At most the number of rows.
    ///   - radii: The largest distance of a result for each query; nil for no limit.
    ///   - order: The processing order of the queries.
    func batch(_ queries: Matrix<Float>, k: Int, radii: [Double]?, order: [Int], threads: Int) -> NeighborTable {
        let n = queries.rows
        let stride = layout.stride
        let padded = stride == queries.columns ? queries : queries.padded(toColumns: stride)
        var counts = [Int](repeating: 0, count: n)
        var elements = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: n * k)
        let size = min(QueryGroup<NearestCollector>.largest, max(min(32, n / threads + 1), n / 4 / threads))
        let groups = (n + size - 1) / size
        unsafe padded.withUnsafeBufferPointer { all in
            unsafe elements.withUnsafeMutableBufferPointer { results in
                unsafe counts.withUnsafeMutableBufferPointer { counts in
                    let (all, results, counts) = unsafe (all, results, counts)
                    concurrently(
                        threads, taking: groups,
                        memory: { QueryGroup<NearestCollector>(scan: self, capacity: size) }
                    ) { number, group in
                        guard work?.advance(by: 0) ?? true else { return }
                        let chosen = order[number * size..<min((number + 1) * size, n)]
                        for q in chosen {
                            let slots = unsafe UnsafeMutableBufferPointer(rebasing: results[q * k..<(q + 1) * k])
                            unsafe group.begin(
                                all.baseAddress! + q * stride,
                                collector: NearestCollector(into: slots, within: radii?[q] ?? .infinity))
                        }
                        group.visitDeferred()
                        for (i, q) in chosen.enumerated() { unsafe counts[q] = group.finish(i) }
                        group.removeAll()
                        work?.advance(by: chosen.count)
                    }
                }
            }
        }
        return NeighborTable(elements: elements, counts: counts, width: k)
    }
}
