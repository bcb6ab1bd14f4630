public import KinCore
public import KinLinearAlgebra

/// A vector inverted-file index: a search looks only into the lists, and the parts of lists, that can hold a neighbour.
///
/// Vectors that are near each other share a list. Around each list, and around each run of 64 vectors in it, there is a box; a
/// search visits boxes from the nearest on, and stops when no box is nearer than the k-th neighbour found. So the
/// result is that of ``FlatIndex`` (a scan in double precision), found in a small part of the time wherever the data
/// have any structure. A ``SearchMode`` other than `.exact` looks at still less.
///
/// It needs no training and no parameters: it starts as one list and divides itself as it grows, and a large first load is
/// divided at once. An index is a value, as ``FlatIndex`` is.
///
///     var index = IVFIndex(dimension: 16)
///     try index.upsert(vectors, ids: ids)
///     let nearest = try index.search(query, k: 10)
///     let quick = try index.search(query, k: 10, mode: .recall(0.95))
///
/// Memory for 16 dimensions: some 94 bytes a vector, 64 of them the vector itself.
public struct IVFIndex: Sendable {
    /// The number of dimensions of every vector.
    public let dimension: Int

    /// What "near" means.
    public let metric: Metric

    /// How the index divides its vectors into lists.
    public let partitioning: Partitioning

    private(set) var store: ListStore
    private(set) var map: IDMap
    private(set) var partition: any Partition
    /// Larger than every id that was ever put in (``append(_:threads:)`` counts on from here).
    private(set) var nextID: UInt64
    /// What was measured of recall.
    private(set) var calibration: RecallCalibration
    /// Whether boxes may be drawn along the principal axes of the data.
    private(set) var mayRotate = true
    /// Another one after every change of which somebody who holds it has to know.
    private(set) var version = ContentVersion()
    private var copies = CopyToken()
    /// What is known of each vector beside its numbers, to filter by; it has a row for every vector once attributes are declared.
    public private(set) var attributes: AttributeTable
    /// Memory that searches use in turn.
    let pool = ListScanPool()
    /// What filters may keep of the vectors they allow.
    let filterBudget = FilterCacheBudget()

    /// An empty index.
    ///
    /// - Parameters:
    ///   - dimension: The number of dimensions of every vector.
    ///   - metric: What "near" means.
    ///   - partition: How the index divides its vectors into lists.
    ///   - attributes: What a vector can have beside its numbers; more can be declared later.
    /// - Precondition: `dimension` is in 1…65,536.
    public init(
        dimension: Int, metric: Metric = .squaredL2, partition: Partitioning = .automatic,
        attributes: AttributeSchema = AttributeSchema()
    ) {
        precondition(
            (1...RowLayout.largestDimension).contains(dimension), "the dimension of an index is 1 to 65,536")
        let layout = RowLayout(listsOf: dimension, metric: metric)
        self.init(
            store: ListStore(layout: layout, frame: PruningFrame(dimension: dimension, metric: metric)), map: IDMap(),
            partition: MedianTree(dimension: dimension), partitioning: partition, nextID: 0,
            calibration: RecallCalibration(),
            attributes: AttributeTable(schema: attributes))
    }

    /// An empty index that is only ever searched exactly: what other modes would need is not measured as it grows.
    ///
    /// - Parameter alongOwnAxes: Whether boxes keep to the coordinates of the vectors, as ``IgnoredDimensions`` needs.
    package init(exactlySearched dimension: Int, metric: Metric, alongOwnAxes: Bool = false) {
        self.init(dimension: dimension, metric: metric)
        calibration = RecallCalibration(isWanted: false)
        mayRotate = !alongOwnAxes
    }

    init(
        store: ListStore, map: IDMap, partition: any Partition, partitioning: Partitioning, nextID: UInt64,
        calibration: RecallCalibration, attributes: AttributeTable = AttributeTable()
    ) {
        dimension = store.layout.dimension
        metric = store.layout.metric
        self.partitioning = partitioning
        self.store = store
        self.map = map
        self.partition = partition
        self.nextID = nextID
        self.calibration = calibration
        self.attributes = attributes
    }

    var validation: InputValidation { InputValidation(dimension: dimension, metric: metric) }

    /// How many vectors there are.
    public var count: Int { store.count }

    /// Whether there are none.
    public var isEmpty: Bool { store.count == 0 }

    /// The ids of all vectors, list by list. O(n).
    public var ids: [VectorID] {
        store.lists.flatMap { list in
            unsafe Array(UnsafeBufferPointer(start: list.chunk.ids, count: list.count))
        }
    }

    /// Whether a vector has this id. O(log n) at most.
    public func contains(_ id: VectorID) -> Bool { slot(of: id) != nil }

    /// The vector with this id, exactly as it was put in. O(dimension + log n).
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

    /// Bytes that vectors, codes, boxes and ids take, in memory or mapped from a file.
    public var byteCount: Int { store.bytes }

    /// How many lists there are.
    public var listCount: Int { store.lists.count }
}

/// How an ``IVFIndex`` divides its vectors into lists.
public enum Partitioning: Sendable, Hashable {
    /// The index chooses; at present median splits, which build fastest and prune as well as lists.
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
        _ change: (inout ListStore, inout IDMap, inout any Partition) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        renewVersion()
        return try change(&store, &map, &partition)
    }

    /// Puts everything that a build made in place.
    mutating func replace(store: ListStore, partition: any Partition) {
        renewVersion()
        self.store = store
        self.partition = partition
        map.rebuild(from: ListAddresses(store: store))
    }

    /// Changes the attributes.
    mutating func updateAttributes<Failure: Error>(
        _ change: (inout AttributeTable) throws(Failure) -> Void
    ) throws(Failure) {
        renewVersion()
        try change(&attributes)
    }

    /// A version that nobody else holds tells nobody anything: it can stay.
    private mutating func renewVersion() {
        if !isKnownUniquelyReferenced(&version) { version = ContentVersion() }
    }

    /// Whether no copy of the index is alive.
    package mutating func isUniquelyReferenced() -> Bool { copies.isUnique() }

    mutating func note(largest id: UInt64) { nextID = max(nextID, id &+ 1) }

    mutating func setCalibration(_ calibration: RecallCalibration) { self.calibration = calibration }
}
