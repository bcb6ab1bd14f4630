/// The vectors of an index in inverted lists, with their ids. A search visits only the lists, and the blocks of lists,
/// that can contain a neighbour.
///
/// The index needs no training and no parameters: it starts as one list and divides full lists as it grows. A large
/// first load is divided at once.
struct InvertedFile: Sendable {
    /// The method that divides the vectors into lists.
    let division: IndexLayout
    private(set) var store: ListStore
    private(set) var map: IDMap
    private(set) var partition: Partition
    /// The measured recall of searches with a pruning factor below 1.
    var calibration: RecallCalibration
    /// Whether boxes may follow the principal axes of the data.
    private(set) var mayRotate = true
    /// The version of the content. A change replaces it if it is referenced elsewhere.
    private(set) var version = ContentVersion()
    /// The memory limit for the vectors that filters have laid out.
    let filterBudget = FilterCacheBudget()

    /// Makes all later searches exact; see ``VectorIndex/init(exactlySearched:metric:alongOwnAxes:)``.
    ///
    /// - Throws: `.corruptFile` if boxes must use the vectors' own coordinates but do not.
    mutating func requireExactSearches(alongOwnAxes: Bool) throws(KinError) {
        calibration = RecallCalibration(isWanted: false)
        mayRotate = !alongOwnAxes
        guard mayRotate || !store.frame.isRotated else {
            throw .corrupt("section FRAM is a rotation where none belongs")
        }
    }

    var count: Int { store.count }

    var contentCheck: ContentCheck? {
        get { store.contentCheck }
        set { store.contentCheck = newValue }
    }

    func slot(of id: VectorID) -> Int? {
        map.slot(of: id, in: ListAddresses(store: store)).map { store.slot(at: $0) }
    }

    /// The slots of the rows that a filter allows; nil unless finding each row by its id is fastest.
    func fewSlots(allowedBy filter: SearchFilter) -> [Int]? {
        filter.fewSlots(in: ListAddresses(store: store), of: store.layout, rows: count, map: map)?
            .map { store.slot(at: $0) }
    }
}

extension InvertedFile {
    /// Creates lists without vectors.
    init(layout: RowLayout, division: IndexLayout) {
        let frame = PruningFrame(dimension: layout.dimension, metric: layout.metric)
        self.init(
            division: division, store: ListStore(layout: layout, frame: frame), map: IDMap(),
            partition: .medianTree(MedianTree(dimension: layout.dimension)), calibration: RecallCalibration())
    }

    /// Creates lists without vectors that only support exact searches; see
    /// ``VectorIndex/init(exactlySearched:metric:alongOwnAxes:)``.
    init(exactlySearched dimension: Int, metric: Metric, alongOwnAxes: Bool = false) {
        self.init(layout: RowLayout(listsOf: dimension, metric: metric), division: .lists)
        calibration = RecallCalibration(isWanted: false)
        mayRotate = !alongOwnAxes
    }
}

extension RowLayout {
    /// The layout of lists: at most 4,096 rows each, 64 blocks.
    init(listsOf dimension: Int, metric: Metric) {
        let flat = RowLayout(dimension: dimension, metric: metric)
        self.init(dimension: dimension, metric: metric, chunkShift: min(flat.chunkShift, 12))
    }
}

/// The ids of a list store by slot, as files store them.
struct ListSlots: SlotIDs {
    let store: ListStore

    var count: Int { store.lists.count << store.layout.chunkShift }

    func id(at slot: Int) -> VectorID { store.id(at: slot) ?? .none }
}

/// The ids of a list store by address, as the id map stores them. Right after opening or a load, addresses equal slots.
struct ListAddresses: SlotIDs {
    let store: ListStore

    var count: Int { store.lists.count << store.layout.chunkShift }

    func id(at address: Int) -> VectorID { store.id(at: store.slot(at: address)) ?? .none }
}

extension InvertedFile {
    /// Changes rows, ids and partition together.
    mutating func update<Result, Failure: Error>(
        _ change: (inout ListStore, inout IDMap, inout Partition) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        renewVersion()
        return try change(&store, &map, &partition)
    }

    /// Replaces rows, ids and partition with the result of a build.
    mutating func replace(store: ListStore, partition: Partition, threads: Int) {
        renewVersion()
        self.store = store
        self.partition = partition
        map.rebuild(from: ListAddresses(store: store), threads: threads)
    }

    /// Replaces the version if it is referenced elsewhere.
    mutating func renewVersion() {
        if !isKnownUniquelyReferenced(&version) { version = ContentVersion() }
    }
}
