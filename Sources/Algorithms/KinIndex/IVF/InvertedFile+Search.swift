// The arguments of these searches are already checked.

extension InvertedFile {
    /// Finds the k nearest rows for one query.
    func search(
        _ query: [Float], k: Int, within radius: Double, by parameters: SearchParameters, _ plan: FilterPlan
    ) -> [Neighbor] {
        let width = min(k, count)
        return plan.scan(store, by: parameters) { scan in
            ListScanMemory.with(for: scan.store) { scan.nearest(width, to: query, within: radius, memory: $0) }
        }
    }

    /// Finds the nearest rows for one query and writes them into the caller's memory.
    func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, within radius: Double,
        by parameters: SearchParameters, _ plan: FilterPlan
    ) -> Int {
        let width = min(results.count, count)
        guard width > 0 else { return 0 }
        // Both spans outlive the call. No closure captures the lists themselves: that would copy them and increment a
        // reference count for every part.
        let slots = unsafe results.withUnsafeMutableBufferPointer { unsafe $0 }
        let query = unsafe query.withUnsafeBufferPointer { unsafe $0 }
        return plan.scan(store, by: parameters) { scan in
            ListScanMemory.with(for: scan.store) { memory in
                unsafe scan.layout.withPadded(query.baseAddress!) { padded in
                    unsafe scan.nearest(
                        to: padded, within: radius, into: UnsafeMutableBufferPointer(rebasing: slots[..<width]),
                        memory: memory)
                }
            }
        }
    }

    /// Finds every row within a distance of a query.
    func search(within radius: Double, of query: [Float], _ plan: FilterPlan) -> [Neighbor] {
        plan.scan(store, by: .exact) { scan in
            ListScanMemory.with(for: scan.store) { memory in
                unsafe query.withUnsafeBufferPointer { query in
                    unsafe scan.layout.withPadded(query.baseAddress!) { padded in
                        unsafe scan.within(radius, of: padded, memory: memory)
                    }
                }
            }
        }
    }

    /// Finds the k nearest rows for each query of a batch, k at least 1.
    ///
    /// - Throws: `.cancelled`.
    func search(
        _ queries: Matrix<Float>, k: Int, radii: [Double]?, by parameters: SearchParameters, _ plan: FilterPlan,
        threads: Int
    ) throws(KinError) -> NeighborTable {
        let work = LongWork(of: queries.rows)
        let table = plan.scan(store, by: parameters) { scan in
            if scansEverything(scan, queries, k: k, radii: radii) {
                store.contentCheck?.checkAll()
                return FlatScan(store: ListChunks(plan.lists(of: store)), filter: scan.filter, work: work)
                    .nearest(toEach: queries, k: k, radii: radii, plan: .scan, threads: threads)
            }
            var scan = scan
            scan.work = work
            // Finding the lists of the queries takes longer than comparing them with few rows.
            let order =
                scan.slots == nil && plan.lists(of: store).count >= count / 16
                ? queryOrder(queries, threads: threads) : Array(0..<queries.rows)
            return scan.batch(queries, k: k, radii: radii, order: order, threads: threads)
        }
        try work.check()
        return table
    }

    /// Whether a batch is searched by a scan of all rows. A scan is faster if boxes exclude so little that screening
    /// many queries at once wins, as with many dimensions without structure.
    ///
    /// Measured with 16 dimensions on uniform vectors; a search screens 20 % of the vectors. Through the lists, a batch
    /// takes 0.53 of the time of a scan with AVX2 and 0.45 with VNNI, including visits to lists and their boxes. Fewer
    /// than 64 queries gain less from a scan: with 128 dimensions, which screen all vectors, it takes a fifth of the time.
    ///
    /// For a target recall, a few of the queries are searched through the lists first. On normal vectors of 16 to 64
    /// dimensions, the lists take about as long as a scan if a search for one neighbour screens 0.2 of the blocks, for
    /// ten 0.35 and for a hundred 0.5.
    func scansEverything(_ scan: ListScan, _ queries: Matrix<Float>, k: Int, radii: [Double]?) -> Bool {
        let isTile = queries.rows >= Kernels.tileQueries
        guard scan.slots == nil, !scan.parameters.isProbing, calibration.exactShare > (isTile ? 0.35 : 0.6) else {
            return false
        }
        guard !scan.parameters.isExact else { return true }
        guard isTile else { return false }
        let sample = min(8, queries.rows / Kernels.tileQueries)
        let screened = ListScanMemory.with(for: scan.store) { memory in
            for q in (0..<sample).map({ $0 * queries.rows / sample }) {
                _ = scan.nearest(k, to: Array(queries.row(q)), within: radii?[q] ?? .infinity, memory: memory)
            }
            return memory.counters.blocksScreened
        }
        let most = k < 10 ? 0.2 : k < 100 ? 0.35 : 0.5
        return Double(screened) > most * Double(sample * scan.store.blockCount)
    }

    /// The queries in the order of their lists, so that queries that visit the same lists find them in the cache.
    private func queryOrder(_ queries: Matrix<Float>, threads: Int) -> [Int] {
        let stride = store.layout.stride
        let padded = stride == queries.columns ? queries : queries.padded(toColumns: stride)
        let lists = unsafe padded.withUnsafeBufferPointer { rows in
            concurrentMap(threads, rangesOf: queries.rows, atLeast: 256) { range in
                range.map { unsafe UInt32(store.partitionList(of: rows.baseAddress! + $0 * stride, partition)) }
            }
        }
        return ListAssignment(labels: Array(lists.joined()), lists: partition.listCount, threads: threads)
            .order.map { Int($0) }
    }

    /// The parameters of a search with a mode, for k neighbours.
    ///
    /// - Parameter filter: The filter of the search.
    func parameters(
        for mode: SearchMode, k: Int, under filter: SearchFilter = .all
    ) throws(KinError) -> SearchParameters {
        try mode.check(hasLists: true)
        return switch mode {
        case .exact: .exact
        // A few long vectors attract all queries to lists that the measurement hardly read.
        case .recall where store.layout.metric == .innerProduct && calibration.isOutdated: .exact
        case .recall(let recall): calibration.parameters(for: recall, k: k, isFiltered: !filter.isAll)
        case .probes(let lists): SearchParameters(probes: lists)
        }
    }
}

/// The chunks of all lists in order, for a scan of all rows.
struct ListChunks: ChunkRows {
    let layout: RowLayout
    let chunks: [Chunk]
    let count: Int
    /// The number of rows before each chunk.
    private let starts: [Int]

    init(_ store: ListStore) {
        layout = store.layout
        count = store.count
        chunks = store.lists.lazy.map(\.chunk).filter { $0.count > 0 }
        var starts: [Int] = []
        var total = 0
        for chunk in chunks {
            starts.append(total)
            total += chunk.count
        }
        self.starts = starts
    }

    func location(of row: Int) -> (chunk: Int, row: Int) {
        let chunk = starts.partition { $0 <= row } - 1
        return (chunk, row - starts[chunk])
    }
}
