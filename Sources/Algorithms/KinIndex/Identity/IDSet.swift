import KinCore

/// A set of ids that is made for a known number of them, and tells of each whether it holds it.
///
/// A table with linear probing, at most half full, by the hash of ``IDHashTable``. Making one of a million ids takes an eighth of the time of a
/// `Set`, and a lookup a third.
struct IDSet: Sendable {
    /// The number of ids in the set.
    private(set) var count = 0
    /// A power of two of them; `.none` where there is no id.
    private var slots: [VectorID]

    /// Creates a set without ids.
    ///
    /// - Parameter capacity: The largest number of ids that will be inserted.
    init(capacity: Int) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        slots = [VectorID](repeating: .none, count: size)
    }

    /// Creates a set of ids, without ``VectorID/none``, which stands for "no vector".
    init(_ ids: [VectorID]) {
        self.init(capacity: ids.count)
        for id in ids where id != .none { insert(id) }
    }

    /// The position of an id, or the free one where it belongs.
    @inline(__always)
    private func position(of id: VectorID) -> Int {
        let last = slots.count - 1
        var position = Int(truncatingIfNeeded: id.tableHash) & last
        while slots[position] != id && slots[position] != .none { position = (position + 1) & last }
        return position
    }

    /// Whether an id is in the set; ``VectorID/none`` is not.
    func contains(_ id: VectorID) -> Bool { id != .none && slots[position(of: id)] == id }

    /// Inserts an id, not ``VectorID/none``.
    ///
    /// - Returns: Whether it was not there before.
    /// - Precondition: Fewer ids than the capacity are in the set, or this one is.
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
