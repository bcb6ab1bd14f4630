// A filter by an expression is resolved at the start of a search, once for all its queries. The result is a filter of a
// different kind, which the scan tests row by row or, if few rows are allowed, uses as a list of rows.

extension SearchFilter {
    /// A filter that allows the vectors whose attributes an expression allows.
    ///
    /// Every search evaluates the expression, in about 0.5 ns per vector and condition. An index's `prepare(_:)`
    /// evaluates it once for many searches.
    public static func matching(_ expression: FilterExpression) -> SearchFilter {
        SearchFilter(kind: .expression(expression), memory: FilterCache())
    }

    /// The filter in the form that a scan evaluates: itself, or the ids that its expression now allows.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of the index, with a row for each of its vectors unless the index has no
    ///     attributes.
    ///   - names: The names of the index's vectors.
    ///   - rows: The index's vectors.
    ///   - use: The number of rows that the search will test.
    /// - Throws: `.invalidArgument` if an expression does not match the attributes.
    func resolved(
        by attributes: AttributeTable, _ names: NameTable, rows: some SlotIDs, for use: Use, threads: Int = 1
    ) throws(KinError) -> SearchFilter {
        switch kind {
        case .all, .ids, .bitmap, .predicate, .selection: return self
        // An index in lists uses a subset of its present version directly. In other cases, the subset's original filter
        // is resolved.
        case .subset(let subset):
            return try subset.filter.resolved(by: attributes, names, rows: rows, for: use, threads: threads)
        case .expression(let expression):
            return try Self.resolving(expression, by: attributes, names, rows: rows, for: use, threads: threads)
        case .prepared(let prepared):
            if prepared.version === attributes.version { return prepared.filter }
            return try Self.resolving(
                prepared.expression, by: attributes, names, rows: rows, for: use, threads: threads)
        }
    }

    /// The number of rows that a search tests with its filter.
    enum Use {
        /// A few rows, near a single query.
        case fewRows
        /// Many rows, for a batch or a range search.
        case manyRows
    }

    /// The filter with its expression evaluated, valid for the present version of the attributes.
    ///
    /// - Parameter names: The ids of texts; nil if ids are numbers.
    func prepared(
        for attributes: AttributeTable, names: NameTable?, threads: Int = 1
    ) throws(KinError) -> SearchFilter {
        let expression: FilterExpression
        switch kind {
        case .all, .ids, .bitmap, .predicate, .selection: return self
        case .subset(let subset): return try subset.filter.prepared(for: attributes, names: names, threads: threads)
        case .expression(let given): expression = given
        case .prepared(let prepared):
            if prepared.version === attributes.version { return self }
            expression = prepared.expression
        }
        let bound = try BoundFilter(expression, attributes, names: names)
        // If ids alone decide, the result depends on the vectors, whose changes the attributes do not track.
        if bound.looksAtIDsOnly { return .matching(expression) }
        let filter = Self.selecting(bound, of: attributes, threads: threads)
        return SearchFilter(kind: .prepared(PreparedFilter(expression, attributes.version, filter)))
    }

    private static func resolving(
        _ expression: FilterExpression, by attributes: AttributeTable, _ names: NameTable, rows: some SlotIDs,
        for use: Use, threads: Int
    ) throws(KinError) -> SearchFilter {
        let names = names.idsOfTexts(hasVectors: (0..<rows.count).contains { rows.id(at: $0) != .none })
        let bound = try BoundFilter(expression, attributes, names: names)
        let looksAtIDsOnly = bound.looksAtIDsOnly
        if let ids = bound.candidates(atMost: looksAtIDsOnly ? .max : largestVisit(rows: rows.count)) {
            guard bound.steps.count > 1 else { return .ids(ids) }
            let (store, map) = (attributes.store, attributes.map)
            return .ids(ids.lazy.filter { bound.allows($0, slot: map.slot(of: $0, in: store), in: store) })
        }
        guard !looksAtIDsOnly else { return choosing(bound, attributes, among: rows) }
        if use == .fewRows, bound.allowsMany(of: attributes) { return bound.predicate(attributes) }
        return selecting(bound, of: attributes, threads: threads)
    }

    private static func selecting(_ bound: BoundFilter, of attributes: AttributeTable, threads: Int) -> SearchFilter {
        let selection = AttributeSelection(attributes, mask: bound.mask(attributes.store, threads: threads))
        return selection.bitmap.map { .bitmap($0) } ?? SearchFilter(kind: .selection(selection))
    }

    /// The filter for conditions on ids alone: the allowed ids if they are few, otherwise the condition itself.
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

extension NameTable {
    /// The table with the ids of texts for a filter; nil in an index of vectors without names.
    func idsOfTexts(hasVectors: @autoclosure () -> Bool) -> NameTable? { isEmpty && hasVectors() ? nil : self }
}

extension BoundFilter {
    /// Whether a sample shows that at least one row in 16 is allowed, in a table so large that testing all rows takes
    /// long.
    ///
    /// A search for one query then meets k allowed rows after about 16 k rows, and testing only those is much less work
    /// than testing all. The answer affects only time, never a result.
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

/// An expression with the ids that it allowed in one version of the attributes.
final class PreparedFilter: Sendable {
    let expression: FilterExpression
    /// The version of the attributes used to resolve it.
    let version: ContentVersion
    let filter: SearchFilter

    init(_ expression: FilterExpression, _ version: ContentVersion, _ filter: SearchFilter) {
        self.expression = expression
        self.version = version
        self.filter = filter
    }
}
