/// A set of ids with a fixed capacity, for membership tests.
///
/// A table with linear probing, at most half full, with the hash of ``IDHashTable``. Building a set of a million ids
/// takes an eighth of the time of a `Set`, and a lookup takes a third.
struct IDSet: Sendable {
    /// The number of ids in the set.
    private(set) var count = 0
    /// The ids; `.none` at free positions. The count is a power of two.
    private var slots: [VectorID]

    /// Creates a set without ids.
    ///
    /// - Parameter capacity: The largest number of ids that will be inserted.
    init(capacity: Int) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        slots = [VectorID](repeating: .none, count: size)
    }

    /// Creates a set of ids. Ids equal to ``VectorID/none`` ("no vector") are skipped.
    init(_ ids: [VectorID]) {
        self.init(capacity: ids.count)
        for id in ids where id != .none { insert(id) }
    }

    /// The position of an id or, if it is absent, the free position for it.
    @inline(__always)
    private func position(of id: VectorID) -> Int {
        let last = slots.count - 1
        var position = Int(truncatingIfNeeded: id.tableHash) & last
        while slots[position] != id && slots[position] != .none { position = (position + 1) & last }
        return position
    }

    /// Whether an id is in the set; false for ``VectorID/none``.
    func contains(_ id: VectorID) -> Bool { id != .none && slots[position(of: id)] == id }

    /// Inserts an id, not ``VectorID/none``.
    ///
    /// - Returns: Whether the id is new to the set.
    /// - Precondition: The set has fewer ids than its capacity, or contains this one.
    @discardableResult
    mutating func insert(_ id: VectorID) -> Bool {
        let position = position(of: id)
        guard slots[position] == .none else { return false }
        slots[position] = id
        count += 1
        precondition(2 * count <= slots.count, "there is room for the id")
        return true
    }

    /// The ids, in no particular order.
    var ids: [VectorID] { slots.filter { $0 != .none } }
}
