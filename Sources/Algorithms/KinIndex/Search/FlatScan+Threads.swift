// One query on several threads: each thread scans a range of chunks, and their results are merged. Waking a second
// thread takes about 50 µs, so a scan shorter than about twice that stays on the calling thread.

extension FlatScan {
    /// The number of rows times dimensions that one thread screens in about 100 µs.
    private static var worthSplitting: Int { 4 << 20 }

    /// The number of threads for one query if `wanted` are allowed.
    func threads(_ wanted: Int, plan: Plan) -> Int {
        guard case .scan = plan, store.count * layout.dimension > Self.worthSplitting else { return 1 }
        return max(1, min(wanted, store.chunks.count))
    }

    /// Each thread's range of chunks, in order.
    private func shares(_ threads: Int) -> [Range<Int>] {
        let n = store.chunks.count
        return (0..<threads).map { n * $0 / threads..<n * ($0 + 1) / threads }
    }

    /// Finds the nearest rows for one query on several threads.
    func nearest(
        to query: UnsafePointer<Float>, within radius: Double, plan: Plan, threads: Int,
        into results: UnsafeMutableBufferPointer<Neighbor>, counters: inout SearchCounters
    ) -> Int {
        let threads = self.threads(threads, plan: plan)
        guard threads > 1 else {
            return unsafe nearest(
                to: query, within: radius, chunks: store.chunks.indices, plan: plan, into: results,
                counters: &counters)
        }
        let parts = split(threads) { chunks, counters in
            let k = results.count
            return unsafe [Neighbor](unsafeUninitializedCapacity: k) { part, n in
                n = unsafe nearest(
                    to: query, within: radius, chunks: chunks, plan: plan,
                    into: UnsafeMutableBufferPointer(rebasing: part[..<k]), counters: &counters)
            }
        }
        var collector = unsafe NearestCollector(into: results)
        for (part, partCounters) in parts {
            for neighbor in part { collector.offer(neighbor.id, at: neighbor.distance) }
            counters.add(partCounters)
        }
        return collector.finish()
    }

    /// Finds every row within a radius, nearest first.
    func within(
        _ radius: Double, of query: UnsafePointer<Float>, plan: Plan, threads: Int, counters: inout SearchCounters
    ) -> [Neighbor] {
        let parts = split(self.threads(threads, plan: plan)) { chunks, counters in
            unsafe within(radius, of: query, chunks: chunks, plan: plan, counters: &counters)
        }
        for (_, partCounters) in parts { counters.add(partCounters) }
        return parts.flatMap(\.0).sorted()
    }

    /// Runs a search on each thread's range of chunks.
    private func split(
        _ threads: Int, _ search: (Range<Int>, inout SearchCounters) -> [Neighbor]
    ) -> [([Neighbor], SearchCounters)] {
        let shares = shares(threads)
        return concurrentMap(threads, threads, memory: {}) { t, _ in
            var counters = SearchCounters()
            let found = search(shares[t], &counters)
            return (found, counters)
        }
    }
}
