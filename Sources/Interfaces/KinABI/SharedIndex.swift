import KinCore
import KinIndex
import KinLinearAlgebra

/// The operations of C on an index of any kind.
///
/// The two kinds have most calls in common; the extensions adapt the others.
protocol SharedIndex: Sendable {
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

    /// Whether the change takes at most some hundred microseconds; no ids stand for fresh ones.
    func isShort(upserting vectors: Matrix<Float>, ids: [VectorID]) -> Bool
    func isShort(removing ids: [VectorID]) -> Bool

    /// Whether no copy of the index is alive, so that a change in place copies nothing.
    mutating func isUniquelyReferenced() -> Bool

    /// Searches for one query on the calling thread, into the caller's memory.
    func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, by search: SearchArguments
    ) throws(KinError) -> Int
    func search(_ queries: Matrix<Float>, k: Int, by search: SearchArguments) throws(KinError) -> NeighborTable
    func rangeSearch(_ query: [Float], radius: Double, by search: SearchArguments) throws(KinError) -> [Neighbor]
    func explain(_ query: [Float], k: Int, by search: SearchArguments) throws(KinError) -> SearchReport
    func recommend(_ wanted: Recommendation, k: Int, by search: SearchArguments) throws(KinError) -> [Neighbor]

    func prepare(_ filter: SearchFilter, threads: Int) throws(KinError) -> SearchFilter

    var attributes: AttributeTable { get }
    mutating func declareAttributes(_ schema: AttributeSchema) throws(KinError)
    mutating func setAttributes(_ columns: [String: AttributeColumn], ids: [VectorID]) throws(KinError)

    func save(to path: String) throws(KinError)
}

extension FlatIndex: SharedIndex {
    mutating func upsert(_ vectors: Matrix<Float>, ids: [VectorID], threads: Int) throws(KinError) {
        try upsert(vectors, ids: ids)
    }

    mutating func append(_ vectors: Matrix<Float>, threads: Int) throws(KinError) -> VectorID { try append(vectors) }

    /// Does nothing, since every search is exact.
    mutating func calibrate(threads: Int) {}

    /// True for few rows: a row takes about a microsecond, a copy duplicates whole chunks.
    func isShort(upserting vectors: Matrix<Float>, ids: [VectorID]) -> Bool { vectors.rows <= IVFIndex.fewRows }

    func isShort(removing ids: [VectorID]) -> Bool { ids.count <= IVFIndex.fewRows }

    /// Requires a mode other than probes: a flat index has no lists.
    private func check(_ mode: SearchMode) throws(KinError) {
        guard case .probes = mode else { return }
        throw KinError(.invalidArgument, "probes counts lists, and a flat index has none; leave it 0")
    }

    func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, by search: SearchArguments
    ) throws(KinError) -> Int {
        try check(search.mode)
        return try self.search(query, into: &results, where: search.filter, radius: search.radius)
    }

    func search(_ queries: Matrix<Float>, k: Int, by search: SearchArguments) throws(KinError) -> NeighborTable {
        try check(search.mode)
        return try self.search(
            queries, k: k, where: search.filter, threads: search.threads, radii: search.radii)
    }

    func rangeSearch(_ query: [Float], radius: Double, by search: SearchArguments) throws(KinError) -> [Neighbor] {
        try rangeSearch(query, radius: radius, where: search.filter, threads: search.threads)
    }

    func explain(_ query: [Float], k: Int, by search: SearchArguments) throws(KinError) -> SearchReport {
        try check(search.mode)
        return try explain(query, k: k, where: search.filter, radius: search.radius)
    }

    func recommend(_ wanted: Recommendation, k: Int, by search: SearchArguments) throws(KinError) -> [Neighbor] {
        try recommend(wanted, k: k, where: search.filter, threads: search.threads)
    }
}

extension IVFIndex: SharedIndex {
    /// Does nothing, since lists grow one by one.
    mutating func reserveCapacity(_ n: Int) {}

    func search(
        _ query: Span<Float>, into results: inout MutableSpan<Neighbor>, by search: SearchArguments
    ) throws(KinError) -> Int {
        try self.search(query, into: &results, mode: search.mode, where: search.filter, radius: search.radius)
    }

    func search(_ queries: Matrix<Float>, k: Int, by search: SearchArguments) throws(KinError) -> NeighborTable {
        try self.search(
            queries, k: k, mode: search.mode, where: search.filter, threads: search.threads, radii: search.radii)
    }

    func rangeSearch(_ query: [Float], radius: Double, by search: SearchArguments) throws(KinError) -> [Neighbor] {
        try rangeSearch(query, radius: radius, where: search.filter)
    }

    func explain(_ query: [Float], k: Int, by search: SearchArguments) throws(KinError) -> SearchReport {
        try explain(query, k: k, mode: search.mode, where: search.filter, radius: search.radius)
    }

    func recommend(_ wanted: Recommendation, k: Int, by search: SearchArguments) throws(KinError) -> [Neighbor] {
        try recommend(wanted, k: k, where: search.filter)
    }
}
