import KinClustering
import KinCore
import KinIndex
import KinLinearAlgebra

/// What C does with an index, whatever its kind.
///
/// A `kin_index` holds one of these; the kinds have the same calls, and here are those that one of them spells differently.
protocol ServedIndex: Sendable {
    var count: Int { get }
    var dimension: Int { get }
    var metric: Metric { get }
    var byteCount: Int { get }
    var ids: [VectorID] { get }
    func contains(_ id: VectorID) -> Bool
    func vector(for id: VectorID) -> [Float]?

    mutating func upsert(_ vectors: Matrix<Float>, ids: [VectorID], threads: Int) throws(KinError)
    mutating func append(_ vectors: Matrix<Float>, threads: Int) throws(KinError) -> VectorID
    mutating func remove(_ ids: [VectorID]) -> Int
    mutating func reserveCapacity(_ n: Int)
    mutating func compact()
    mutating func calibrate(threads: Int) throws(KinError)

    /// Whether the change takes some microseconds, at most a few hundred; no ids stand for fresh ones.
    func isShort(upserting vectors: Matrix<Float>, ids: [VectorID]) -> Bool
    func isShort(removing ids: [VectorID]) -> Bool

    /// Whether no copy of the index is alive, so that a change in place copies nothing.
    mutating func isUniquelyReferenced() -> Bool

    /// Searches for one query on the calling thread, into memory of the caller's.
    func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, by search: SearchArguments
    ) throws(KinError) -> Int
    func search(_ queries: Matrix<Float>, k: Int, by search: SearchArguments) throws(KinError) -> NeighborTable
    func neighbors(of query: [Float], within radius: Double, by search: SearchArguments) throws(KinError) -> [Neighbor]
    func explain(_ query: [Float], k: Int, by search: SearchArguments) throws(KinError) -> SearchReport

    func prepare(_ filter: Filter, threads: Int) throws(KinError) -> Filter

    var attributes: AttributeTable { get }
    mutating func declareAttributes(_ schema: AttributeSchema) throws(KinError)
    mutating func setAttributes(_ columns: [String: AttributeColumn], ids: [VectorID]) throws(KinError)

    func save(to path: String) throws(KinError)
}

extension FlatIndex: ServedIndex {
    mutating func upsert(_ vectors: Matrix<Float>, ids: [VectorID], threads: Int) throws(KinError) {
        try upsert(vectors, ids: ids)
    }

    mutating func append(_ vectors: Matrix<Float>, threads: Int) throws(KinError) -> VectorID { try append(vectors) }

    /// Nothing to do: every search is exact.
    mutating func calibrate(threads: Int) {}

    /// A row takes a microsecond or so, wherever it goes; a copy would be one of whole chunks.
    func isShort(upserting vectors: Matrix<Float>, ids: [VectorID]) -> Bool { vectors.rows <= IVFIndex.fewRows }

    func isShort(removing ids: [VectorID]) -> Bool { ids.count <= IVFIndex.fewRows }

    /// Every search looks at everything, which any recall allows; a number of cells means nothing here.
    private func check(_ mode: SearchMode) throws(KinError) {
        guard case .probes = mode else { return }
        throw KinError(.invalidArgument, "probes counts cells, and a flat index has none; leave it 0")
    }

    func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, by search: SearchArguments
    ) throws(KinError) -> Int {
        try check(search.mode)
        return try self.search(query, into: &results, where: search.filter)
    }

    func search(_ queries: Matrix<Float>, k: Int, by search: SearchArguments) throws(KinError) -> NeighborTable {
        try check(search.mode)
        return try self.search(queries, k: k, where: search.filter, threads: search.threads)
    }

    func neighbors(of query: [Float], within radius: Double, by search: SearchArguments) throws(KinError) -> [Neighbor]
    {
        try neighbors(of: query, within: radius, where: search.filter, threads: search.threads)
    }

    func explain(_ query: [Float], k: Int, by search: SearchArguments) throws(KinError) -> SearchReport {
        try check(search.mode)
        return try explain(query, k: k, where: search.filter)
    }
}

extension IVFIndex: ServedIndex {
    /// Nothing to do: cells grow one by one.
    mutating func reserveCapacity(_ n: Int) {}

    func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, by search: SearchArguments
    ) throws(KinError) -> Int {
        try self.search(query, into: &results, mode: search.mode, where: search.filter)
    }

    func search(_ queries: Matrix<Float>, k: Int, by search: SearchArguments) throws(KinError) -> NeighborTable {
        try self.search(queries, k: k, mode: search.mode, where: search.filter, threads: search.threads)
    }

    func neighbors(of query: [Float], within radius: Double, by search: SearchArguments) throws(KinError) -> [Neighbor]
    {
        try neighbors(of: query, within: radius, where: search.filter)
    }

    func explain(_ query: [Float], k: Int, by search: SearchArguments) throws(KinError) -> SearchReport {
        try explain(query, k: k, mode: search.mode, where: search.filter)
    }
}
