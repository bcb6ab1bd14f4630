public import KinCore
import KinLinearAlgebra

/// How a search under a filter goes.
enum FilterPlan {
    /// Through the cells of a store, asking the filter about what would be taken.
    case walk(CellStore, Filter)
    /// To each of the few allowed rows, in ascending order of slot.
    case visit([Int])
}

extension IVFIndex {
    /// Chooses how to search under a filter for some queries.
    ///
    /// The costs, measured at 16 dimensions: a row visited by itself takes 25 ns, a row copied into cells of its own 300 ns,
    /// a query through such cells 20 µs, and a query that asks a narrow filter on its way through all cells as much as
    /// visiting one row in 64.
    func plan(for filter: Filter, queries: Int, threads: Int) throws(KinError) -> FilterPlan {
        if case .subset(let subset) = filter.kind, subset.stamp === stamp { return .walk(subset.store, .all) }
        let filter = try filter.resolved(
            by: attributes, rows: CellSlots(store: store), for: queries == 1 ? .fewRows : .manyRows, threads: threads)
        guard let allowed = filter.largestCount else { return .walk(store, filter) }
        let direct = Double(min(allowed, Filter.largestVisit(rows: count))) * 0.025
        let copied = Double(allowed) * 0.3 / Double(threads)
        if allowed <= count / 4, copied + 20 * Double(queries) < direct * Double(queries) {
            return .walk(subset(for: filter, threads: threads), .all)
        }
        if let slots = filter.fewSlots(in: CellSlots(store: store), rows: count, map: idMap) { return .visit(slots) }
        return .walk(store, filter)
    }

    private func subset(for filter: Filter, threads: Int) -> CellStore {
        // Few ids are looked up, many are met on a walk through all rows.
        if let slots = filter.fewSlots(in: CellSlots(store: store), rows: count, map: idMap) {
            return store.subset(slots.map { UInt32($0) }, threads: threads)
        }
        return store.subset(allowedBy: filter, threads: threads)
    }

    /// A filter with the vectors it allows laid out for many searches.
    ///
    /// A search under it takes no longer than one of an index that holds nothing else. When the index has changed since, the
    /// filter it was made from is used in its place: the result is right at any time, and quick until then. A filter that allows more
    /// than a quarter of the vectors stays as it is: asking it about each result costs less than a copy gains.
    ///
    /// - Parameter threads: How many threads may work on it.
    /// - Throws: `.invalidArgument` when an expression does not fit the ``attributes``.
    /// - Complexity: O(n) to find what is allowed, and some 0.3 µs for each vector allowed.
    public func prepare(_ filter: Filter, threads: Int = 1) throws(KinError) -> Filter {
        if case .subset(let subset) = filter.kind, subset.stamp === stamp { return filter }
        let kept = try filter.prepared(for: attributes, threads: threads)
        let resolved = try kept.resolved(
            by: attributes, rows: CellSlots(store: store), for: .manyRows, threads: threads)
        guard !resolved.isAll else { return filter }
        let subset = subset(for: resolved, threads: threads)
        guard subset.count <= count / 4 else { return kept }
        return Filter(kind: .subset(Subset(store: subset, stamp: stamp, filter: kept)))
    }
}

extension Filter {
    /// The most ids it can allow, where that is known without asking.
    fileprivate var largestCount: Int? {
        switch kind {
        case .ids(let ids): ids.count
        case .bitmap(let bitmap): bitmap.count
        case .selection(let selection): selection.count
        case .all, .predicate, .subset, .expression, .prepared: nil
        }
    }
}
