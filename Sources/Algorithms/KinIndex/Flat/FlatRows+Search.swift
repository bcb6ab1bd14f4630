// The arguments of these searches are checked, and filters are resolved, before the call.

extension FlatRows {
    /// Finds the k nearest rows for one query.
    ///
    /// - Throws: `.cancelled`.
    func search(
        _ query: [Float], k: Int, within radius: Double, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor] {
        var counters = SearchCounters()
        let work = scanWork
        let neighbors = nearest(
            to: query, k: k, within: radius, scan: scan(under: filter, work), threads: threads, counters: &counters)
        try work?.check()
        return neighbors
    }

    /// Finds the nearest rows for one query and writes them into the caller's memory.
    func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, within radius: Double,
        where filter: SearchFilter
    ) -> Int {
        guard results.count > 0, count > 0 else { return 0 }
        let scan = scan(under: filter)
        return unsafe results.withUnsafeMutableBufferPointer { all in
            unsafe query.withUnsafeBufferPointer { query in
                unsafe store.layout.withPadded(query.baseAddress!) { padded in
                    var counters = SearchCounters()
                    let slots = unsafe UnsafeMutableBufferPointer(rebasing: all[..<min(all.count, count)])
                    return unsafe scan.nearest(
                        to: padded, within: radius, chunks: store.chunks.indices, plan: plan(for: filter),
                        into: slots, counters: &counters)
                }
            }
        }
    }

    /// Finds the k nearest rows for each query of a batch, k at least 1.
    ///
    /// - Throws: `.cancelled`.
    func search(
        _ queries: Matrix<Float>, k: Int, radii: [Double]?, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> NeighborTable {
        let work = LongWork(of: queries.rows)
        let table = scan(under: filter, work)
            .nearest(toEach: queries, k: k, radii: radii, plan: plan(for: filter), threads: threads)
        try work.check()
        return table
    }

    /// Finds every row within a distance of a query.
    ///
    /// - Throws: `.cancelled`.
    func search(
        within radius: Double, of query: [Float], where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor] {
        let work = scanWork
        let scan = scan(under: filter, work)
        var counters = SearchCounters()
        let neighbors = unsafe query.withUnsafeBufferPointer { query in
            unsafe store.layout.withPadded(query.baseAddress!) { padded in
                unsafe scan.within(radius, of: padded, plan: plan(for: filter), threads: threads, counters: &counters)
            }
        }
        try work?.check()
        return neighbors
    }

    /// Searches for one query on one thread, and reports the work it took.
    func explain(_ query: [Float], k: Int, within radius: Double, where filter: SearchFilter) -> SearchReport {
        var counters = SearchCounters()
        let neighbors = nearest(
            to: query, k: k, within: radius, scan: scan(under: filter), threads: 1, counters: &counters)
        let layout = store.layout
        return SearchReport(
            neighbors: neighbors, rows: count, lists: nil,
            blocksScreened: counters.blocksScreened,
            survivors: counters.survivors, exactDistances: counters.exactDistances,
            bytesRead: counters.blocksScreened * layout.blockBytes
                + counters.exactDistances * layout.stride * 4,
            simdLevel: Kernels.active.name, codeBits: Kernels.active.precision.bits,
            plan: describe(counters, filter: filter))
    }

    private func describe(_ counters: SearchCounters, filter: SearchFilter) -> String {
        if case .visit(let slots) = plan(for: filter) {
            return "the filter allows only \(slots.count) of \(count) vectors: each was visited by itself"
        }
        let exact = "\(counters.exactDistances) distances in double precision"
        let blocks = counters.blocksScreened
        if blocks == 0 {
            return "every vector was compared: \(exact)"
        }
        let screened = "\(blocks) blocks of codes screened, \(counters.survivors) survivors; \(exact)"
        guard counters.chunksUnscreened > 0 else { return screened }
        return screened + "; \(counters.chunksUnscreened) chunks compared without a screen"
    }
}

// MARK: - Running

extension FlatRows {
    /// The plan of a scan under a resolved filter.
    func plan(for filter: SearchFilter) -> FlatScan<RowStore>.Plan {
        filter.fewSlots(in: store, of: store.layout, rows: count, map: map).map { .visit($0.sorted()) } ?? .scan
    }

    /// The scan under a resolved filter.
    func scan(under filter: SearchFilter, _ work: LongWork? = nil) -> FlatScan<RowStore> {
        FlatScan(store: store, filter: filter, work: work)
    }

    /// The progress of a scan for one query; nil if the scan takes less than about 100 µs.
    private var scanWork: LongWork? { count * store.layout.stride < 1 << 22 ? nil : LongWork(of: nil) }

    private func nearest(
        to query: [Float], k: Int, within radius: Double, scan: FlatScan<RowStore>, threads: Int,
        counters: inout SearchCounters
    ) -> [Neighbor] {
        let width = min(k, count)
        guard width > 0 else { return [] }
        return unsafe [Neighbor](unsafeUninitializedCapacity: width) { results, n in
            n = unsafe query.withUnsafeBufferPointer { query in
                unsafe store.layout.withPadded(query.baseAddress!) { padded in
                    unsafe scan.nearest(
                        to: padded, within: radius, plan: plan(for: scan.filter), threads: threads,
                        into: UnsafeMutableBufferPointer(rebasing: results[..<width]), counters: &counters)
                }
            }
        }
    }
}
