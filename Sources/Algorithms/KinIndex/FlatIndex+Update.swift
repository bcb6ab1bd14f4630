public import KinCore
public import KinLinearAlgebra

extension FlatIndex {
    /// Inserts vectors under new ids and replaces the vectors of ids that the index has.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - ids: n different ids, none of them `VectorID.none`.
    /// - Throws: `.dimensionMismatch`, `.invalidArgument` (as many ids as rows are needed), `.duplicateID`, `.notFinite`,
    ///   `.zeroVector` (cosine) or `.capacityExceeded`, naming the row; `.cancelled`, as `withProgressHandler` says, for thousands of
    ///   rows (its units). The index is unchanged then.
    /// - Complexity: O(n · dimension), and O(n log n) for ids out of order.
    public mutating func upsert(_ vectors: Matrix<Float>, ids: [VectorID]) throws(KinError) {
        try put(vectors, ids: ids)
    }

    /// Inserts or replaces one vector; see ``upsert(_:ids:)``.
    public mutating func upsert(_ vector: [Float], id: VectorID) throws(KinError) {
        try put(Matrix(rows: 1, columns: vector.count, elements: vector), ids: CollectionOfOne(id))
    }

    /// Inserts or replaces vectors, without an allocation per row.
    private mutating func put(
        _ vectors: Matrix<Float>, ids: some RandomAccessCollection<VectorID>
    ) throws(KinError) {
        try validation.check(vectors, ids: ids, beside: count, most: RowStore.largestCount)
        let before = ids.count >= 4096 && LongWork.isObserved ? self : nil
        let work = before.map { _ in LongWork(of: ids.count) }
        do throws(KinError) {
            try unsafe vectors.elements.withUnsafeBufferPointer { all throws(KinError) in
                guard let base = all.baseAddress else { return }
                guard ids.count == 1 || ids.contains(where: { contains($0) }) else {
                    try unsafe add(base, ids: ids, work)
                    return
                }
                for (i, id) in ids.enumerated() {
                    let vector = unsafe base + i * dimension
                    if let slot = map.slot(of: id, in: store) {
                        update { store, _, _ in unsafe store.overwrite(slot, with: vector) }
                    } else {
                        try unsafe add(vector, ids: CollectionOfOne(id), nil)
                    }
                    if i % 64 == 63 { try work?.step(by: 64) }
                }
            }
        } catch {
            if let before { self = before }
            throw error
        }
    }

    /// Adds vectors under fresh ids: consecutive numbers above every id the index ever held, from 0 on.
    ///
    /// - Parameter vectors: n × ``dimension``.
    /// - Returns: The id of the first row; row i has the id that is i larger.
    /// - Throws: As ``upsert(_:ids:)``.
    @discardableResult
    public mutating func append(_ vectors: Matrix<Float>) throws(KinError) -> VectorID {
        let first = VectorID(nextID)
        try upsert(vectors, ids: [VectorID](fresh: nextID, count: vectors.rows))
        return first
    }

    /// Removes a vector and its attributes; their memory is reused at once.
    ///
    /// - Returns: Whether the index had a vector with this id.
    /// - Complexity: O(dimension + log n).
    @discardableResult
    public mutating func remove(_ id: VectorID) -> Bool {
        guard let slot = map.slot(of: id, in: store) else { return false }
        update { store, map, _ in
            let moved = store.remove(slot)
            map.remove(id)
            if let moved { map.put(moved, in: slot) }
        }
        if hasAttributes { attributes.remove(id) }
        return true
    }

    /// Removes some vectors and their attributes.
    ///
    /// - Returns: The number of vectors removed; ids that no vector has are skipped.
    @discardableResult
    public mutating func remove(_ ids: some Sequence<VectorID>) -> Int {
        ids.reduce(0) { $0 + (remove($1) ? 1 : 0) }
    }

    /// Reserves memory for about `n` vectors in all, so that the index grows in fewer steps. A hint, never a limit.
    public mutating func reserveCapacity(_ n: Int) {
        update { store, _, _ in store.reserveCapacity(min(n, RowStore.largestCount)) }
    }

    /// Releases memory reserved for growth, sorts the id table, and drops categories that no vector has.
    ///
    /// Removing never leaves holes, so this is worth calling only when an index will not change for long.
    public mutating func compact() {
        update { store, map, _ in
            store.trim()
            map.rebuild(from: store)
        }
        attributes.compact()
    }

    /// Adds rows whose ids are new.
    private mutating func add(
        _ vectors: UnsafePointer<Float>, ids: some RandomAccessCollection<VectorID>, _ work: LongWork?
    ) throws(KinError) {
        let first = count
        try update { store, map, nextID throws(KinError) in
            try unsafe store.append(vectors, ids: ids, work)
            map.append(ids, from: first, store: store)
            nextID = ids.reduce(nextID) { max($0, $1.rawValue + 1) }
        }
        if hasAttributes { attributes.addRows(ids) }
    }
}
