package import KinCore
package import KinLinearAlgebra

/// An index of either kind, by the calls that both have.
///
/// A flat index ignores how much of the true neighbours a search is to find, since it finds all, and refuses to count lists.
package protocol VectorIndex: Sendable {
    var kind: IndexKind { get }
    var dimension: Int { get }
    var metric: Metric { get }
    var count: Int { get }
    var ids: [VectorID] { get }
    var byteCount: Int { get }
    var attributes: AttributeTable { get }

    func contains(_ id: VectorID) -> Bool
    func vector(for id: VectorID) -> [Float]?

    mutating func load(
        _ vectors: Matrix<Float>, ids: [VectorID], attributes: [String: AttributeColumn], threads: Int
    ) throws(KinError)
    mutating func upsert(_ vector: [Float], id: VectorID) throws(KinError)
    mutating func remove(_ ids: some Sequence<VectorID>) -> Int

    /// Searches for one query; a flat index refuses the mode that counts lists.
    func search(
        _ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor]
    func search(
        _ queries: Matrix<Float>, k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> NeighborTable
    func rangeSearch(
        _ query: [Float], radius: Double, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor]
    func explain(_ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter) throws(KinError)
        -> SearchReport
    /// A filter made ready for many searches.
    func prepare(_ filter: SearchFilter, threads: Int) throws(KinError) -> SearchFilter

    /// A filter in the form that searches evaluate.
    func resolved(_ filter: SearchFilter, threads: Int) throws(KinError) -> SearchFilter
    /// A bound on the length of all vectors. O(n ∕ 64 · dimension) at most, where rows are coded.
    var largestNorm: Double { get }

    /// An empty index of the same kind, for the same attributes.
    func empty(under metric: Metric) -> Self
    func save(to path: String) throws(KinError)
}

extension VectorIndex {
    /// Whether any attribute is declared; then each vector has a row of them.
    var hasAttributes: Bool { !attributes.schema.isEmpty }

    /// Checks values for vectors that the index must have.
    func checkAttributes(_ columns: [String: AttributeColumn], of ids: [VectorID]) throws(KinError) {
        try attributes.check(columns, rows: ids.count)
        try ids.requireDistinct()
        if let row = ids.firstIndex(where: { !contains($0) }) {
            throw KinError(.unknownID, "there is no vector with id \(ids[row])").within("row", row)
        }
    }

    /// The same vectors under another metric. O(n · dimension).
    ///
    /// - Throws: As loading does, for a vector that the metric refuses.
    package func rebuilt(under metric: Metric, threads: Int) throws(KinError) -> any VectorIndex {
        var fresh = empty(under: metric)
        let ids = ids
        var elements: [Float] = []
        elements.reserveCapacity(ids.count * dimension)
        for id in ids { elements += vector(for: id) ?? [] }
        let vectors = try Matrix(rows: ids.count, columns: dimension, elements: elements)
        try fresh.load(vectors, ids: ids, attributes: attributes.columns(of: ids), threads: threads)
        return fresh
    }
}

extension FlatIndex: VectorIndex {
    package var kind: IndexKind { .flat }

    package mutating func load(
        _ vectors: Matrix<Float>, ids: [VectorID], attributes: [String: AttributeColumn], threads: Int
    ) throws(KinError) {
        try upsert(vectors, ids: ids, attributes: attributes)
    }

    package func search(
        _ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor] {
        try check(mode)
        return try search(query, k: k, where: filter, threads: threads)
    }

    package func search(
        _ queries: Matrix<Float>, k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> NeighborTable {
        try check(mode)
        return try search(queries, k: k, where: filter, threads: threads)
    }

    package func explain(_ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter) throws(KinError)
        -> SearchReport
    {
        try check(mode)
        return try explain(query, k: k, where: filter)
    }

    package func empty(under metric: Metric) -> FlatIndex {
        FlatIndex(dimension: dimension, metric: metric, attributes: attributes.schema)
    }

    private func check(_ mode: SearchMode) throws(KinError) {
        guard case .probes = mode else { return }
        throw KinError(.invalidArgument, "probes counts lists, and a flat index has none; leave it out")
    }
}

extension IVFIndex: VectorIndex {
    package var kind: IndexKind { .ivf }

    package mutating func load(
        _ vectors: Matrix<Float>, ids: [VectorID], attributes: [String: AttributeColumn], threads: Int
    ) throws(KinError) {
        try upsert(vectors, ids: ids, attributes: attributes, threads: threads)
    }

    /// One query is answered by one thread: it looks at too little to share.
    package func search(
        _ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor] {
        try search(query, k: k, mode: mode, where: filter)
    }

    package func search(
        _ queries: Matrix<Float>, k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> NeighborTable {
        try search(queries, k: k, mode: mode, where: filter, threads: threads, radii: nil)
    }

    package func explain(_ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter) throws(KinError)
        -> SearchReport
    {
        try explain(query, k: k, mode: mode, where: filter, radius: .infinity)
    }

    package func rangeSearch(
        _ query: [Float], radius: Double, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor] {
        try rangeSearch(query, radius: radius, where: filter)
    }

    package func empty(under metric: Metric) -> IVFIndex {
        IVFIndex(dimension: dimension, metric: metric, partition: partitioning, attributes: attributes.schema)
    }
}
