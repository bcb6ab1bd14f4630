/// A map from ids to slots.
///
/// A lookup tries up to three tables in turn:
/// 1. the slot whose number is the id itself: ids 0, 1, 2 … added in order need no table at all;
/// 2. `recent`, a hash table whose pages copies share, so that a snapshot costs nothing and a write after it little;
/// 3. `dense`, an immutable array of slots, if ids are consecutive or nearly so, or else `base`, an immutable sorted
///    table. It comes from a file, or from sorting a large load.
///
/// A table only proposes a slot: the slot is valid if its row carries the id. So entries of `dense` and `base` need no
/// update when rows move or are removed; they simply no longer match.
struct IDMap: Sendable {
    private(set) var recent = IDHashTable()
    private(set) var base: SortedIDTable?
    private(set) var dense: DenseIDTable?

    /// The slot of an id, if a row carries it.
    func slot(of id: VectorID, in store: some SlotIDs) -> Int? {
        if id.rawValue < UInt64(store.count) {
            let slot = Int(id.rawValue)
            if store.id(at: slot) == id { return slot }
        }
        if let slot = recent[id].map(Int.init), slot < store.count, store.id(at: slot) == id { return slot }
        if let slot = dense?.slot(of: id), slot < store.count, store.id(at: slot) == id { return slot }
        if let slot = base?.slot(of: id), slot < store.count, store.id(at: slot) == id { return slot }
        return nil
    }

    /// Records that the row of `id` is in `slot` now.
    mutating func put(_ id: VectorID, in slot: Int) {
        if id.rawValue == UInt64(slot) {
            recent[id] = nil
        } else {
            recent[id] = UInt32(slot)
        }
    }

    /// Removes an id whose row was removed.
    mutating func remove(_ id: VectorID) {
        recent[id] = nil
    }

    /// Records a run of new rows: `ids[i]` is in slot `first + i`.
    ///
    /// A run at least as long as all other ids is sorted into a new table together with them, so that each id is sorted
    /// at most a logarithmic number of times. A shorter run goes to the hash table.
    mutating func append(
        _ ids: some RandomAccessCollection<VectorID>, from first: Int, store: some SlotIDs, threads: Int = 1
    ) {
        let strays =
            ids.count < 4096
            ? 0
            : concurrentReduce(threads, rangesOf: ids.count) { range in
                range.count { ids[ids.index(ids.startIndex, offsetBy: $0)].rawValue != UInt64(first + $0) }
            } _: {
                $0 + $1
            }
        if strays >= 4096, strays >= recent.count + tableCount {
            rebuild(from: store, threads: threads)
        } else {
            for (i, id) in ids.enumerated() { put(id, in: first + i) }
        }
    }

    /// Sorts all ids into a new table.
    mutating func rebuild(from store: some SlotIDs, threads: Int = 1) {
        recent = IDHashTable()
        dense = DenseIDTable(store: store, threads: threads)
        base = dense == nil ? SortedIDTable(store: store, threads: threads) : nil
    }

    /// The tables that describe a store in its current state. If nothing has changed since this map's own table was
    /// built, that table is returned.
    ///
    /// - Parameter ids: The number of ids in the store.
    /// - Returns: A dense table, a sorted table if a dense one would be mostly empty, or neither if it would have no
    ///   entries.
    func tables(for store: some SlotIDs, ids: Int) -> (dense: DenseIDTable?, sorted: SortedIDTable?) {
        if let dense, dense.describes(store, ids: ids) { return (dense, nil) }
        if let dense = DenseIDTable(store: store) { return (dense, nil) }
        if let base, base.describes(store, ids: ids) { return (nil, base) }
        let sorted = SortedIDTable(store: store)
        return (nil, sorted.count > 0 ? sorted : nil)
    }

    /// Sorts all ids into a new table once the hash table has half the number of ids of the present table. The hash
    /// table takes several times the memory per id.
    mutating func settle(from store: some SlotIDs) {
        if recent.count >= 4096 + tableCount / 2 { rebuild(from: store) }
    }

    private var tableCount: Int { base?.count ?? dense?.count ?? 0 }
}

/// The ids of a store of rows by slot, 0 ..< count, as ``IDMap`` reads them.
package protocol SlotIDs {
    /// The number of slots, at most 2³² − 1.
    var count: Int { get }

    /// The id of the row in a slot; `.none` if the slot is not in use.
    ///
    /// - Precondition: `slot` is in 0 ..< `count`.
    func id(at slot: Int) -> VectorID
}
