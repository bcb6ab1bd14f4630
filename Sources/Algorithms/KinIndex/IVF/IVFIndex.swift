public import KinCore
public import KinLinearAlgebra

/// An inverted-file vector index: a search visits only the inverted lists, and the blocks of lists, that can hold a neighbour.
///
/// Vectors near each other share a list. Around each list, and around each run of 64 vectors in it, there is a box; a search visits
/// boxes in ascending order of distance and stops when none is nearer than the k-th neighbour found. So the result is that of
/// ``FlatIndex`` (a scan in double precision), in a small part of the time wherever the data have structure. A ``SearchMode`` other than
/// `.exact` visits fewer boxes.
///
/// It needs no training and no parameters: it starts as one list, divides full lists as it grows, and a large first load is divided at
/// once. An index is a value, as ``FlatIndex`` is.
///
///     var index = IVFIndex(dimension: 16)
///     try index.upsert(vectors, ids: ids)
///     let nearest = try index.search(query, k: 10)
///     let fast = try index.search(query, k: 10, mode: .recall(0.95))
///
/// Memory for 16 dimensions: some 94 bytes a vector, 64 of them the vector itself.
public struct IVFIndex: Sendable {
    /// The number of dimensions of every vector.
    public var dimension: Int { store.layout.dimension }

    /// The distance that vectors are compared by.
    public var metric: Metric { store.layout.metric }

    /// The method by which the index divides its vectors into lists.
    public let partitioning: Partitioning

    private(set) var store: ListStore
    private(set) var map: IDMap
    private(set) var partition: Partition
    /// The next fresh id of ``append(_:threads:)``: larger than every id that the index ever held.
    private(set) var nextID: UInt64
    /// The measured recall of searches with a pruning factor below 1.
    var calibration: RecallCalibration
    /// Whether boxes may lie along the principal axes of the data.
    private(set) var mayRotate = true
    /// The version of the content; replaced by a change when anything else refers to it.
    private(set) var version = ContentVersion()
    private var copies = CopyToken()
    /// The attributes of the vectors, by which a search can filter; one row a vector once an attribute is declared, else no rows.
    public private(set) var attributes: AttributeTable
    /// The memory limit of the vectors that filters have laid out.
    let filterBudget = FilterCacheBudget()

    /// Creates an index without vectors.
    ///
    /// - Parameters:
    ///   - dimension: The number of dimensions of every vector.
    ///   - metric: The distance that vectors are compared by.
    ///   - partition: The method by which the index divides its vectors into lists.
    ///   - attributes: The attributes that a vector can have; more can be declared later.
    /// - Precondition: `dimension` is in 1…65,536.
    public init(
        dimension: Int, metric: Metric = .squaredL2, partition: Partitioning = .automatic,
        attributes: AttributeSchema = AttributeSchema()
    ) {
        precondition(
            (1...RowLayout.largestDimension).contains(dimension), "the dimension of an index is 1 to 65,536")
        self.init(
            layout: RowLayout(listsOf: dimension, metric: metric), partition: partition,
            attributes: AttributeTable(schema: attributes))
    }

    /// Creates an index without vectors whose lists have any layout.
    init(layout: RowLayout, partition: Partitioning, attributes: AttributeTable = AttributeTable()) {
        let frame = PruningFrame(dimension: layout.dimension, metric: layout.metric)
        self.init(
            store: ListStore(layout: layout, frame: frame), map: IDMap(),
            partition: .medianTree(MedianTree(dimension: layout.dimension)), partitioning: partition, nextID: 0,
            calibration: RecallCalibration(), attributes: attributes)
    }

    /// Creates an index without vectors that is searched exactly only: recall is not measured as it grows.
    ///
    /// - Parameters:
    ///   - dimension: The number of dimensions of every vector.
    ///   - metric: The distance that vectors are compared by.
    ///   - alongOwnAxes: Whether boxes keep to the coordinates of the vectors, as ``IgnoredDimensions`` needs.
    package init(exactlySearched dimension: Int, metric: Metric, alongOwnAxes: Bool = false) {
        self.init(dimension: dimension, metric: metric)
        calibration = RecallCalibration(isWanted: false)
        mayRotate = !alongOwnAxes
    }

    /// Reads an index that was created by ``init(exactlySearched:metric:alongOwnAxes:)`` from its sections of a file.
    ///
    /// - Throws: `.corruptFile`, for a frame that is not along the own axes too.
    package init(exactlySearched file: SectionFile, alongOwnAxes: Bool) throws(KinError) {
        try self.init(sections: file)
        calibration = RecallCalibration(isWanted: false)
        mayRotate = !alongOwnAxes
        guard mayRotate || !store.frame.isRotated else {
            throw .corrupt("section FRAM is a rotation where none belongs")
        }
    }

    init(
        store: ListStore, map: IDMap, partition: Partition, partitioning: Partitioning, nextID: UInt64,
        calibration: RecallCalibration, attributes: AttributeTable = AttributeTable()
    ) {
        self.partitioning = partitioning
        self.store = store
        self.map = map
        self.partition = partition
        self.nextID = nextID
        self.calibration = calibration
        self.attributes = attributes
    }

    var validation: InputValidation { InputValidation(dimension: dimension, metric: metric) }

    /// The number of vectors in the index.
    public var count: Int { store.count }

    /// Whether the index has no vectors.
    public var isEmpty: Bool { store.count == 0 }

    /// The ids of all vectors, list by list.
    ///
    /// - Complexity: O(n).
    public var ids: [VectorID] {
        store.lists.flatMap { list in
            unsafe Array(UnsafeBufferPointer(start: list.chunk.ids, count: list.count))
        }
    }

    /// Whether the index has a vector with this id.
    ///
    /// - Complexity: O(log n) at most.
    public func contains(_ id: VectorID) -> Bool { slot(of: id) != nil }

    /// The vector with this id, bit for bit as it was inserted; nil when there is none.
    ///
    /// - Complexity: O(dimension + log n).
    public func vector(for id: VectorID) -> [Float]? {
        slot(of: id).map { store.vector(at: $0) }
    }

    func slot(of id: VectorID) -> Int? {
        map.slot(of: id, in: ListAddresses(store: store)).map { store.slot(at: $0) }
    }

    /// The slots of the rows that a filter allows, if they are so few that finding each by its id is the quickest.
    func fewSlots(allowedBy filter: SearchFilter) -> [Int]? {
        filter.fewSlots(in: ListAddresses(store: store), rows: count, map: map)?.map { store.slot(at: $0) }
    }

    /// The size of vectors, codes, boxes and ids in bytes, in memory or mapped from a file; without ``attributes``.
    public var byteCount: Int { store.bytes }

    /// The number of inverted lists, at least 1.
    public var listCount: Int { store.lists.count }
}

/// The method by which an ``IVFIndex`` divides its vectors into lists.
public enum Partitioning: Sendable, Hashable {
    /// The default method: at present median splits, which build fastest and prune as well as k-means lists.
    case automatic
    /// Lists of at most 4,096 vectors, halved at the median of the coordinate that varies most.
    case medianSplits
    /// One list around each of so many centroids of k-means, found once there are enough vectors; lists that outgrow
    /// 4,096 vectors are divided.
    case lists(Int)
}

extension RowLayout {
    /// The layout of lists: at most 4,096 rows each, 64 blocks.
    init(listsOf dimension: Int, metric: Metric) {
        let flat = RowLayout(dimension: dimension, metric: metric)
        self.init(dimension: dimension, metric: metric, chunkShift: min(flat.chunkShift, 12))
    }
}

/// The ids of a list store by slot, as files hold them.
struct ListSlots: SlotIDs {
    let store: ListStore

    var count: Int { store.lists.count << store.layout.chunkShift }

    func id(at slot: Int) -> VectorID { store.id(at: slot) ?? .none }
}

/// The ids of a list store by address, as the id map holds them; just after opening or a load, addresses are slots.
struct ListAddresses: SlotIDs {
    let store: ListStore

    var count: Int { store.lists.count << store.layout.chunkShift }

    func id(at address: Int) -> VectorID { store.id(at: store.slot(at: address)) ?? .none }
}

extension IVFIndex {
    /// Changes rows, ids and partition together.
    mutating func update<Result, Failure: Error>(
        _ change: (inout ListStore, inout IDMap, inout Partition) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        renewVersion()
        return try change(&store, &map, &partition)
    }

    /// Replaces rows, ids and partition by those of a build.
    mutating func replace(store: ListStore, partition: Partition) {
        renewVersion()
        self.store = store
        self.partition = partition
        map.rebuild(from: ListAddresses(store: store))
    }

    /// Changes the attributes and renews the version.
    mutating func updateAttributes<Failure: Error>(
        _ change: (inout AttributeTable) throws(Failure) -> Void
    ) throws(Failure) {
        renewVersion()
        try change(&attributes)
    }

    /// Replaces the version when anything else refers to it.
    private mutating func renewVersion() {
        if !isKnownUniquelyReferenced(&version) { version = ContentVersion() }
    }

    /// Whether this is the only copy of the index that is alive.
    package mutating func isUniquelyReferenced() -> Bool { copies.isUnique() }

    mutating func note(largest id: UInt64) { nextID = max(nextID, id &+ 1) }
}
