import KinCore

/// The plan of a search under a filter.
enum FilterPlan {
    /// Traverses all lists and tests each row that would enter the result.
    case traversal(SearchFilter)
    /// Traverses lists that hold only the allowed rows.
    case subset(ListStore)
    /// Visits each of the few allowed rows.
    case visit([Int])

    /// The lists to search, of an index or laid out for the filter.
    func lists(of index: ListStore) -> ListStore {
        if case .subset(let subset) = self { subset } else { index }
    }

    /// Runs a search by the plan in the lists of an index; it must not outlive the call.
    @inline(__always)
    func scan<Result>(
        _ index: ListStore, by parameters: SearchParameters, _ search: (ListScan) -> Result
    ) -> Result {
        switch self {
        case .traversal(let filter):
            return index.withView { search(ListScan(store: $0, filter: filter, parameters: parameters)) }
        case .subset(let subset):
            var parameters = parameters
            // The factor was measured among all vectors. Among few of them it may be too small (recall .94
            // where .95 was asked for), and an exact search takes little.
            if subset.count < index.count / 16 { parameters.pruningFactor = 1 }
            return subset.withView { search(ListScan(store: $0, parameters: parameters)) }
        case .visit(let slots):
            return index.withView { search(ListScan(store: $0, parameters: parameters, slots: slots)) }
        }
    }
}

extension InvertedFile {
    /// Chooses how to search under a filter for some queries.
    ///
    /// - Throws: `.invalidArgument` when an expression does not fit the attributes.
    func plan(
        under filter: SearchFilter, _ attributes: AttributeTable, for use: SearchFilter.Use, queries: Int, threads: Int
    ) throws(KinError) -> FilterPlan {
        if case .all = filter.kind { return .traversal(filter) }
        if let known = filter.memory?.store(for: version, budget: filterBudget) { return .subset(known) }
        let served = filter.memory?.note(queries, for: version) ?? queries
        // How much words allow is found out as often as the number of queries has doubled.
        let isAsked = served >= FilterCost.manyQueries && served.nonzeroBitCount == 1
        let allowing = try resolved(filter, attributes, for: isAsked ? .manyRows : use, threads: threads)
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

    /// The filter that a search goes by: one laid out for this very state of the index, or a set of ids, or a test of them.
    ///
    /// - Throws: `.invalidArgument` when an expression does not fit the attributes.
    private func resolved(
        _ filter: SearchFilter, _ attributes: AttributeTable, for use: SearchFilter.Use, threads: Int
    ) throws(KinError) -> SearchFilter {
        if case .subset(let subset) = filter.kind, subset.version === version { return filter }
        return try filter.resolved(by: attributes, rows: ListSlots(store: store), for: use, threads: threads)
    }

    /// Bytes that filters may keep laid out: half of what the index takes, and a megabyte in any case.
    var filterBytes: Int { max(1 << 20, store.bytes / 2) }

    private func subset(for filter: SearchFilter, threads: Int) -> ListStore {
        // Few ids are looked up, many are met on a traversal through all rows. Sets have no order of their own, lists shall.
        if let slots = fewSlots(allowedBy: filter) {
            return store.subset(slots.map { UInt32($0) }.sorted(), threads: threads)
        }
        return store.subset(allowedBy: filter, threads: threads)
    }

    /// A filter made ready for many searches; see ``VectorIndex/prepare(_:threads:)``.
    ///
    /// A filter that allows more than a quarter of the vectors is not laid out: testing each result costs less than a copy saves.
    func prepare(_ filter: SearchFilter, _ attributes: AttributeTable, threads: Int) throws(KinError) -> SearchFilter {
        switch filter.kind {
        case .all:
            return filter
        case .subset(let subset):
            return subset.version === version ? filter : try prepare(subset.filter, attributes, threads: threads)
        case .ids, .bitmap, .predicate, .selection, .expression, .prepared:
            let prepared = try filter.prepared(for: attributes, threads: threads)
            let allowed = try resolved(prepared, attributes, for: .manyRows, threads: threads)
            guard FilterCost.isNarrow(allowed.largestCount ?? 0, of: count) else { return prepared }
            let subset = subset(for: allowed, threads: threads)
            guard FilterCost.isNarrow(subset.count, of: count) else { return prepared }
            return SearchFilter(kind: .subset(Subset(store: subset, version: version, filter: prepared)))
        }
    }
}
