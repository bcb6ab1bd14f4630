public import KinCore
public import KinLinearAlgebra

extension IVFIndex {
    /// Finds the k vectors nearest to a query.
    ///
    /// In `.exact` mode the result is that of a scan in double precision, as for ``FlatIndex``.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers; not all zero for cosine.
    ///   - k: The number of neighbours, 0 or more; may exceed the number of vectors.
    ///   - mode: The exactness of the search.
    ///   - filter: The vectors that may be returned.
    ///   - radius: The largest distance of a neighbour, in the metric's own units: a vector at this very distance is one. Boxes beyond
    ///     it are skipped in every mode, and with probes a finite one keeps more lists from being read.
    /// - Returns: The nearest vectors within the radius, nearest first: k, or as many as there are; in other modes than `.exact` the
    ///   nearest that were met.
    /// - Throws: `.dimensionMismatch`, `.notFinite`, `.zeroVector` or `.invalidArgument` (k, mode, or a filter's expression that
    ///   does not fit the ``attributes``).
    public func search(
        _ query: [Float], k: Int, mode: SearchMode = .exact, where filter: SearchFilter = .all,
        radius: Double = .infinity
    ) throws(KinError) -> [Neighbor] {
        try validation.checkArguments(k: k, threads: 1)
        try validation.check(query: query.span)
        try validation.check(radius: radius)
        let parameters = try parameters(for: mode, k: k)
        let plan = try plan(under: filter, for: .fewRows, queries: 1, threads: 1)
        let width = min(k, count)
        return plan.scan(store, by: parameters) { scan in
            ListScanMemory.with(for: scan.store) { scan.nearest(width, to: query, within: radius, memory: $0) }
        }
    }

    /// Finds the nearest vectors for one query and writes them into memory of the caller's.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` numbers.
    ///   - results: One slot for each neighbour to find.
    ///   - mode: The exactness of the search.
    ///   - filter: The vectors that may be returned.
    ///   - radius: The largest distance of a neighbour.
    /// - Returns: The number of neighbours written, nearest first.
    /// - Throws: As ``search(_:k:mode:where:radius:)``; the slots are untouched then.
    public func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, mode: SearchMode = .exact,
        where filter: SearchFilter = .all, radius: Double = .infinity
    ) throws(KinError) -> Int {
        try validation.check(query: query)
        try validation.check(radius: radius)
        let parameters = try parameters(for: mode, k: results.count)
        let plan = try plan(under: filter, for: .fewRows, queries: 1, threads: 1)
        let width = min(results.count, count)
        guard width > 0 else { return 0 }
        // Both spans outlive the call. No closure refers to the index itself: it would be copied, with a count for every part of it.
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

    /// Finds every vector within a distance of a query.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers; not all zero for cosine.
    ///   - radius: The largest distance, in the metric's own units: squared for squared L2, negated for the inner product.
    ///   - filter: The vectors that may be returned.
    /// - Returns: The vectors at most that far, nearest first.
    /// - Throws: As ``search(_:k:mode:where:radius:)``, and `.notFinite` for a radius that is NaN.
    public func rangeSearch(
        _ query: [Float], radius: Double, where filter: SearchFilter = .all
    ) throws(KinError) -> [Neighbor] {
        try validation.check(query: query.span)
        try validation.check(radius: radius)
        let plan = try plan(under: filter, for: .manyRows, queries: 1, threads: 1)
        guard count > 0 else { return [] }
        return plan.scan(store, by: .exact) { scan in
            ListScanMemory.with(for: scan.store) { memory in
                unsafe query.withUnsafeBufferPointer { query in
                    unsafe scan.layout.withPadded(query.baseAddress!) { padded in
                        unsafe scan.within(radius, of: padded, memory: memory)
                    }
                }
            }
        }
    }

    /// Finds the nearest vectors for each query of a batch.
    ///
    /// - Parameters:
    ///   - queries: n × ``dimension``.
    ///   - k: The number of neighbours, 0 or more.
    ///   - mode: The exactness of the search.
    ///   - filter: The vectors that may be returned.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it.
    ///   - radii: The radius of each query, as for one query; none when left out.
    /// - Returns: A row for each query.
    /// - Throws: As for one query, naming the row; `.capacityExceeded` when the result would not fit in memory; `.cancelled`, as
    ///   `withProgressHandler` says, whose units are queries.
    public func search(
        _ queries: Matrix<Float>, k: Int, mode: SearchMode = .exact, where filter: SearchFilter = .all,
        threads: Int = 1, radii: [Double]? = nil
    ) throws(KinError) -> NeighborTable {
        try validation.checkArguments(k: k, threads: threads)
        try validation.check(queries: queries)
        try validation.check(radii: radii, queries: queries.rows)
        let parameters = try parameters(for: mode, k: k)
        let width = min(k, count)
        try validation.checkResult(queries: queries.rows, width: width)
        let plan = try plan(under: filter, for: .manyRows, queries: queries.rows, threads: threads)
        guard width > 0, queries.rows > 0 else {
            return NeighborTable(elements: [], counts: Array(repeating: 0, count: queries.rows), width: 0)
        }
        let work = LongWork(of: queries.rows)
        let found = plan.scan(store, by: parameters) { scan in
            if scan.slots == nil, scansEverything(scan.parameters, queries: queries.rows) {
                return FlatScan(store: ListChunks(plan.lists(of: store)), filter: scan.filter, work: work)
                    .nearest(toEach: queries, k: width, radii: radii, plan: .scan, threads: threads)
            }
            var scan = scan
            scan.work = work
            return scan.batch(queries, k: width, radii: radii, order: queryOrder(queries), threads: threads)
        }
        try work.check()
        return found
    }

    /// Whether a batch is searched by a scan of all rows: when boxes exclude so little that screening many queries at a time is quicker,
    /// as in many dimensions without structure.
    ///
    /// Measured at 16 dimensions on uniform vectors, of which a search screens a fifth: through the lists a batch takes .53 of the time of a scan
    /// with AVX2 and .45 with VNNI, visits to lists and their boxes included.
    func scansEverything(_ parameters: SearchParameters, queries: Int) -> Bool {
        parameters.isExact && queries >= Kernels.tileQueries && calibration.exactShare > 0.35
    }

    /// The queries in the order of the lists they belong to, so that queries that visit the same lists do so while these are in the
    /// cache.
    private func queryOrder(_ queries: Matrix<Float>) -> [Int] {
        let stride = store.layout.stride
        let padded = stride == dimension ? queries : queries.padded(toColumns: stride)
        let lists = unsafe padded.withUnsafeBufferPointer { rows in
            (0..<queries.rows).map { unsafe store.partitionList(of: rows.baseAddress! + $0 * stride, partition) }
        }
        return lists.indices.sorted { (lists[$0], $0) < (lists[$1], $1) }
    }

    /// The parameters of a search in a mode, for k neighbours.
    func parameters(for mode: SearchMode, k: Int) throws(KinError) -> SearchParameters {
        switch mode {
        case .exact:
            return .exact
        case .recall(let recall):
            guard recall > 0, recall <= 1 else {
                throw KinError(.invalidArgument, "a recall of \(recall) is not above 0 and at most 1")
            }
            return calibration.parameters(for: recall, k: k)
        case .probes(let lists):
            guard lists >= 1 else { throw KinError(.invalidArgument, "probes is \(lists); it is 1 or more") }
            return SearchParameters(probes: lists)
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
