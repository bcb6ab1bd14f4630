import KinCore

// A filter by an expression is resolved to a set of ids at the beginning of a search, once for all its queries. What it is
// resolved to is a filter of another kind, which the scan tests row by row, or takes the rows from when they are few.

extension SearchFilter {
    /// A filter that allows the vectors whose attributes an expression allows.
    ///
    /// Every search evaluates the expression, in some 0.5 ns a vector and condition; an index's `prepare(_:)` does so once
    /// for many searches.
    public static func matching(_ expression: FilterExpression) -> SearchFilter {
        SearchFilter(kind: .expression(expression), memory: FilterCache())
    }

    /// The filter in the form that a scan evaluates: itself, or the ids that its expression allows now.
    ///
    /// - Parameters:
    ///   - attributes: Those of the index; a row for each of its vectors, unless there are no attributes at all.
    ///   - rows: The index's vectors.
    ///   - use: What the filter is resolved for.
    /// - Throws: `.invalidArgument` when an expression does not fit the attributes.
    func resolved(
        by attributes: AttributeTable, rows: some SlotIDs, for use: Use, threads: Int = 1
    ) throws(KinError) -> SearchFilter {
        switch kind {
        case .all, .ids, .bitmap, .predicate, .selection: return self
        // An inverted-file index takes a subset of its present state itself; here it is as good as what it was made from.
        case .subset(let subset):
            return try subset.filter.resolved(by: attributes, rows: rows, for: use, threads: threads)
        case .expression(let expression):
            return try Self.resolving(expression, by: attributes, rows: rows, for: use, threads: threads)
        case .prepared(let prepared):
            if prepared.version === attributes.version { return prepared.filter }
            return try Self.resolving(prepared.expression, by: attributes, rows: rows, for: use, threads: threads)
        }
    }

    /// The number of rows that a search tests by its filter.
    enum Use {
        /// A few rows: those nearest to one query.
        case fewRows
        /// Many rows: those met by a batch or a range search.
        case manyRows
    }

    /// The filter with its expression evaluated, valid for the present version of the attributes.
    func prepared(for attributes: AttributeTable, threads: Int = 1) throws(KinError) -> SearchFilter {
        let expression: FilterExpression
        switch kind {
        case .all, .ids, .bitmap, .predicate, .selection: return self
        case .subset(let subset): return try subset.filter.prepared(for: attributes, threads: threads)
        case .expression(let given): expression = given
        case .prepared(let prepared):
            if prepared.version === attributes.version { return self }
            expression = prepared.expression
        }
        let bound = try BoundFilter(expression, attributes)
        // Ids alone decide: then the vectors do, whose changes the attributes need not see.
        if bound.looksAtIDsOnly { return .matching(expression) }
        let filter = Self.selecting(bound, of: attributes, threads: threads)
        return SearchFilter(kind: .prepared(PreparedFilter(expression, attributes.version, filter)))
    }

    private static func resolving(
        _ expression: FilterExpression, by attributes: AttributeTable, rows: some SlotIDs, for use: Use, threads: Int
    ) throws(KinError) -> SearchFilter {
        let bound = try BoundFilter(expression, attributes)
        guard bound.looksAtIDsOnly else {
            if use == .fewRows, bound.allowsMany(of: attributes) { return bound.predicate(attributes) }
            return selecting(bound, of: attributes, threads: threads)
        }
        if case .condition(.idList(let ids)) = bound.steps[0], bound.steps.count == 1 {
            return .ids(ids.lazy.map { VectorID($0) })
        }
        return choosing(bound, attributes, among: rows)
    }

    private static func selecting(_ bound: BoundFilter, of attributes: AttributeTable, threads: Int) -> SearchFilter {
        let selection = AttributeSelection(attributes, mask: bound.mask(attributes.store, threads: threads))
        return selection.bitmap.map { .bitmap($0) } ?? SearchFilter(kind: .selection(selection))
    }

    /// The filter for conditions on ids alone: the few that are allowed, or the condition itself when they are many.
    private static func choosing(_ bound: BoundFilter, _ attributes: AttributeTable, among rows: some SlotIDs)
        -> SearchFilter
    {
        let store = attributes.store
        let isAllowed: @Sendable (VectorID) -> Bool = { bound.allows($0, slot: nil, in: store) }
        var few: [VectorID] = []
        let limit = largestVisit(rows: rows.count)
        for slot in 0..<rows.count {
            let id = rows.id(at: slot)
            guard id != .none, isAllowed(id) else { continue }
            few.append(id)
            if few.count > limit { return .predicate(isAllowed) }
        }
        return .ids(few)
    }
}

extension BoundFilter {
    /// Whether, by a sample, at least one row in 16 is allowed of a table so large that testing all rows takes long.
    ///
    /// A search for one query then meets k allowed rows after some 16 k others, and testing those alone is much less work
    /// than testing all. The answer decides about time only, never about a result.
    fileprivate func allowsMany(of attributes: AttributeTable) -> Bool {
        let sample = 256
        let store = attributes.store
        guard store.count >= 64 * sample else { return false }
        let allowed = (0..<sample).count { i in
            let slot = i * (store.count / sample)
            return allows(store.id(at: slot), slot: slot, in: store)
        }
        return allowed >= sample / 16
    }

    /// A filter that tests the expression for one row at a time.
    fileprivate func predicate(_ attributes: AttributeTable) -> SearchFilter {
        let (store, map) = (attributes.store, attributes.map)
        return .predicate { allows($0, slot: map.slot(of: $0, in: store), in: store) }
    }
}

/// An expression together with the ids that it allowed in one version of the attributes.
final class PreparedFilter: Sendable {
    let expression: FilterExpression
    /// The version of the attributes that it was resolved by.
    let version: ContentVersion
    let filter: SearchFilter

    init(_ expression: FilterExpression, _ version: ContentVersion, _ filter: SearchFilter) {
        self.expression = expression
        self.version = version
        self.filter = filter
    }
}
