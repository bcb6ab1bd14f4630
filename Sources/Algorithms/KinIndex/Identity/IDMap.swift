package import KinCore

/// A map from ids to slots.
///
/// Three tables are read in turn, each cheaper in memory than the next:
/// 1. the slot with the number of the id itself: vectors that were given ids 0, 1, 2 … in order need no table at all;
/// 2. `recent`, a hash table whose pages copies share (so a snapshot costs nothing and a write after it little);
/// 3. `dense`, an immutable array of slots, when ids are consecutive or nearly so, or else `base`, an immutable
///    sorted table: what a file was saved with, or what a large load was sorted into.
///
/// A table only proposes a slot; the slot is right when the row in it carries the id. So entries of `base` need no
/// upkeep when rows move or go: they are simply not confirmed any more.
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
    /// A run at least as long as all other ids is sorted into a new table with them, so that each id is sorted a
    /// logarithmic number of times at most; a shorter one goes to the hash table.
    mutating func append(_ ids: some Collection<VectorID>, from first: Int, store: some SlotIDs) {
        let strays = ids.count < 4096 ? 0 : ids.enumerated().count { $1.rawValue != UInt64(first + $0) }
        if strays >= 4096, strays >= recent.count + tableCount {
            rebuild(from: store)
        } else {
            for (i, id) in ids.enumerated() { put(id, in: first + i) }
        }
    }

    /// Sorts all ids into a new table.
    mutating func rebuild(from store: some SlotIDs) {
        recent = IDHashTable()
        dense = DenseIDTable(store: store)
        base = dense == nil ? SortedIDTable(store: store) : nil
    }

    /// The table that describes a store as it is, which is this map's own when nothing has changed since that was made.
    ///
    /// - Parameter ids: How many ids there are.
    /// - Returns: A dense table, or a sorted one where that would be mostly empty; neither when it would hold nothing.
    func tables(for store: some SlotIDs, ids: Int) -> (dense: DenseIDTable?, sorted: SortedIDTable?) {
        if let dense, dense.describes(store, ids: ids) { return (dense, nil) }
        if let dense = DenseIDTable(store: store) { return (dense, nil) }
        if let base, base.describes(store, ids: ids) { return (nil, base) }
        let sorted = SortedIDTable(store: store)
        return (nil, sorted.count > 0 ? sorted : nil)
    }

    /// Sorts all ids into a new table once the hash table holds half as many as the present one; it takes several times the memory.
    mutating func settle(from store: some SlotIDs) {
        if recent.count >= 4096 + tableCount / 2 { rebuild(from: store) }
    }

    private var tableCount: Int { base?.count ?? dense?.count ?? 0 }
}

/// The ids of a store of rows by slot, 0 ..< count, as ``IDMap`` reads them.
package protocol SlotIDs {
    /// The number of slots, at most 2³² − 1.
    var count: Int { get }

    /// The id of the row in a slot; `.none` when there is none, in a store whose slots are not all in use.
    ///
    /// - Precondition: `slot` is in 0 ..< `count`.
    func id(at slot: Int) -> VectorID
}
