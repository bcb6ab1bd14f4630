/// The rows of a table that a filter allows: one bit for each slot, with a snapshot of the table to find the slot of an
/// id.
///
/// It needs no set of ids, and takes an eighth of a byte per row.
final class AttributeSelection: Sendable {
    private let store: AttributeStore
    private let map: IDMap
    private let mask: [UInt64]
    /// The number of rows allowed.
    let count: Int

    init(_ table: AttributeTable, mask: [UInt64]) {
        store = table.store
        map = table.map
        self.mask = mask
        count = mask.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Whether a row is allowed. O(log n) at most.
    func contains(_ id: VectorID) -> Bool {
        guard let slot = map.slot(of: id, in: store) else { return false }
        return mask[slot >> 6] & (1 << UInt64(slot & 63)) != 0
    }

    /// The ids of the allowed rows in storage order.
    var ids: [VectorID] {
        var ids: [VectorID] = []
        ids.reserveCapacity(count)
        for (w, word) in mask.enumerated() {
            var rest = word
            while rest != 0 {
                ids.append(store.id(at: w * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return ids
    }

    /// The allowed rows as a bitmap of ids; nil if ids are so far apart that it would be much larger than the rows.
    var bitmap: IDBitmap? {
        // With ids equal to slots, a bitmap of slots is also a bitmap of ids.
        if store.strays == 0 { return IDBitmap(words: mask) }
        guard store.idBound < 16 * UInt64(store.count) + 4096 else { return nil }
        var words = [UInt64](repeating: 0, count: Int(store.idBound) / 64 + 1)
        for id in ids where id.rawValue <= store.idBound { words[Int(id.rawValue >> 6)] |= 1 << (id.rawValue & 63) }
        return IDBitmap(words: words)
    }
}
