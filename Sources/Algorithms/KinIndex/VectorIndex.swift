/// An exact vector index in memory or mapped from a file.
///
/// A search returns the result of a scan in double precision, for any data, in a fraction of the time. In the
/// ``IndexLayout/flat`` layout a search screens 8-bit codes of all vectors, and computes the distances of the few
/// vectors that a proved bound cannot exclude. With ``IndexLayout/lists``, vectors near each other share a list. There
/// is a box around each list and around each run of 64 vectors in it. A search visits boxes in ascending order of
/// distance, and stops when none is nearer than the k-th neighbour found. A ``SearchMode`` other than `.exact` visits
/// fewer boxes.
///
/// Neither layout needs training or parameters. An index with lists starts with one list, divides full lists as it
/// grows, and divides a large first load at once.
///
/// An index is a value type. A copy costs O(1) and is a snapshot: a reader with a copy is never affected by a writer
/// that changes a different copy, and never waits for it. A call that throws has changed nothing.
///
///     var index = VectorIndex(dimension: 16)
///     try index.upsert(vectors, ids: ids)
///     let nearest = try index.search(query, k: 10)
///     let fast = try index.search(query, k: 10, options: SearchOptions(mode: .recall(0.95)))
///
/// Memory for 16 dimensions: 88 to 105 bytes per vector, including 64 for the vector itself.
public struct VectorIndex: Sendable {
    /// The vectors and their ids, in one of the two layout types.
    typealias Rows = EitherRows<FlatRows, InvertedFile>

    private(set) var rows: Rows
    /// The next new id of ``append(_:threads:)``: larger than every id that the index ever had.
    private(set) var nextID: UInt64
    /// The attributes of the vectors, for filters. The table has one row per vector once an attribute is declared, and
    /// no rows before that.
    public private(set) var attributes: AttributeTable
    /// The names of the vectors; empty in an index whose callers choose the ids.
    var nameTable: NameTable
    private var copies = CopyToken()

    /// The largest number of dimensions.
    package static var largestDimension: Int { RowLayout.largestDimension }

    /// Creates an index without vectors.
    ///
    /// - Parameters:
    ///   - dimension: The number of dimensions of every vector.
    ///   - metric: The distance between vectors.
    ///   - layout: The layout of the vectors.
    ///   - attributes: The attributes that a vector can have; more can be declared later.
    /// - Precondition: `dimension` is in 1…65,536.
    public init(
        dimension: Int, metric: Metric = .squaredL2, layout: IndexLayout = .lists,
        attributes: AttributeSchema = AttributeSchema()
    ) {
        precondition(
            (1...RowLayout.largestDimension).contains(dimension), "the dimension of an index is 1 to 65,536")
        let rows: Rows =
            layout.isFlat
            ? .flat(FlatRows(dimension: dimension, metric: metric))
            : .lists(InvertedFile(layout: RowLayout(listsOf: dimension, metric: metric), division: layout))
        self.init(rows: rows, attributes: AttributeTable(schema: attributes))
    }

    /// Creates an index without vectors that only supports exact searches: recall is not measured as it grows.
    ///
    /// - Parameters:
    ///   - dimension: The number of dimensions of every vector.
    ///   - metric: The distance between vectors.
    ///   - alongOwnAxes: Whether boxes must use the vectors' own coordinates, as ``IgnoredDimensions`` requires.
    package init(exactlySearched dimension: Int, metric: Metric, alongOwnAxes: Bool = false) {
        self.init(
            rows: .lists(InvertedFile(exactlySearched: dimension, metric: metric, alongOwnAxes: alongOwnAxes)))
    }

    init(
        rows: Rows, nextID: UInt64 = 0, attributes: AttributeTable = AttributeTable(), names: SavedNames? = nil
    ) {
        self.rows = rows
        self.nextID = nextID
        self.attributes = attributes
        nameTable = NameTable(saved: names)
    }

    /// The number of dimensions of every vector.
    public var dimension: Int { rowLayout.dimension }

    /// The distance between vectors.
    public var metric: Metric { rowLayout.metric }

    /// The layout of the vectors.
    public var layout: IndexLayout {
        switch rows.kind {
        case .flat: .flat
        case .lists: rows.lists!.division
        }
    }

    var rowLayout: RowLayout {
        switch rows.kind {
        case .flat: rows.flat!.store.layout
        case .lists: rows.lists!.store.layout
        }
    }

    var validation: InputValidation { InputValidation(dimension: dimension, metric: metric) }

    /// The number of vectors in the index.
    public var count: Int {
        switch rows.kind {
        case .flat: rows.flat!.count
        case .lists: rows.lists!.count
        }
    }

    /// Whether the index has no vectors.
    public var isEmpty: Bool { count == 0 }

    /// The ids of all vectors, in storage order.
    ///
    /// - Complexity: O(n).
    public var ids: [VectorID] {
        chunks.flatMap { chunk in unsafe Array(UnsafeBufferPointer(start: chunk.ids, count: chunk.count)) }
    }

    /// Whether the index has a vector with this id.
    ///
    /// - Complexity: O(log n) at most.
    public func contains(_ id: VectorID) -> Bool {
        switch rows.kind {
        case .flat: rows.flat!.slot(of: id) != nil
        case .lists: rows.lists!.slot(of: id) != nil
        }
    }

    /// The vector with this id, bit for bit as inserted; nil if the index has none.
    ///
    /// - Throws: `.corruptFile` if the index was opened with ``OpeningVerification/onUse`` and finds its file damaged.
    /// - Complexity: O(dimension + log n).
    public func vector(for id: VectorID) throws(KinError) -> [Float]? { try intact(storedVector(for: id)) }

    /// The vector with this id, of an index that was not opened with ``OpeningVerification/onUse``; nil if there is none.
    package func storedVector(for id: VectorID) -> [Float]? {
        switch rows.kind {
        case .flat: rows.flat!.slot(of: id).map { rows.flat!.store.vector(at: $0) }
        case .lists: rows.lists!.slot(of: id).map { rows.lists!.store.vector(at: $0) }
        }
    }

    /// A copy of the vector of an id that the index itself has returned.
    ///
    /// - Throws: `.corruptFile` if the index, opened from a damaged file, has no such vector or a vector that is not
    ///   finite.
    package func foundVector(_ id: VectorID) throws(KinError) -> [Float] {
        guard let vector = try vector(for: id), vector.allSatisfy(\.isFinite) else {
            throw .corrupt("a search finds the id \(id), of which the file has no vector")
        }
        return vector
    }

    /// The size of vectors, codes, boxes, ids and names in bytes, in memory or mapped from a file; without
    /// ``attributes``.
    public var byteCount: Int {
        switch rows.kind {
        case .flat: rows.flat!.store.bytes + nameTable.byteCount
        case .lists: rows.lists!.store.bytes + nameTable.byteCount
        }
    }

    /// Whether any attribute is declared. If so, each vector has a row of attributes.
    var hasAttributes: Bool { !attributes.schema.isEmpty }

    /// The inverted lists; nil in the flat layout.
    var invertedFile: InvertedFile? {
        rows.lists
    }

    /// The number of inverted lists, at least 1; 0 in the flat layout.
    public var listCount: Int { invertedFile?.store.lists.count ?? 0 }

    /// The report on the inverted lists; nil in the flat layout.
    ///
    /// - Complexity: O(lists · dimension).
    public var listReport: ListReport? { invertedFile.map { ListReport($0.store, partition: $0.partition.name) } }
}

extension VectorIndex {
    /// Changes vectors and ids in place; the file that they come from is checked first.
    mutating func change<Result, Failure: Error>(
        flat changeFlat: (inout FlatRows) throws(Failure) -> Result,
        lists changeLists: (inout InvertedFile) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let check = contentCheck, check.checkAll() { contentCheck = nil }
        return try rows.change(flat: changeFlat, lists: changeLists)
    }

    /// Changes the attributes in place. Copies of allowed vectors that filters made for the old attributes become
    /// invalid.
    mutating func updateAttributes<Failure: Error>(
        _ change: (inout AttributeTable) throws(Failure) -> Void
    ) throws(Failure) {
        rows.change(flat: { _ in }, lists: { $0.renewVersion() })
        try change(&attributes)
    }

    /// Ensures that new ids are above a given id.
    mutating func reserveIDs(upTo largest: UInt64) { nextID = max(nextID, largest &+ 1) }

    /// Whether no other copy of the index exists.
    package mutating func isUniquelyReferenced() -> Bool { copies.isUnique() }
}

// MARK: - Checks on use

extension VectorIndex {
    /// The checks of the file that the index was opened from; nil if nothing is left to check.
    private var contentCheck: ContentCheck? {
        get {
            switch rows.kind {
            case .flat: rows.flat!.store.contentCheck
            case .lists: rows.lists!.store.contentCheck
            }
        }
        set { rows.change(flat: { $0.contentCheck = newValue }, lists: { $0.contentCheck = newValue }) }
    }

    /// Checks vectors and codes of a file when they are first used.
    mutating func beginContentCheck(of file: SectionFile, _ path: String) {
        contentCheck = ContentCheck(file: file, path: path, count: chunks.count)
    }

    /// Returns the result of an operation that read vectors or codes.
    ///
    /// - Throws: `.corruptFile` if the operation, or an earlier one, found damage.
    @inline(__always)
    func intact<Result>(_ result: Result) throws(KinError) -> Result {
        try contentCheck?.requireIntact()
        return result
    }

    /// Checks all vectors and codes.
    ///
    /// - Throws: `.corruptFile`.
    func requireIntact() throws(KinError) {
        contentCheck?.checkAll()
        try contentCheck?.requireIntact()
    }
}

/// The rows in one of two layouts.
///
/// Two optional values are used instead of an enumeration: a `switch` binds a payload by copying it, which writes the
/// reference count of every part, shared by all searching threads.
struct EitherRows<Flat: Sendable, Lists: Sendable>: Sendable {
    enum Kind { case flat, lists }

    /// The rows in the flat layout; nil with lists.
    private(set) var flat: Flat?
    /// The rows in lists; nil with the flat layout.
    private(set) var lists: Lists?

    static func flat(_ rows: Flat) -> EitherRows { EitherRows(flat: rows, lists: nil) }
    static func lists(_ rows: Lists) -> EitherRows { EitherRows(flat: nil, lists: rows) }

    private init(flat: Flat?, lists: Lists?) { (self.flat, self.lists) = (flat, lists) }

    var kind: Kind { flat == nil ? .lists : .flat }

    /// Changes the rows in place, so that they remain the only reference to their memory.
    fileprivate mutating func change<Result, Failure: Error>(
        flat changeFlat: (inout Flat) throws(Failure) -> Result,
        lists changeLists: (inout Lists) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch kind {
        case .flat: try changeFlat(&flat!)
        case .lists: try changeLists(&lists!)
        }
    }
}
