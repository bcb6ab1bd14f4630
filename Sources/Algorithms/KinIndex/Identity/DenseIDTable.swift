package import KinCore

/// An immutable table of slots for ids that are consecutive, or nearly so. It takes 4 bytes for each number from the
/// smallest id to the largest, and O(1) per lookup.
@safe
package final class DenseIDTable: @unchecked Sendable {
    package let first: VectorID
    /// The number of entries, from the smallest id to the largest.
    package let count: Int
    package let slots: UnsafePointer<UInt32>
    private let mapping: (any AnyObject & Sendable)?

    /// The entry of an id that no row has.
    package static let absent = UInt32.max

    /// Creates the table for all rows of a store; nil if fewer than half of the numbers between the smallest and the
    /// largest id are ids.
    init?(store: some SlotIDs) {
        var least = UInt64.max
        var largest: UInt64 = 0
        var n: UInt64 = 0
        for slot in 0..<store.count {
            let id = store.id(at: slot)
            guard id != .none else { continue }
            least = min(least, id.rawValue)
            largest = max(largest, id.rawValue)
            n += 1
        }
        guard n > 0, largest - least < 2 * n else { return nil }
        first = VectorID(least)
        count = Int(largest - least) + 1
        let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        unsafe slots.initialize(repeating: Self.absent, count: count)
        for slot in 0..<store.count {
            let id = store.id(at: slot)
            if id != .none { unsafe slots[Int(id.rawValue - least)] = UInt32(slot) }
        }
        unsafe self.slots = UnsafePointer(slots)
        mapping = nil
    }

    /// Creates a table whose memory is a section of a mapped file.
    init(first: VectorID, slots: SectionView) {
        self.first = first
        count = slots.count
        unsafe self.slots = UnsafePointer(slots.start(of: UInt32.self))
        mapping = slots.image
    }

    deinit {
        if mapping == nil { unsafe slots.deallocate() }
    }

    /// The slot recorded for an id; nil if the table has none. In a damaged file it can be any number; ``IDMap``
    /// verifies it.
    func slot(of id: VectorID) -> Int? {
        guard id >= first, id.rawValue - first.rawValue < UInt64(count) else { return nil }
        let slot = unsafe slots[Int(id.rawValue - first.rawValue)]
        return slot == Self.absent ? nil : Int(slot)
    }

    /// Whether this table equals the result of ``init(store:)``.
    ///
    /// - Parameter ids: The number of ids in the store.
    func describes(_ store: some SlotIDs, ids: Int) -> Bool {
        guard count > 0, count <= 2 * ids, unsafe slots[0] != Self.absent, unsafe slots[count - 1] != Self.absent else {
            return false
        }
        var found = 0
        for i in 0..<count {
            let slot = unsafe slots[i]
            if slot == Self.absent { continue }
            guard Int(slot) < store.count, store.id(at: Int(slot)).rawValue == first.rawValue &+ UInt64(i) else {
                return false
            }
            found += 1
        }
        return found == ids
    }
}
