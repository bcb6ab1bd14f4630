/// An immutable table of (id, slot) sorted by id, in memory or in a mapped file.
///
/// Ids that equal their slot are left out: ``IDMap`` finds them without a table. A lookup is a binary search in O(log
/// n), without allocation.
@safe
package final class SortedIDTable: @unchecked Sendable {
    package let count: Int
    package let ids: UnsafePointer<VectorID>
    package let slots: UnsafePointer<UInt32>
    private let mapping: (any AnyObject & Sendable)?

    /// Creates the table for all rows of a store.
    ///
    /// Ranges of slots are sorted concurrently. Then the entries of all ranges between two ids, which split a sample
    /// evenly, are merged.
    init(store: some SlotIDs, threads: Int = 1) {
        typealias Entry = (id: VectorID, slot: UInt32)
        let runs = concurrentMap(threads, rangesOf: store.count) { range in
            var entries: [Entry] = []
            entries.reserveCapacity(range.count)
            for slot in range {
                let id = store.id(at: slot)
                if id != .none, id.rawValue != UInt64(slot) { entries.append((id, UInt32(slot))) }
            }
            entries.sort { $0.id < $1.id }
            return entries
        }
        count = runs.reduce(0) { $0 + $1.count }
        let ids = UnsafeMutablePointer<VectorID>.allocate(capacity: max(count, 1))
        let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: max(count, 1))
        let sample = runs.flatMap { run in
            stride(from: 0, to: run.count, by: 1 + run.count / 64).map { run[$0].id }
        }.sorted()
        let parts = runs.count
        // The end of each part in each run.
        let ends = (1..<parts + 1).map { part in
            runs.map { run in
                part == parts ? run.count : run.partition { $0.id < sample[part * sample.count / parts] }
            }
        }
        concurrently(threads, taking: parts, memory: {}) { part, _ in
            let starts = part == 0 ? runs.map { _ in 0 } : ends[part - 1]
            var entries = runs.indices.flatMap { runs[$0][starts[$0]..<ends[part][$0]] }
            if parts > 1 { entries.sort { $0.id < $1.id } }
            for (place, entry) in zip(starts.reduce(0, +)..., entries) {
                unsafe ids[place] = entry.id
                unsafe slots[place] = entry.slot
            }
        }
        unsafe self.ids = UnsafePointer(ids)
        unsafe self.slots = UnsafePointer(slots)
        mapping = nil
    }

    /// Creates a table whose memory is in sections of a mapped file. Both sections have the same number of entries.
    init(ids: SectionView, slots: SectionView) {
        count = ids.count
        unsafe self.ids = UnsafePointer(ids.start(of: VectorID.self))
        unsafe self.slots = UnsafePointer(slots.start(of: UInt32.self))
        mapping = ids.image
    }

    deinit {
        guard mapping == nil else { return }
        unsafe ids.deallocate()
        unsafe slots.deallocate()
    }

    /// The slot recorded for an id; nil if the table has none. In a damaged file it can be any number; ``IDMap``
    /// verifies it.
    func slot(of id: VectorID) -> Int? {
        let place = (0..<count).partition { unsafe ids[$0] < id }
        guard place < count, unsafe ids[place] == id else { return nil }
        return unsafe Int(slots[place])
    }

    /// Whether this table equals the result of ``init(store:)``.
    ///
    /// - Parameter ids: The number of ids in the store.
    func describes(_ store: some SlotIDs, ids: Int) -> Bool {
        let isSorted = (1..<max(count, 1)).allSatisfy { unsafe self.ids[$0 - 1] < self.ids[$0] }
        guard isSorted, (0..<count).allSatisfy({ unsafe isNoted(self.ids[$0], in: Int(slots[$0]), store) }) else {
            return false
        }
        let plain = (0..<store.count).count { store.id(at: $0).rawValue == UInt64($0) }
        return count + plain == ids
    }

    /// Whether an entry of the table is correct and necessary.
    private func isNoted(_ id: VectorID, in slot: Int, _ store: some SlotIDs) -> Bool {
        slot < store.count && id.rawValue != UInt64(slot) && store.id(at: slot) == id
    }
}
