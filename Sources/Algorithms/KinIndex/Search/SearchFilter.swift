/// A restriction of a search to some of the vectors: by id, by a predicate or by attributes.
///
///     let mine = try SearchFilter.matching(FilterExpression(parsing: "user = u42"))
///     let unseen = mine && !.ids(seen)
///     let nearest = try index.search(mood, k: 10, options: SearchOptions(where: unseen))
///
/// A search under a filter returns the nearest of the allowed vectors: exactly min(k, number allowed) of them, even if
/// they are few. Ids without a vector are ignored.
///
/// If a filter (the same value or a copy) is used repeatedly, it gets faster in a ``VectorIndex`` with lists. Once its
/// searches have taken as long as copying the allowed vectors would, the index copies them into separate lists and
/// stores these with the filter. ``VectorIndex/prepare(_:threads:)`` does so at once.
public struct SearchFilter: Sendable {
    enum Kind: Sendable {
        case all
        case ids(IDSet)
        case bitmap(IDBitmap)
        case predicate(@Sendable (VectorID) -> Bool)
        /// The allowed vectors of one version of an index in lists, in separate lists.
        case subset(Subset)
        /// Rows of the index's attributes.
        case selection(AttributeSelection)
        /// An expression, which is resolved before a search.
        case expression(FilterExpression)
        case prepared(PreparedFilter)
    }

    let kind: Kind
    /// The cache that this filter and its copies share in a ``VectorIndex`` with lists; nil if nothing can be cached.
    var memory: FilterCache?

    /// The filter that allows every vector.
    public static let all = SearchFilter(kind: .all)

    /// A filter that allows the vectors with these ids.
    ///
    /// - Complexity: O(number of ids) to create: about 10 ns per id if ids are close together, otherwise 50 ns. A
    ///   search then visits just these rows if they are few, and scans if they are many.
    public static func ids(_ ids: some Sequence<VectorID>) -> SearchFilter {
        let ids = Array(ids)
        let largest = ids.reduce(0) { max($0, $1.rawValue) }
        // If ids are close together, a bitmap is smaller than a list and stays in the caches.
        let isClose = largest < min(64 * UInt64(ids.count), IDBitmap.capacity)
        return SearchFilter(kind: isClose ? .bitmap(IDBitmap(ids)) : .ids(IDSet(ids)), memory: FilterCache())
    }

    /// A filter that allows the vectors whose ids are in a bitmap.
    public static func bitmap(_ bitmap: IDBitmap) -> SearchFilter {
        SearchFilter(kind: .bitmap(bitmap), memory: FilterCache())
    }

    /// A filter that allows a vector if a function of its id returns true.
    ///
    /// The function is called only for vectors that would otherwise be returned, in no particular order, possibly more
    /// than once and from several threads. As a part of a combination of filters it may be called for any vector. It
    /// must return the same value each time.
    public static func predicate(_ isAllowed: @escaping @Sendable (VectorID) -> Bool) -> SearchFilter {
        SearchFilter(kind: .predicate(isAllowed))
    }
}

extension SearchFilter {
    /// Whether the filter is ``all``.
    var isAll: Bool { if case .all = kind { true } else { false } }

    /// Whether an id is allowed.
    @inline(__always)
    func allows(_ id: VectorID) -> Bool {
        switch kind {
        case .all: true
        case .ids(let ids): ids.contains(id)
        case .bitmap(let bitmap): bitmap.contains(id)
        case .predicate(let isAllowed): isAllowed(id)
        case .selection(let selection): selection.contains(id)
        case .subset, .expression, .prepared: preconditionFailure("a search resolves its filter first")
        }
    }

    /// The slots of the allowed rows, in no particular order; nil unless visiting them one by one is faster than a
    /// scan.
    ///
    /// In 16 dimensions, finding and reading one random row costs about as much as screening a hundred rows in order.
    /// In many dimensions, reading the row costs most, about as much as screening ten. A batch finds the rows once for
    /// all its queries.
    func fewSlots(in slots: some SlotIDs, of layout: RowLayout, rows: Int, map: IDMap) -> [Int]? {
        let most = max(Self.largestVisit(rows: rows), min(rows / 8, rows / 4096 * layout.dimension))
        return ids(atMost: most)?.compactMap { map.slot(of: $0, in: slots) }
    }

    /// The ids that the filter can allow, in no particular order; nil if there are more than `limit`, or if only
    /// evaluation can find them.
    func ids(atMost limit: Int) -> [VectorID]? {
        guard let largestCount, largestCount <= limit else { return nil }
        return switch kind {
        case .ids(let ids): ids.ids
        case .bitmap(let bitmap): Array(bitmap)
        case .selection(let selection): selection.ids
        case .all, .predicate, .subset, .expression, .prepared: nil
        }
    }

    /// The largest number of ids that the filter can allow; nil if only evaluation can determine it.
    var largestCount: Int? {
        switch kind {
        case .ids(let ids): ids.count
        case .bitmap(let bitmap): bitmap.count
        case .selection(let selection): selection.count
        case .all, .predicate, .subset, .expression, .prepared: nil
        }
    }

    /// The largest number of rows that are visited one by one, at least.
    static func largestVisit(rows: Int) -> Int { max(1024, rows / 64) }
}
