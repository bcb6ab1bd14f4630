public import KinCore

/// Which vectors a search may return.
///
/// A search under a filter returns the nearest of the allowed vectors: exactly min(k, number allowed) of them, however
/// few they are. Ids that no vector has are ignored.
///
/// A filter that is used again and again, the same value or a copy of it, gets quicker: once the searches of an ``IVFIndex``
/// under it have taken as long as laying out what it allows takes, that is done, and kept with the filter. See
/// ``IVFIndex/prepare(_:threads:)``, which does it at once.
public struct SearchFilter: Sendable {
    enum Kind: Sendable {
        case all
        case ids(Set<VectorID>)
        case bitmap(IDBitmap)
        case predicate(@Sendable (VectorID) -> Bool)
        /// Laid out for one state of an inverted-file index.
        case subset(Subset)
        /// Rows of the index's attributes.
        case selection(AttributeSelection)
        /// To be resolved before a search.
        case expression(FilterExpression)
        case prepared(PreparedFilter)
    }

    let kind: Kind
    /// What an inverted-file index has laid out for this filter and its copies; none where there is nothing to lay out.
    let memory: FilterCache?

    init(kind: Kind, memory: FilterCache? = nil) {
        self.kind = kind
        self.memory = memory
    }

    /// Every vector.
    public static let all = SearchFilter(kind: .all)

    /// The vectors with these ids.
    ///
    /// - Complexity: O(number of ids) to make. A search then looks at just these rows when they are few, and scans when
    ///   they are many.
    public static func ids(_ ids: some Sequence<VectorID>) -> SearchFilter {
        SearchFilter(kind: .ids(Set(ids)), memory: FilterCache())
    }

    /// The vectors whose ids are in a bitmap.
    public static func bitmap(_ bitmap: IDBitmap) -> SearchFilter {
        SearchFilter(kind: .bitmap(bitmap), memory: FilterCache())
    }

    /// The vectors for whose id a function says yes.
    ///
    /// The function is asked only for vectors that would otherwise be returned, in no particular order, possibly more than
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

    /// Whether every id is allowed.
    var isAll: Bool {
        if case .all = kind { true } else { false }
    }

    /// The slots of the allowed rows in no particular order, when they are few enough that visiting them one by one beats a
    /// scan; else nil.
    ///
    /// Finding and reading one row at random costs about as much as screening some hundred rows in order; a batch finds
    /// the rows once for all its queries. One row in 64 is a little on the side of the visit, whose time does not grow with the
    /// survivors of the screen, as that of a scan does under a narrow filter.
    func fewSlots(in slots: some SlotIDs, rows: Int, map: IDMap) -> [Int]? {
        let limit = Self.largestVisit(rows: rows)
        switch kind {
        case .all, .predicate, .subset, .expression, .prepared:
            return nil
        case .ids(let ids):
            guard ids.count <= limit else { return nil }
            return ids.compactMap { map.slot(of: $0, in: slots) }
        case .bitmap(let bitmap):
            guard bitmap.count <= limit else { return nil }
            return bitmap.compactMap { map.slot(of: $0, in: slots) }
        case .selection(let selection):
            guard selection.count <= limit else { return nil }
            return selection.ids.compactMap { map.slot(of: $0, in: slots) }
        }
    }

    /// The most ids it can allow, where that is known without asking.
    var largestCount: Int? {
        switch kind {
        case .ids(let ids): ids.count
        case .bitmap(let bitmap): bitmap.count
        case .selection(let selection): selection.count
        case .all, .predicate, .subset, .expression, .prepared: nil
        }
    }

    /// The most rows that are visited one by one.
    static func largestVisit(rows: Int) -> Int { max(1024, rows / 64) }
}
