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
    /// largest id are ids. With several threads, the ids of the store must differ.
    init?(store: some SlotIDs, threads: Int = 1) {
        let found = concurrentMap(threads, rangesOf: store.count) { range in
            var (least, largest, n): (UInt64, UInt64, UInt64) = (.max, 0, 0)
            for slot in range {
                let id = store.id(at: slot)
                guard id != .none else { continue }
                least = min(least, id.rawValue)
                largest = max(largest, id.rawValue)
                n += 1
            }
            return (least: least, largest: largest, n: n)
        }
        let (least, largest) = (found.map(\.least).min()!, found.map(\.largest).max()!)
        let n = found.reduce(0) { $0 + $1.n }
        guard n > 0, largest - least < 2 * n else { return nil }
        first = VectorID(least)
        count = Int(largest - least) + 1
        let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
        concurrentMap(threads, rangesOf: count) { range in
            unsafe (slots + range.lowerBound).initialize(repeating: Self.absent, count: range.count)
        }
        concurrentMap(threads, rangesOf: store.count) { range in
            for slot in range {
                let id = store.id(at: slot)
                if id != .none { unsafe slots[Int(id.rawValue - least)] = UInt32(slot) }
            }
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
