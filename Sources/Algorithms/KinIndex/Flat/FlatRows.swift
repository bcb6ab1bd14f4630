/// The vectors of an index in the flat layout, with their ids: every search screens the codes of all vectors.
///
/// Vectors are stored as floats and as 8-bit codes. A search screens the codes, and computes in double precision the
/// distances of the few vectors that a proved bound cannot exclude. If codes cannot help, a search is a scan in double
/// precision.
///
/// Memory for 16 dimensions: 64 bytes of floats, 16 of codes and 8 of id per vector, plus 12 to 40 for ids that are not
/// simply 0, 1, 2 ….
struct FlatRows: Sendable {
    private(set) var store: RowStore
    private(set) var map: IDMap

    var count: Int { store.count }

    func slot(of id: VectorID) -> Int? { map.slot(of: id, in: store) }

    var contentCheck: ContentCheck? {
        get { store.contentCheck }
        set { store.contentCheck = newValue }
    }
}

extension FlatRows {
    /// Creates the rows of an index without vectors.
    init(dimension: Int, metric: Metric) {
        self.init(store: RowStore(layout: RowLayout(dimension: dimension, metric: metric)), map: IDMap())
    }
}

// MARK: - Changes

extension FlatRows {
    /// Inserts or replaces checked vectors, without an allocation per row.
    ///
    /// - Throws: `.cancelled`, with some of the rows changed.
    mutating func put(
        _ vectors: Matrix<Float>, ids: some RandomAccessCollection<VectorID>, threads: Int, _ work: LongWork?
    ) throws(KinError) {
        let dimension = store.layout.dimension
        try unsafe vectors.elements.withUnsafeBufferPointer { all throws(KinError) in
            guard let base = all.baseAddress else { return }
            let areNew = concurrentMap(threads, rangesOf: count == 0 || ids.count == 1 ? 0 : ids.count) { range in
                range.allSatisfy { slot(of: ids[ids.index(ids.startIndex, offsetBy: $0)]) == nil }
            }
            guard ids.count == 1 || areNew.contains(false) else {
                try unsafe add(base, ids: ids, threads: threads, work)
                return
            }
            for (i, id) in ids.enumerated() {
                let vector = unsafe base + i * dimension
                if let slot = slot(of: id) {
                    unsafe store.overwrite(slot, with: vector)
                } else {
                    try unsafe add(vector, ids: CollectionOfOne(id), threads: 1, nil)
                }
                if i % 64 == 63 { try work?.step(by: 64) }
            }
        }
    }

    /// Adds rows whose ids are new.
    private mutating func add(
        _ vectors: UnsafePointer<Float>, ids: some RandomAccessCollection<VectorID>, threads: Int, _ work: LongWork?
    ) throws(KinError) {
        let first = count
        try unsafe store.append(vectors, ids: ids, threads: threads, work)
        map.append(ids, from: first, store: store, threads: threads)
    }

    /// Removes the row with an id; the last row takes its slot.
    ///
    /// - Returns: Whether there was a row with this id.
    mutating func remove(_ id: VectorID) -> Bool {
        guard let slot = slot(of: id) else { return false }
        let moved = store.remove(slot)
        map.remove(id)
        if let moved { map.put(moved, in: slot) }
        return true
    }

    mutating func reserveCapacity(_ n: Int) { store.reserveCapacity(min(n, RowStore.largestCount)) }

    /// Frees memory reserved for growth, and sorts the table of ids.
    mutating func compact() {
        store.trim()
        map.rebuild(from: store)
    }
}
