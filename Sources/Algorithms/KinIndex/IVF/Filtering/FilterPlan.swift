/// The plan of a search under a filter.
enum FilterPlan {
    /// Traverses all lists and tests each row that would enter the result.
    case traversal(SearchFilter)
    /// Traverses lists that contain only the allowed rows.
    case subset(ListStore)
    /// Visits each of a few allowed rows.
    case visit([Int])

    /// The lists to search: the index's own, or the filter's copy.
    func lists(of index: ListStore) -> ListStore {
        if case .subset(let subset) = self { subset } else { index }
    }

    /// Runs a search by this plan in the lists of an index. The scan must not outlive the call.
    @inline(__always)
    func scan<Result>(
        _ index: ListStore, by parameters: SearchParameters, _ search: (ListScan) -> Result
    ) -> Result {
        switch self {
        case .traversal(let filter):
            return index.withView { search(ListScan(store: $0, filter: filter, parameters: parameters)) }
        case .subset(let subset):
            var parameters = parameters
            // The factor was measured with all vectors. A query can be far from all of these.
            parameters.pruningFactor = 1
            return subset.withView { search(ListScan(store: $0, parameters: parameters)) }
        case .visit(let slots):
            return index.withView { search(ListScan(store: $0, parameters: parameters, slots: slots)) }
        }
    }
}

extension InvertedFile {
    /// Chooses the plan for a number of queries under a filter.
    ///
    /// - Throws: `.invalidArgument` if an expression does not match the attributes.
    func plan(
        under filter: SearchFilter, _ attributes: AttributeTable, _ names: NameTable, for use: SearchFilter.Use,
        queries: Int, threads: Int
    ) throws(KinError) -> FilterPlan {
        if filter.isAll { return .traversal(filter) }
        if let known = filter.memory?.store(for: version, budget: filterBudget) { return .subset(known) }
        let served = filter.memory?.note(queries, for: version) ?? queries
        // The rows allowed by an expression are counted each time the number of queries has doubled.
        let isAsked = served >= FilterCost.manyQueries && served.nonzeroBitCount == 1
        let allowing = try resolved(
            filter, attributes, names, for: isAsked ? .manyRows : use, threads: threads)
        switch allowing.kind {
        case .all, .predicate: return .traversal(allowing)
        case .subset(let subset): return .subset(subset.store)
        case .expression, .prepared: preconditionFailure("a search resolves its filter first")
        case .ids, .bitmap, .selection: break
        }
        let cost = FilterCost(allowed: allowing.largestCount ?? count, count: count)
        if cost.subsetPays(queries: served, threads: threads) {
            let store = subset(for: allowing, threads: threads)
            filter.memory?.keep(store, for: version, budget: filterBudget, limit: filterBytes)
            return .subset(store)
        }
        if cost.visit < cost.traversal, let slots = fewSlots(allowedBy: allowing) { return .visit(slots) }
        return .traversal(allowing)
    }

    /// The filter in the form that a search uses: a copy for this version of the index, a set of ids, or a test.
    ///
    /// - Throws: `.invalidArgument` if an expression does not match the attributes.
    private func resolved(
        _ filter: SearchFilter, _ attributes: AttributeTable, _ names: NameTable, for use: SearchFilter.Use,
        threads: Int
    ) throws(KinError) -> SearchFilter {
        if case .subset(let subset) = filter.kind, subset.version === version { return filter }
        return try filter.resolved(by: attributes, names, rows: ListSlots(store: store), for: use, threads: threads)
    }

    /// The limit on bytes of filters' copies: half the size of the index, and at least one megabyte.
    var filterBytes: Int { max(1 << 20, store.bytes / 2) }

    private func subset(for filter: SearchFilter, threads: Int) -> ListStore {
        // Few ids are looked up; many are found by a pass through all rows. Sets have no order, but lists need one.
        if let slots = fewSlots(allowedBy: filter) {
            return store.subset(slots.map { UInt32($0) }.sorted(), threads: threads)
        }
        return store.subset(allowedBy: filter, threads: threads)
    }

    /// Prepares a filter for many searches; see ``VectorIndex/prepare(_:threads:)``.
    ///
    /// A filter that allows more than a quarter of the vectors is not copied: testing each result costs less than a
    /// copy saves.
    func prepare(
        _ filter: SearchFilter, _ attributes: AttributeTable, _ names: NameTable, threads: Int
    ) throws(KinError) -> SearchFilter {
        switch filter.kind {
        case .all:
            return filter
        case .subset(let subset):
            return subset.version === version ? filter : try prepare(subset.filter, attributes, names, threads: threads)
        case .ids, .bitmap, .predicate, .selection, .expression, .prepared:
            let prepared = try filter.prepared(
                for: attributes, names: names.idsOfTexts(hasVectors: count > 0), threads: threads)
            let allowed = try resolved(prepared, attributes, names, for: .manyRows, threads: threads)
            guard FilterCost.isNarrow(allowed.largestCount ?? 0, of: count) else { return prepared }
            let subset = subset(for: allowed, threads: threads)
            guard FilterCost.isNarrow(subset.count, of: count) else { return prepared }
            return SearchFilter(kind: .subset(Subset(store: subset, version: version, filter: prepared)))
        }
    }
}
