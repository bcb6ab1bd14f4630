import Kin

/// An index of either kind, as the commands use it.
protocol VectorIndex: Sendable {
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

    /// Searches for one query; a flat index refuses every mode but the exact one.
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

    /// An empty index of the same kind, for the same attributes.
    func empty(under metric: Metric) -> Self
    func save(to path: String) throws(KinError)
}

extension VectorIndex {
    /// The inverted file, or an error that says how to get one.
    func invertedFile(for purpose: String) throws(KinError) -> IVFIndex {
        if let file = self as? IVFIndex { return file }
        throw KinError(
            .invalidArgument,
            "this index is flat: \(purpose); `kin index build INPUT -o INDEX --kind ivf` makes an inverted file")
    }
}

extension FlatIndex: VectorIndex {
    var kind: IndexKind { .flat }

    mutating func load(
        _ vectors: Matrix<Float>, ids: [VectorID], attributes: [String: AttributeColumn], threads: Int
    ) throws(KinError) {
        try upsert(vectors, ids: ids, attributes: attributes)
    }

    func search(
        _ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor] {
        try requireExact(mode)
        return try search(query, k: k, where: filter, threads: threads)
    }

    func search(
        _ queries: Matrix<Float>, k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> NeighborTable {
        try requireExact(mode)
        return try search(queries, k: k, where: filter, threads: threads)
    }

    func explain(_ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter) throws(KinError)
        -> SearchReport
    {
        try requireExact(mode)
        return try explain(query, k: k, where: filter)
    }

    func empty(under metric: Metric) -> FlatIndex {
        FlatIndex(dimension: dimension, metric: metric, attributes: attributes.schema)
    }

    private func requireExact(_ mode: SearchMode) throws(KinError) {
        if mode != .exact { _ = try invertedFile(for: "it always looks at everything, so its only mode is exact") }
    }
}

extension IVFIndex: VectorIndex {
    var kind: IndexKind { .ivf }

    mutating func load(
        _ vectors: Matrix<Float>, ids: [VectorID], attributes: [String: AttributeColumn], threads: Int
    ) throws(KinError) {
        try upsert(vectors, ids: ids, attributes: attributes, threads: threads)
    }

    /// One query is answered by one thread: it looks at too little to share.
    func search(
        _ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor] {
        try search(query, k: k, mode: mode, where: filter)
    }

    func search(
        _ queries: Matrix<Float>, k: Int, mode: SearchMode, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> NeighborTable {
        try search(queries, k: k, mode: mode, where: filter, threads: threads, radii: nil)
    }

    func explain(_ query: [Float], k: Int, mode: SearchMode, where filter: SearchFilter) throws(KinError)
        -> SearchReport
    {
        try explain(query, k: k, mode: mode, where: filter, radius: .infinity)
    }

    func rangeSearch(
        _ query: [Float], radius: Double, where filter: SearchFilter, threads: Int
    ) throws(KinError) -> [Neighbor] {
        try rangeSearch(query, radius: radius, where: filter)
    }

    func empty(under metric: Metric) -> IVFIndex {
        IVFIndex(dimension: dimension, metric: metric, partition: partitioning, attributes: attributes.schema)
    }
}
