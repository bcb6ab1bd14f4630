public import KinCore

/// A restriction of a search to some of the vectors: by id, by a predicate or by attributes.
///
/// A search under a filter returns the nearest of the allowed vectors: exactly min(k, number allowed) of them, however
/// few they are. Ids that no vector has are ignored.
///
/// A filter that is used repeatedly, the same value or a copy of it, gets faster in a ``VectorIndex`` in lists. Once its searches have taken as
/// long as laying out the allowed vectors takes, the index lays them out and stores them with the filter.
/// ``VectorIndex/prepare(_:threads:)`` does so at once.
public struct SearchFilter: Sendable {
    enum Kind: Sendable {
        case all
        case ids(IDSet)
        case bitmap(IDBitmap)
        case predicate(@Sendable (VectorID) -> Bool)
        /// The allowed vectors of one version of an inverted-file index, in lists of their own.
        case subset(Subset)
        /// Rows of the index's attributes.
        case selection(AttributeSelection)
        /// To be resolved before a search.
        case expression(FilterExpression)
        case prepared(PreparedFilter)
    }

    let kind: Kind
    /// The cache that this filter and its copies share in a ``VectorIndex`` in lists; nil if nothing can be cached.
    var memory: FilterCache?

    /// The filter that allows every vector.
    public static let all = SearchFilter(kind: .all)

    /// A filter that allows the vectors with these ids.
    ///
    /// - Complexity: O(number of ids) to make, some 10 ns for an id among close ones and 50 ns for others. A search then visits just these
    ///   rows when they are few, and scans when they are many.
    public static func ids(_ ids: some Sequence<VectorID>) -> SearchFilter {
        let ids = Array(ids)
        let largest = ids.reduce(0) { max($0, $1.rawValue) }
        // Where ids are close, a bitmap is smaller than a list of them, and stays in the caches.
        let isClose = largest < min(64 * UInt64(ids.count), IDBitmap.capacity)
        return SearchFilter(kind: isClose ? .bitmap(IDBitmap(ids)) : .ids(IDSet(ids)), memory: FilterCache())
    }

    /// A filter that allows the vectors whose ids are in a bitmap.
    public static func bitmap(_ bitmap: IDBitmap) -> SearchFilter {
        SearchFilter(kind: .bitmap(bitmap), memory: FilterCache())
    }

    /// A filter that allows the vectors for whose id a function returns true.
    ///
    /// The function is called only for vectors that would otherwise be returned, in no particular order, possibly more than
    /// once and from several threads; it must give the same answer each time.
    public static func predicate(_ isAllowed: @escaping @Sendable (VectorID) -> Bool) -> SearchFilter {
        SearchFilter(kind: .predicate(isAllowed))
    }
}

extension SearchFilter {
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

    /// The slots of the allowed rows, in no particular order, when they are few enough that visiting them one by one beats a scan; else
    /// nil.
    ///
    /// Finding and reading one row at random costs about as much as screening some hundred rows in order; a batch finds
    /// the rows once for all its queries. One row in 64 is a little on the side of the visit, whose time does not grow with the
    /// survivors of the screen, as that of a scan does under a narrow filter.
    func fewSlots(in slots: some SlotIDs, rows: Int, map: IDMap) -> [Int]? {
        ids(atMost: Self.largestVisit(rows: rows))?.compactMap { map.slot(of: $0, in: slots) }
    }

    /// The ids that the filter can allow, in no particular order; nil when they are more than some, or only evaluating it gives them.
    func ids(atMost limit: Int) -> [VectorID]? {
        guard let largestCount, largestCount <= limit else { return nil }
        return switch kind {
        case .ids(let ids): ids.ids
        case .bitmap(let bitmap): Array(bitmap)
        case .selection(let selection): selection.ids
        case .all, .predicate, .subset, .expression, .prepared: nil
        }
    }

    /// The largest number of ids that the filter can allow; nil when only evaluating it gives that.
    var largestCount: Int? {
        switch kind {
        case .ids(let ids): ids.count
        case .bitmap(let bitmap): bitmap.count
        case .selection(let selection): selection.count
        case .all, .predicate, .subset, .expression, .prepared: nil
        }
    }

    /// The largest number of rows that are visited one by one.
    static func largestVisit(rows: Int) -> Int { max(1024, rows / 64) }
}
