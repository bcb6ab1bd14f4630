public import KinCore
public import KinLinearAlgebra

/// An exact vector index without structure: every search screens the codes of all vectors. The right choice up to some ten thousand
/// vectors, and for data without clusters.
///
/// Vectors are stored as floats beside 8-bit codes of them. A search screens the codes, keeps every vector that a proved
/// bound cannot rule out, and computes the distances of those few in double precision. The result is what a plain
/// double-precision scan gives, for any data: where codes cannot help, it is that scan.
///
/// An index is a value. Copying it costs O(1) and gives a snapshot: a reader that holds a copy is never disturbed by, and
/// never waits for, a writer that changes another. A call that throws has changed nothing.
///
///     var index = FlatIndex(dimension: 16)
///     try index.upsert(vectors, ids: ids)
///     let nearest = try index.search(query, k: 10)
///
/// Memory for 16 dimensions: 64 bytes of floats, 16 of codes and 8 of id for each vector, and some 12 to 40 more for ids that
/// are not simply 0, 1, 2 ….
public struct FlatIndex: Sendable {
    /// The number of dimensions of every vector.
    public var dimension: Int { store.layout.dimension }

    /// The distance that vectors are compared by.
    public var metric: Metric { store.layout.metric }

    package private(set) var store: RowStore
    private(set) var map: IDMap
    /// The next fresh id of ``append(_:)``: larger than every id that the index ever held.
    private(set) var nextID: UInt64
    /// The attributes of the vectors, by which a search can filter; one row a vector once an attribute is declared, else no rows.
    public internal(set) var attributes: AttributeTable
    private var copies = CopyToken()

    /// Creates an index without vectors.
    ///
    /// - Parameters:
    ///   - dimension: The number of dimensions of every vector.
    ///   - metric: The distance that vectors are compared by.
    ///   - attributes: The attributes that a vector can have; more can be declared later.
    /// - Precondition: `dimension` is in 1…65,536.
    public init(dimension: Int, metric: Metric = .squaredL2, attributes: AttributeSchema = AttributeSchema()) {
        precondition(
            (1...RowLayout.largestDimension).contains(dimension), "the dimension of an index is 1 to 65,536")
        self.init(
            store: RowStore(layout: RowLayout(dimension: dimension, metric: metric)), map: IDMap(), nextID: 0,
            attributes: AttributeTable(schema: attributes))
    }

    init(store: RowStore, map: IDMap, nextID: UInt64, attributes: AttributeTable) {
        self.store = store
        self.map = map
        self.nextID = nextID
        self.attributes = attributes
    }

    var validation: InputValidation { InputValidation(dimension: dimension, metric: metric) }

    /// The number of vectors in the index.
    public var count: Int { store.count }

    /// Whether the index has no vectors.
    public var isEmpty: Bool { store.count == 0 }

    /// The ids of all vectors, in storage order.
    ///
    /// - Complexity: O(n).
    public var ids: [VectorID] {
        store.chunks.flatMap { chunk in unsafe Array(UnsafeBufferPointer(start: chunk.ids, count: chunk.count)) }
    }

    /// Whether the index has a vector with this id.
    ///
    /// - Complexity: O(log n) at most.
    public func contains(_ id: VectorID) -> Bool { map.slot(of: id, in: store) != nil }

    /// The vector with this id, bit for bit as it was inserted; nil when there is none.
    ///
    /// - Complexity: O(dimension + log n).
    public func vector(for id: VectorID) -> [Float]? {
        map.slot(of: id, in: store).map { store.vector(at: $0) }
    }

    /// The size of vectors, codes and ids in bytes, in memory or mapped from a file; without ``attributes``.
    public var byteCount: Int { store.bytes }
}

extension FlatIndex {
    /// Changes rows, ids and the next id together.
    mutating func update<Result, Failure: Error>(
        _ change: (inout RowStore, inout IDMap, inout UInt64) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try change(&store, &map, &nextID)
    }

    /// Whether this is the only copy of the index that is alive.
    package mutating func isUniquelyReferenced() -> Bool { copies.isUnique() }
}
