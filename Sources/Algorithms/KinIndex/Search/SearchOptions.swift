/// The options of a search in a ``VectorIndex``.
///
///     let nearest = try index.search(query, k: 10, options: SearchOptions(mode: .recall(0.95), threads: 4))
public struct SearchOptions: Sendable {
    /// The exactness of the search. A flat index finds all true neighbours in any mode, and rejects
    /// ``SearchMode/probes(_:)``.
    public var mode: SearchMode
    /// The vectors that may be returned.
    public var filter: SearchFilter
    /// The number of threads, 1 or more; the result does not depend on it. A single query of an index with lists uses
    /// one thread, as does a short scan of a flat index.
    public var threads: Int
    /// The largest distance of a neighbour, in the metric's own units; a vector at exactly this distance is a
    /// neighbour.
    ///
    /// An index with lists skips boxes beyond the radius in every mode. With probes, a finite radius excludes further
    /// lists.
    public var radius: Double
    /// The radius of each query of a batch, instead of ``radius``.
    public var radii: [Double]?
    /// The filter of each query of a batch, instead of ``filter``. The queries are then searched one by one.
    public var filters: [SearchFilter]?
    /// An integer or category attribute, such as the document of a passage: the search then finds the k nearest groups
    /// of vectors with the same value, and returns the nearest vector of each. A vector without a value is a group of
    /// its own.
    ///
    /// The answer is exact unless the mode is `.probes`. It takes a few searches for more than k vectors, each under a
    /// filter that excludes the groups already found.
    public var groupBy: String?

    /// Creates the options of a search; by default it is exact, on one thread, among all vectors.
    ///
    /// - Parameters:
    ///   - mode: The exactness of the search.
    ///   - filter: The vectors that may be returned.
    ///   - threads: The number of threads, 1 or more.
    ///   - radius: The largest distance of a neighbour.
    ///   - radii: The radius of each query of a batch, instead of `radius`; one per query.
    ///   - filters: The filter of each query of a batch, instead of `filter`; one per query.
    ///   - groupBy: The attribute whose values are the groups; nil for no groups.
    @inline(__always)
    public init(
        mode: SearchMode = .exact, where filter: SearchFilter = .all, threads: Int = 1, radius: Double = .infinity,
        radii: [Double]? = nil, filters: [SearchFilter]? = nil, groupBy: String? = nil
    ) {
        self.mode = mode
        self.filter = filter
        self.threads = threads
        self.radius = radius
        self.radii = radii
        self.filters = filters
        self.groupBy = groupBy
    }
}

extension SearchOptions {
    /// The radius of a single query.
    var singleRadius: Double { radii?.first ?? radius }
}
