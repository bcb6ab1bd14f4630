public import KinCore
public import KinLinearAlgebra

extension FlatIndex {
    /// Finds the k vectors nearest to a query, exactly.
    ///
    /// The result is that of a scan in double precision: for squared L2 Σ (x − q)², for the inner product −⟨x, q⟩, for
    /// cosine 1 − ⟨x, q⟩ ∕ (‖x‖ ‖q‖), equal distances in ascending order of id.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers; not all zero for cosine.
    ///   - k: The number of neighbours, 0 or more; may exceed the number of vectors.
    ///   - filter: The vectors that may be returned.
    ///   - threads: The number of threads, 1 or more; short searches use one in any case.
    ///   - radius: The largest distance of a neighbour, in the metric's own units: a vector at this very distance is one.
    /// - Returns: The nearest vectors within the radius, nearest first: k, or as many as there are.
    /// - Throws: `.dimensionMismatch`, `.notFinite`, `.zeroVector` or `.invalidArgument` (k, threads, or a filter's expression that
    ///   does not fit the ``attributes``); `.cancelled`, as `withProgressHandler` says, unless the index is small.
    /// - Complexity: O(n · dimension); for 16 dimensions about 0.2 ns a vector.
    public func search(
        _ query: [Float], k: Int, where filter: SearchFilter = .all, threads: Int = 1, radius: Double = .infinity
    ) throws(KinError) -> [Neighbor] {
        try validation.checkArguments(k: k, threads: threads)
        try validation.check(query: query.span)
        try validation.check(radius: radius)
        let filter = try filter.resolved(by: attributes, rows: store, for: .fewRows, threads: threads)
        var counters = SearchCounters()
        let work = scanWork
        let found = nearest(
            to: query, k: k, within: radius, scan: scan(under: filter, work), threads: threads, counters: &counters)
        try work?.check()
        return found
    }

    /// Finds the nearest vectors for each query of a batch.
    ///
    /// - Parameters:
    ///   - queries: n × ``dimension``.
    ///   - k: The number of neighbours for each query, 0 or more.
    ///   - filter: The vectors that may be returned, the same for all queries.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it.
    ///   - radii: The radius of each query, as for one query; none when left out.
    /// - Returns: A row for each query: k neighbours, or as many as there are.
    /// - Throws: As for one query, naming the row; `.capacityExceeded` when the result would not fit in memory; `.cancelled`, as
    ///   `withProgressHandler` says, whose units are queries.
    /// - Complexity: O(queries · n · dimension).
    public func search(
        _ queries: Matrix<Float>, k: Int, where filter: SearchFilter = .all, threads: Int = 1, radii: [Double]? = nil
    ) throws(KinError) -> NeighborTable {
        try validation.checkArguments(k: k, threads: threads)
        try validation.check(queries: queries)
        try validation.check(radii: radii, queries: queries.rows)
        let width = min(k, count)
        try validation.checkResult(queries: queries.rows, width: width)
        let filter = try filter.resolved(by: attributes, rows: store, for: .manyRows, threads: threads)
        guard width > 0, queries.rows > 0 else {
            return NeighborTable(elements: [], counts: Array(repeating: 0, count: queries.rows), width: 0)
        }
        let work = LongWork(of: queries.rows)
        let found = scan(under: filter, work)
            .nearest(toEach: queries, k: width, radii: radii, plan: plan(for: filter), threads: threads)
        try work.check()
        return found
    }

    /// Finds the nearest vectors for one query and writes them into memory of the caller's.
    ///
    /// Nothing is allocated on the heap when the dimension is a multiple of 8, up to 1,024, and the filter is
    /// `.all`, `.predicate`, or a set with too many ids to be visited one by one (a prepared expression is such a set); but for the
    /// codes along principal axes that some of the first searches of a large index make.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` numbers.
    ///   - results: One slot for each neighbour to find.
    ///   - filter: The vectors that may be returned.
    ///   - radius: The largest distance of a neighbour, in the metric's own units.
    /// - Returns: The number of neighbours written, nearest first.
    /// - Throws: As `search(_:k:where:threads:radius:)`; the slots are untouched then.
    public func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, where filter: SearchFilter = .all,
        radius: Double = .infinity
    ) throws(KinError) -> Int {
        try validation.check(query: query)
        try validation.check(radius: radius)
        let filter = try filter.resolved(by: attributes, rows: store, for: .fewRows)
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

    /// Finds every vector within a distance of a query.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers; not all zero for cosine.
    ///   - radius: The largest distance, in the metric's own units: squared for squared L2, negated for the inner product.
    ///   - filter: The vectors that may be returned.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it.
    /// - Returns: The vectors at most that far, nearest first.
    /// - Throws: As `search(_:k:where:threads:radius:)`, and `.notFinite` for a radius that is NaN.
    /// - Complexity: O(n · dimension + m log m) for m results.
    public func rangeSearch(
        _ query: [Float], radius: Double, where filter: SearchFilter = .all, threads: Int = 1
    ) throws(KinError) -> [Neighbor] {
        try validation.checkArguments(k: 0, threads: threads)
        try validation.check(query: query.span)
        try validation.check(radius: radius)
        let filter = try filter.resolved(by: attributes, rows: store, for: .manyRows, threads: threads)
        guard count > 0 else { return [] }
        let work = scanWork
        let scan = scan(under: filter, work)
        var counters = SearchCounters()
        let found = unsafe query.withUnsafeBufferPointer { query in
            unsafe store.layout.withPadded(query.baseAddress!) { padded in
                unsafe scan.within(radius, of: padded, plan: plan(for: filter), threads: threads, counters: &counters)
            }
        }
        try work?.check()
        return found
    }
}

// MARK: - Running

extension FlatIndex {
    /// The plan of a scan under a resolved filter.
    func plan(for filter: SearchFilter) -> FlatScan<RowStore>.Plan {
        filter.fewSlots(in: store, rows: count, map: map).map { .visit($0.sorted()) } ?? .scan
    }

    /// The scan under a resolved filter.
    func scan(under filter: SearchFilter, _ work: LongWork? = nil) -> FlatScan<RowStore> {
        FlatScan(
            store: store, filter: filter,
            principalMaker: PrincipalCodeMaker.serves(store) ? store.principalMaker : nil, work: work)
    }

    /// The work of a scan for one query, unless that takes less than some 100 µs.
    private var scanWork: LongWork? { count * store.layout.stride < 1 << 22 ? nil : LongWork(of: nil) }

    /// Searches for a checked query.
    func nearest(
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
