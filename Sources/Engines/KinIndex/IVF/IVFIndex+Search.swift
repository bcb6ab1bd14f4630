public import KinCore
public import KinLinearAlgebra
import Synchronization

extension IVFIndex {
    /// Finds the k vectors nearest to a query.
    ///
    /// In `.exact` mode the result is that of a scan in double precision, as for ``FlatIndex``.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers; not all zero for cosine.
    ///   - k: How many neighbours are wanted, 0 or more; there may be more than there are vectors.
    ///   - mode: How much to look at.
    ///   - filter: Which vectors may be returned.
    /// - Returns: The min(k, number allowed) nearest vectors, nearest first; in other modes than `.exact` the nearest that were
    ///   met, as many.
    /// - Throws: `.dimensionMismatch`, `.notFinite`, `.zeroVector` or `.invalidArgument` (k, mode, or a filter's expression that
    ///   does not fit the ``attributes``).
    public func search(
        _ query: [Float], k: Int, mode: SearchMode = .exact, where filter: Filter = .all
    ) throws(KinError) -> [Neighbor] {
        try door.checkArguments(k: k, threads: 1)
        try door.check(query: query.span)
        let extent = try extent(of: mode, k: k)
        let plan = try plan(under: filter, for: .fewRows, queries: 1, threads: 1)
        let scan = CellScan(plan, extent: extent, index: store)
        let memory = pool.take(for: scan.store)
        defer { pool.giveBack(memory) }
        return nearest(to: query, k: k, scan: scan, memory: memory)
    }

    /// Searches for a checked query.
    func nearest(to query: [Float], k: Int, scan: CellScan, memory: CellScanMemory) -> [Neighbor] {
        let width = min(k, count)
        guard width > 0 else { return [] }
        return unsafe [Neighbor](unsafeUninitializedCapacity: width) { results, n in
            n = unsafe query.withUnsafeBufferPointer { query in
                unsafe store.layout.withPadded(query.baseAddress!) { padded in
                    unsafe scan.nearest(
                        to: padded, into: UnsafeMutableBufferPointer(rebasing: results[..<width]), memory: memory)
                }
            }
        }
    }

    /// Finds the nearest vectors for one query and writes them into memory of the caller's.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` numbers.
    ///   - results: One place for each neighbour wanted.
    ///   - mode: How far to look.
    ///   - filter: Which vectors may be found.
    /// - Returns: How many neighbours were written, nearest first.
    /// - Throws: As ``search(_:k:mode:where:)``; the places are untouched then.
    public func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, mode: SearchMode = .exact,
        where filter: Filter = .all
    ) throws(KinError) -> Int {
        try door.check(query: query)
        let extent = try extent(of: mode, k: results.count)
        let plan = try plan(under: filter, for: .fewRows, queries: 1, threads: 1)
        guard results.count > 0, count > 0 else { return 0 }
        let scan = CellScan(plan, extent: extent, index: store)
        let memory = pool.take(for: scan.store)
        defer { pool.giveBack(memory) }
        return unsafe results.withUnsafeMutableBufferPointer { all in
            unsafe query.withUnsafeBufferPointer { query in
                unsafe store.layout.withPadded(query.baseAddress!) { padded in
                    unsafe scan.nearest(
                        to: padded, into: UnsafeMutableBufferPointer(rebasing: all[..<min(all.count, count)]),
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
    ///   - filter: Which vectors may be found.
    /// - Returns: The vectors at most that far, nearest first.
    /// - Throws: As ``search(_:k:mode:where:)``, and `.notFinite` for a radius that is NaN.
    public func neighbors(
        of query: [Float], within radius: Double, where filter: Filter = .all
    ) throws(KinError) -> [Neighbor] {
        try door.check(query: query.span)
        guard !radius.isNaN else { throw KinError(.notFinite, "the radius is not a number") }
        let plan = try plan(under: filter, for: .manyRows, queries: 1, threads: 1)
        guard count > 0 else { return [] }
        let scan = CellScan(plan, extent: .exact, index: store)
        let memory = pool.take(for: scan.store)
        defer { pool.giveBack(memory) }
        return unsafe query.withUnsafeBufferPointer { query in
            unsafe store.layout.withPadded(query.baseAddress!) { padded in
                unsafe scan.within(radius, of: padded, memory: memory)
            }
        }
    }

    /// Finds the nearest vectors for each query of a batch.
    ///
    /// - Parameters:
    ///   - queries: n × ``dimension``.
    ///   - k: How many neighbours are wanted.
    ///   - mode: How far to look.
    ///   - filter: Which vectors may be found.
    ///   - threads: How many threads may work on it; the result does not depend on that.
    /// - Returns: A row for each query.
    /// - Throws: As for one query, naming the row; `.capacityExceeded` when the result would not fit in memory.
    public func search(
        _ queries: Matrix<Float>, k: Int, mode: SearchMode = .exact, where filter: Filter = .all, threads: Int = 1
    ) throws(KinError) -> NeighborTable {
        try door.checkArguments(k: k, threads: threads)
        try door.check(queries: queries)
        let extent = try extent(of: mode, k: k)
        let width = min(k, count)
        try door.checkResult(queries: queries.rows, width: width)
        let plan = try plan(under: filter, for: .manyRows, queries: queries.rows, threads: threads)
        guard width > 0, queries.rows > 0 else {
            return NeighborTable(elements: [], counts: Array(repeating: 0, count: queries.rows), width: 0)
        }
        let scan = CellScan(plan, extent: extent, index: store)
        if scan.slots == nil, scansEverything(scan.extent, queries: queries.rows) {
            return scanAll(scan.store, queries, k: width, where: scan.filter, threads: threads)
        }
        return scan.batch(queries, k: width, order: queryOrder(queries), threads: threads)
    }

    /// Whether a batch is searched by a scan of everything: when the boxes rule out so little that the quicker screen of many
    /// queries at a time wins, as on vectors without structure.
    ///
    /// Measured at 16 dimensions: a block visited through the cells takes a query 56 ns, one of a scan in tiles 9 ns.
    func scansEverything(_ extent: SearchExtent, queries: Int) -> Bool {
        extent.isExact && queries >= Kernels.tileQueries && dial.exactShare > 0.16
    }

    private func scanAll(
        _ cells: CellStore, _ queries: Matrix<Float>, k: Int, where filter: Filter, threads: Int
    ) -> NeighborTable {
        let scan = FlatScan(store: CellChunks(cells), filter: filter)
        let stride = store.layout.stride
        let padded = stride == dimension ? queries : queries.padded(toColumns: stride)
        var counts = [Int](repeating: 0, count: queries.rows)
        var elements = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: queries.rows * k)
        unsafe padded.withUnsafeBufferPointer { all in
            unsafe elements.withUnsafeMutableBufferPointer { results in
                unsafe counts.withUnsafeMutableBufferPointer { counts in
                    unsafe scan.nearest(
                        toEach: all.baseAddress!, count: queries.rows, k: k, plan: .scan, threads: threads,
                        into: results.baseAddress!, counts: counts.baseAddress!)
                }
            }
        }
        return NeighborTable(elements: elements, counts: counts, width: k)
    }

    /// The queries in the order of the cells they belong to, so that those that look at the same cells do so while these
    /// are in the cache.
    private func queryOrder(_ queries: Matrix<Float>) -> [Int] {
        let stride = store.layout.stride
        let padded = stride == dimension ? queries : queries.padded(toColumns: stride)
        let cells = unsafe padded.withUnsafeBufferPointer { rows in
            (0..<queries.rows).map { unsafe store.cell(for: rows.baseAddress! + $0 * stride, partition) }
        }
        return cells.indices.sorted { (cells[$0], $0) < (cells[$1], $1) }
    }

    /// What a mode means for this index.
    func extent(of mode: SearchMode, k: Int) throws(KinError) -> SearchExtent {
        switch mode {
        case .exact:
            return .exact
        case .recall(let recall):
            guard recall > 0, recall <= 1 else {
                throw KinError(.invalidArgument, "a recall of \(recall) is not above 0 and at most 1")
            }
            return SearchExtent(relaxation: dial.relaxation(for: recall, k: k))
        case .probes(let cells):
            guard cells >= 1 else { throw KinError(.invalidArgument, "probes is \(cells); it is 1 or more") }
            return SearchExtent(probes: cells)
        }
    }
}
