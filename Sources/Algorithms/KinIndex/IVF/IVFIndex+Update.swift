public import KinCore
public import KinLinearAlgebra

extension IVFIndex {
    /// Inserts vectors under new ids and replaces the vectors of ids that the index has.
    ///
    /// A load at least as large as the rest of the index rebuilds it and measures recall; a smaller one goes
    /// into the lists that there are and measures nothing (``calibrate(threads:)``).
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - ids: n different ids, none of them `VectorID.none`.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it.
    /// - Throws: `.dimensionMismatch`, `.invalidArgument` (as many ids as rows are needed, threads from 1), `.duplicateID`,
    ///   `.notFinite`, `.zeroVector` (cosine) or `.capacityExceeded`, naming the row; `.cancelled`, as `withProgressHandler` says, for
    ///   a load of thousands of rows (its units). The index is unchanged then.
    /// - Complexity: O(n · (dimension + log n)).
    public mutating func upsert(_ vectors: Matrix<Float>, ids: [VectorID], threads: Int = 1) throws(KinError) {
        try validation.checkArguments(k: 0, threads: threads)
        try validation.check(vectors, ids: ids, beside: count, most: Self.largestCount)
        guard vectors.rows > 0 else { return }
        let before = ids.count >= store.layout.chunkRows && LongWork.isObserved ? self : nil
        do throws(KinError) {
            if let replaced = replacedByLoad(ids) {
                try load(vectors, ids: ids, replacing: replaced, threads: threads)
                noteNew(ids)
            } else {
                try put(vectors, ids: ids, before.map { _ in LongWork(of: ids.count) })
            }
        } catch {
            if let before { self = before }
            throw error
        }
    }

    /// The number of ids that are there already, if the others are so few that inserting these rebuilds the index; else nil.
    private func replacedByLoad(_ ids: [VectorID]) -> Int? {
        guard ids.count >= store.layout.chunkRows else { return nil }
        let replaced = isEmpty ? 0 : ids.count { contains($0) }
        return ids.count >= count - replaced ? replaced : nil
    }

    /// Inserts or replaces checked vectors row by row, without an allocation for each.
    ///
    /// - Throws: `.cancelled`, with some of the rows changed.
    private mutating func put(
        _ vectors: Matrix<Float>, ids: some Collection<VectorID>, _ work: LongWork? = nil
    ) throws(KinError) {
        try unsafe vectors.withUnsafeBufferPointer { rows throws(KinError) in
            for (i, id) in ids.enumerated() {
                unsafe store.layout.withPadded(rows.baseAddress! + i * dimension) { row in unsafe put(row, id: id) }
                if i % 64 == 63 { try work?.step(by: 64) }
            }
        }
        note(changes: ids.count)
        noteNew(ids)
    }

    /// Adds rows of attributes, and raises the next fresh id, for ids whose vectors were inserted.
    private mutating func noteNew(_ ids: some Collection<VectorID>) {
        if hasAttributes { updateAttributes { $0.addRows(ids) } }
        note(largest: ids.reduce(0) { max($0, $1.rawValue) })
    }

    /// Measures the recall of pruned searches, for ``SearchMode/recall(_:)``, with vectors of the index as queries.
    ///
    /// A load that rebuilds the index measures too. Other changes do not, so that an insertion never waits for a measurement: the
    /// last one stays in use, ``recallReport`` has the number of changes since, and this measures again. An index
    /// that was never measured, or has less than 10,000 vectors, is searched exactly.
    ///
    /// - Parameter threads: The number of threads, 1 or more; the result does not depend on it.
    /// - Throws: `.invalidArgument` when threads is below 1; `.cancelled`, and the last measurement stays.
    /// - Complexity: Some thousand searches: at a million vectors of 16 dimensions .1 to 2 s, by how much boxes rule out.
    public mutating func calibrate(threads: Int = 1) throws(KinError) {
        try validation.checkArguments(k: 0, threads: threads)
        try measure(threads: threads)
    }

    /// Sorts the table of ids, which single changes leave to a hash table that takes several times the memory, and drops categories that
    /// no vector has.
    ///
    /// - Complexity: O(n log n).
    public mutating func compact() {
        update { store, map, _ in map.rebuild(from: ListAddresses(store: store)) }
        updateAttributes { $0.compact() }
    }

    /// Rows that lists of 4,096 can hold when they are half full.
    static var largestCount: Int { ListStore.largestListCount << 11 }

    /// Inserts or replaces one vector; see ``upsert(_:ids:threads:)``.
    public mutating func upsert(_ vector: [Float], id: VectorID) throws(KinError) {
        let vectors = try Matrix(rows: 1, columns: vector.count, elements: vector)
        try validation.check(vectors, ids: CollectionOfOne(id), beside: count, most: Self.largestCount)
        try put(vectors, ids: CollectionOfOne(id))
    }

    /// Adds vectors under fresh ids: consecutive numbers above every id the index ever held, from 0 on.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it.
    /// - Returns: The id of the first row; row i has the id that is i larger.
    /// - Throws: As ``upsert(_:ids:threads:)``.
    @discardableResult
    public mutating func append(_ vectors: Matrix<Float>, threads: Int = 1) throws(KinError) -> VectorID {
        let first = VectorID(nextID)
        try upsert(vectors, ids: [VectorID](fresh: nextID, count: vectors.rows), threads: threads)
        return first
    }

    /// Removes a vector and its attributes; their memory is reused at once, and a list that has become small is dissolved.
    ///
    /// - Returns: Whether the index had a vector with this id.
    @discardableResult
    public mutating func remove(_ id: VectorID) -> Bool {
        remove(CollectionOfOne(id)) > 0
    }

    /// Removes some vectors and their attributes.
    ///
    /// - Returns: The number of vectors removed; ids that no vector has are skipped.
    @discardableResult
    public mutating func remove(_ ids: some Sequence<VectorID>) -> Int {
        var removed = 0
        for id in ids where removeRow(id) {
            removed += 1
            if hasAttributes { updateAttributes { _ = $0.remove(id) } }
        }
        note(changes: removed)
        return removed
    }

    /// Inserts all vectors of another index of the same dimension and metric, with their attributes.
    ///
    /// - Parameters:
    ///   - other: What is added; of the same dimension and metric.
    ///   - threads: The number of threads, 1 or more.
    /// - Throws: `.dimensionMismatch` or `.invalidArgument` when dimension, metric or the kind of an attribute differ, `.duplicateID`
    ///   when both have a vector of the same id; the index is unchanged then.
    public mutating func merge(_ other: IVFIndex, threads: Int = 1) throws(KinError) {
        guard other.dimension == dimension else {
            throw KinError(
                .dimensionMismatch, "the index has \(dimension) dimensions, the one to be merged \(other.dimension)")
        }
        guard other.metric == metric else {
            throw KinError(
                .invalidArgument,
                "the index compares by \(metric.rawValue), the one to be merged by \(other.metric.rawValue)")
        }
        let ids = other.ids
        if let id = ids.first(where: contains) {
            throw KinError(.duplicateID, "both indexes have a vector \(id): remove one of them first")
        }
        let before = attributes
        try declareAttributes(other.attributes.schema)
        guard !ids.isEmpty else { return }
        do throws(KinError) {
            try upsert(other.allVectors, ids: ids, threads: threads)
        } catch {
            updateAttributes { $0 = before }
            throw error
        }
        updateAttributes { $0.write(other.attributes.columns(of: ids), ids: ids) }
    }

    /// All vectors in the order of ``ids``.
    private var allVectors: Matrix<Float> {
        unsafe Matrix(rows: count, columns: dimension) { elements in
            var next = 0
            for list in store.lists {
                for r in 0..<list.count {
                    let row = unsafe UnsafeBufferPointer(start: list.chunk.row(r), count: dimension)
                    next = unsafe elements[next...].initialize(fromContentsOf: row)
                }
            }
        }
    }
}

// MARK: - Rows in lists

extension IVFIndex {
    /// Inserts a row, or replaces the one with its id.
    mutating func put(_ row: UnsafePointer<Float>, id: VectorID) {
        guard let slot = slot(of: id) else {
            unsafe insert(row, id: id)
            return
        }
        let c = store.location(of: slot).list
        guard unsafe store.holds(row, in: c, partition) else {
            removeRow(id)
            unsafe insert(row, id: id)
            return
        }
        update { store, map, partition in
            unsafe store.overwrite(slot, with: row)
            if store.lists[c].isUnsettled { unsafe store.rebuild(c, map: &map, partition: &partition) }
        }
    }

    /// Inserts a new row into the list it belongs to.
    private mutating func insert(_ row: UnsafePointer<Float>, id: VectorID) {
        update { store, map, partition in
            let c = unsafe store.list(for: row, &partition)
            if store.lists[c].count < store.layout.chunkRows {
                let slot = unsafe store.append(row, id: id, to: c)
                map.put(id, in: store.address(of: slot))
                if store.lists[c].isUnsettled { unsafe store.rebuild(c, map: &map, partition: &partition) }
            } else {
                unsafe store.rebuild(c, adding: row, id: id, map: &map, partition: &partition)
            }
        }
    }

    /// Removes a row, and dissolves its list when that has become small.
    @discardableResult
    private mutating func removeRow(_ id: VectorID) -> Bool {
        guard let slot = slot(of: id) else { return false }
        update { store, map, partition in
            let moved = store.remove(slot)
            map.remove(id)
            if let moved { map.put(moved, in: slot) }
            let c = store.location(of: slot).list
            // Outliers are few; only where none is left does their list go.
            let fewest = store.outliers.contains(c) ? 1 : store.layout.chunkRows / 16
            if store.lists.count > 1, store.lists[c].count < fewest {
                store.dissolve(c, map: &map, partition: &partition)
            } else if store.lists[c].isUnsettled {
                unsafe store.rebuild(c, map: &map, partition: &partition)
            }
        }
        return true
    }

    /// Records changes of single rows. Only many of them sort the table of ids, so that a single insertion never waits for that.
    mutating func note(changes: Int) {
        if changes >= count / 64 { update { store, map, _ in map.settle(from: ListAddresses(store: store)) } }
        calibration.note(changes)
    }

    /// Measures recall where the index is large enough for it.
    ///
    /// - Parameter image: The scratch file that the rows are mapped from, while a file is built.
    /// - Throws: `.cancelled`.
    mutating func measure(in image: FileImage? = nil, threads: Int) throws(KinError) {
        calibration =
            calibration.isMeasured(at: count)
            ? try RecallCalibration(measuring: self, in: image, threads: threads) : calibration.unmeasured
    }
}
