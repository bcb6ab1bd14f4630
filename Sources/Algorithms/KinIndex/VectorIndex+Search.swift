extension VectorIndex {
    /// Finds the k vectors nearest to a query.
    ///
    /// In `.exact` mode the result equals that of a scan in double precision. The distance is Σ (x − q)² for squared
    /// L2, −⟨x, q⟩ for the inner product, and 1 − ⟨x, q⟩ ∕ (‖x‖ ‖q‖) for cosine. Equal distances are in ascending order
    /// of id.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers; not all zero for cosine.
    ///   - k: The number of neighbours, 0 or more; may exceed the number of vectors.
    ///   - options: Mode, filter, threads and radius.
    /// - Returns: The nearest vectors within the radius, nearest first: k, or fewer if fewer exist; with
    ///   ``SearchOptions/groupBy``, the nearest vectors of the k nearest groups. In modes other than
    ///   `.exact`, the nearest of the vectors visited.
    /// - Throws: `.dimensionMismatch`, `.notFinite`, `.zeroVector` or `.invalidArgument` (k, mode, threads, or a
    ///   filter's expression that does not match the ``attributes``); `.cancelled` as described in
    ///   `withProgressHandler`, for a scan of a large flat index.
    /// - Complexity: O(n · dimension) in the flat layout, about 0.2 ns per vector for 16 dimensions; with lists,
    ///   O(dimension) for each vector in the blocks that a box cannot exclude.
    public func search(
        _ query: [Float], k: Int, options: SearchOptions = SearchOptions()
    ) throws(KinError) -> [Neighbor] {
        try validation.checkArguments(k: k, threads: options.threads)
        try check(query.span, options)
        if let name = options.groupBy { return try search(query, k: k, groupedBy: name, options) }
        switch rows.kind {
        case .flat:
            let filter = try resolved(options, rows: rows.flat!.store, for: .fewRows)
            return try rows.flat!.search(
                query, k: k, within: options.singleRadius, where: filter, threads: options.threads)
        case .lists:
            let parameters = try rows.lists!.parameters(for: options.mode, k: k, under: options.filter)
            let plan = try rows.lists!.plan(
                under: options.filter, attributes, nameTable, for: .fewRows, queries: 1, threads: 1)
            return try intact(rows.lists!.search(query, k: k, within: options.singleRadius, by: parameters, plan))
        }
    }

    /// Finds the nearest vectors for one query and writes them into the caller's memory.
    ///
    /// No heap memory is allocated if the dimension is a multiple of 8, up to 1,024, and the filter is `.all`,
    /// `.predicate`, or a set with too many ids to visit one by one (such as a prepared expression). A search by groups
    /// allocates.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` numbers.
    ///   - results: One slot for each neighbour to find.
    ///   - options: Mode, filter and radius; the search uses one thread.
    /// - Returns: The number of neighbours written, nearest first.
    /// - Throws: As `search(_:k:options:)`; the slots are unchanged then.
    public func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, options: SearchOptions = SearchOptions()
    ) throws(KinError) -> Int {
        try check(query, options)
        if options.groupBy != nil {
            let found = try search((0..<query.count).map { query[$0] }, k: results.count, options: options)
            for (slot, neighbor) in found.enumerated() { results[slot] = neighbor }
            return found.count
        }
        switch rows.kind {
        case .flat:
            let filter = try resolved(options, rows: rows.flat!.store, for: .fewRows, threads: 1)
            return rows.flat!.search(query, into: &results, within: options.singleRadius, where: filter)
        case .lists:
            let parameters = try rows.lists!.parameters(for: options.mode, k: results.count, under: options.filter)
            let plan = try rows.lists!.plan(
                under: options.filter, attributes, nameTable, for: .fewRows, queries: 1, threads: 1)
            return try intact(
                rows.lists!.search(query, into: &results, within: options.singleRadius, by: parameters, plan))
        }
    }

    /// Finds the nearest vectors for each query of a batch.
    ///
    /// - Parameters:
    ///   - queries: n × ``dimension``.
    ///   - k: The number of neighbours for each query, 0 or more.
    ///   - options: Mode, filter, threads and radii. Only ``SearchOptions/radii`` and ``SearchOptions/filters`` differ
    ///     between the queries.
    /// - Returns: A row for each query: k neighbours, or fewer if fewer exist.
    /// - Throws: As for one query, with the row; `.capacityExceeded` if the result would not fit in memory;
    ///   `.cancelled` as described in `withProgressHandler`, with queries as units.
    /// - Complexity: O(queries · n · dimension) at most.
    public func search(
        _ queries: Matrix<Float>, k: Int, options: SearchOptions = SearchOptions()
    ) throws(KinError) -> NeighborTable {
        let threads = options.threads
        try validation.checkArguments(k: k, threads: threads)
        try validation.check(queries: queries)
        let radii = try validation.radii(options, queries: queries.rows)
        let width = min(k, count)
        try validation.checkResult(queries: queries.rows, width: width)
        if options.filters != nil || options.groupBy != nil { return try search(queries, k: k, oneByOne: options) }
        let isEmpty = width == 0 || queries.rows == 0
        let none = NeighborTable(elements: [], counts: Array(repeating: 0, count: isEmpty ? queries.rows : 0), width: 0)
        switch rows.kind {
        case .flat:
            let filter = try resolved(options, rows: rows.flat!.store, for: .manyRows)
            return isEmpty
                ? none : try rows.flat!.search(queries, k: width, radii: radii, where: filter, threads: threads)
        case .lists:
            let parameters = try rows.lists!.parameters(for: options.mode, k: k, under: options.filter)
            let plan = try rows.lists!.plan(
                under: options.filter, attributes, nameTable, for: .manyRows, queries: queries.rows, threads: threads)
            return isEmpty
                ? none
                : try intact(
                    rows.lists!.search(queries, k: width, radii: radii, by: parameters, plan, threads: threads))
        }
    }

    /// Finds every vector within a distance of a query.
    ///
    /// - Parameters:
    ///   - query: ``dimension`` finite numbers; not all zero for cosine.
    ///   - radius: The largest distance, in the metric's own units: squared for squared L2, negated for the inner
    ///     product.
    ///   - filter: The vectors that may be returned.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it. An index with lists uses one.
    /// - Returns: The vectors within the distance, nearest first.
    /// - Throws: As `search(_:k:options:)`, and `.notFinite` for a radius that is NaN.
    /// - Complexity: O(n · dimension + m log m) at most, for m results.
    public func rangeSearch(
        _ query: [Float], radius: Double, where filter: SearchFilter = .all, threads: Int = 1
    ) throws(KinError) -> [Neighbor] {
        let options = SearchOptions(where: filter, threads: threads, radius: radius)
        try validation.checkArguments(k: 0, threads: threads)
        try check(query.span, options)
        switch rows.kind {
        case .flat:
            let filter = try resolved(options, rows: rows.flat!.store, for: .manyRows)
            guard count > 0 else { return [] }
            return try rows.flat!.search(within: radius, of: query, where: filter, threads: threads)
        case .lists:
            let plan = try rows.lists!.plan(
                under: filter, attributes, nameTable, for: .manyRows, queries: 1, threads: 1)
            guard count > 0 else { return [] }
            return try intact(rows.lists!.search(within: radius, of: query, plan))
        }
    }

    /// Performs a search like `search(_:k:options:)`, on one thread, and reports the work it took.
    ///
    /// - Throws: As `search(_:k:options:)`; `.invalidArgument` for a search by groups.
    public func explain(
        _ query: [Float], k: Int, options: SearchOptions = SearchOptions()
    ) throws(KinError) -> SearchReport {
        try validation.checkArguments(k: k, threads: options.threads)
        try check(query.span, options)
        guard options.groupBy == nil else {
            throw KinError(.invalidArgument, "a search by groups is several searches; explain one without groups")
        }
        switch rows.kind {
        case .flat:
            let filter = try resolved(options, rows: rows.flat!.store, for: .fewRows, threads: 1)
            return rows.flat!.explain(query, k: k, within: options.singleRadius, where: filter)
        case .lists:
            let parameters = try rows.lists!.parameters(for: options.mode, k: k, under: options.filter)
            let plan = try rows.lists!.plan(
                under: options.filter, attributes, nameTable, for: .fewRows, queries: 1, threads: 1)
            return try intact(
                rows.lists!.explain(
                    query, k: k, within: options.singleRadius, in: options.mode, by: parameters, plan))
        }
    }

    /// Evaluates a filter once for many searches.
    ///
    /// An index with lists also copies the vectors that the filter allows into separate lists, if they are at most a
    /// quarter of all. The index does so automatically after several searches under a filter; this call does it at
    /// once. A search under the result takes no longer than a search in an index of only the allowed vectors.
    ///
    /// A prepared filter gives the same results as the original filter, on this index, its snapshots and any other
    /// index. After a change of the index or its attributes, the original filter is evaluated instead.
    ///
    /// - Parameters:
    ///   - filter: The filter to prepare.
    ///   - threads: The number of threads, 1 or more.
    /// - Throws: `.invalidArgument` if an expression does not match the ``attributes``, or threads is below 1.
    /// - Complexity: O(n) to evaluate the filter; with lists, about 0.3 µs more per allowed vector.
    public func prepare(_ filter: SearchFilter, threads: Int = 1) throws(KinError) -> SearchFilter {
        try validation.checkArguments(k: 0, threads: threads)
        switch rows.kind {
        case .flat:
            return
                try filter.prepared(
                    for: attributes, names: nameTable.idsOfTexts(hasVectors: !isEmpty), threads: threads)
        case .lists: return try intact(rows.lists!.prepare(filter, attributes, nameTable, threads: threads))
        }
    }

    /// The form of a filter that searches evaluate.
    func resolved(
        _ filter: SearchFilter, for use: SearchFilter.Use = .fewRows, threads: Int = 1
    ) throws(KinError) -> SearchFilter {
        switch rows.kind {
        case .flat:
            try filter.resolved(by: attributes, nameTable, rows: rows.flat!.store, for: use, threads: threads)
        case .lists:
            try filter.resolved(
                by: attributes, nameTable, rows: ListSlots(store: rows.lists!.store), for: use, threads: threads)
        }
    }

    @inline(__always)
    private func check(_ query: Span<Float>, _ options: SearchOptions) throws(KinError) {
        try validation.check(query: query)
        try validation.check(radius: options.radius)
        if let radii = options.radii { try validation.check(radii: radii, queries: 1) }
        if options.filters != nil { throw Self.filtersOfABatch }
    }

    /// The filter of a search in the flat layout, which reads all chunks.
    ///
    /// - Throws: `.invalidArgument`, also if the mode is probes; `.corruptFile` if a chunk is damaged.
    @inline(__always)
    private func resolved(
        _ options: SearchOptions, rows: RowStore, for use: SearchFilter.Use, threads: Int? = nil
    ) throws(KinError) -> SearchFilter {
        try options.mode.check(hasLists: false)
        try requireIntact()
        return try options.filter.resolved(
            by: attributes, nameTable, rows: rows, for: use, threads: threads ?? options.threads)
    }
}

extension InputValidation {
    /// The radii of the queries of a batch; nil if every distance is allowed.
    fileprivate func radii(_ options: SearchOptions, queries: Int) throws(KinError) -> [Double]? {
        try check(radius: options.radius)
        if let radii = options.radii { try check(radii: radii, queries: queries) }
        guard options.radii == nil, options.radius < .infinity else { return options.radii }
        return Array(repeating: options.radius, count: queries)
    }
}
