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
    /// The filter that a search goes by: one laid out for this very state of the index, or a set of ids, or a test of them.
    ///
    /// - Throws: `.invalidArgument` when an expression does not fit the ``attributes``.
    func resolved(_ filter: Filter, for use: Filter.Use, threads: Int = 1) throws(KinError) -> Filter {
        if case .subset(let subset) = filter.kind, subset.stamp === stamp { return filter }
        return try filter.resolved(by: attributes, rows: CellSlots(store: store), for: use, threads: threads)
    }

    /// Chooses how to search under a resolved filter for some queries.
    ///
    /// The costs, measured at 16 dimensions: a row visited by itself takes 25 ns, a row copied into cells of its own 300 ns,
    /// a query through such cells 20 µs, and a query that asks a narrow filter on its way through all cells as much as
    /// visiting one row in 64.
    func plan(for filter: Filter, queries: Int, threads: Int) -> FilterPlan {
        switch filter.kind {
        case .all, .predicate:
            return .walk(store, filter)
        case .subset(let subset):
            return .walk(subset.store, .all)
        case .expression, .prepared:
            preconditionFailure("a search resolves its filter first")
        case .ids, .bitmap, .selection:
            let allowed = filter.largestCount ?? count
            let direct = min(Double(allowed) * 0.025, Double(Filter.largestVisit(rows: count)) * 0.025)
            let copied = Double(allowed) * 0.3 / Double(threads)
            if allowed <= count / 4, copied + 20 * Double(queries) < direct * Double(queries) {
                return .walk(subset(for: filter, threads: threads), .all)
            }
            if let slots = filter.fewSlots(in: CellSlots(store: store), rows: count, map: idMap) {
                return .visit(slots)
            }
            return .walk(store, filter)
        }
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
        switch filter.kind {
        case .all:
            return filter
        case .subset(let subset):
            return subset.stamp === stamp ? filter : try prepare(subset.filter, threads: threads)
        case .ids, .bitmap, .predicate, .selection, .expression, .prepared:
            let prepared = try filter.prepared(for: attributes, threads: threads)
            let allowed = try resolved(prepared, for: .manyRows, threads: threads)
            guard allowed.largestCount ?? 0 <= count / 4 else { return prepared }
            let subset = subset(for: allowed, threads: threads)
            guard subset.count <= count / 4 else { return prepared }
            return Filter(kind: .subset(Subset(store: subset, stamp: stamp, filter: prepared)))
        }
    }
}
