extension InvertedFile {
    /// Inserts or replaces checked vectors row by row, without an allocation per row.
    ///
    /// - Throws: `.cancelled`, with some of the rows changed.
    mutating func put(
        _ vectors: Matrix<Float>, ids: some Collection<VectorID>, _ work: LongWork? = nil
    ) throws(KinError) {
        let dimension = store.layout.dimension
        try unsafe vectors.withUnsafeBufferPointer { rows throws(KinError) in
            for (i, id) in ids.enumerated() {
                unsafe store.layout.withPadded(rows.baseAddress! + i * dimension) { row in unsafe put(row, id: id) }
                if i % 64 == 63 { try work?.step(by: 64) }
            }
        }
        countChanges(ids.count)
    }

    /// Sorts the table of ids. Single changes put ids into a hash table instead, which takes several times the memory.
    mutating func compact() { update { store, map, _ in map.rebuild(from: ListAddresses(store: store)) } }

    /// The number of rows in the largest number of half-full lists of 4,096.
    static var largestCount: Int { ListStore.largestListCount << 11 }
}

// MARK: - Rows in lists

extension InvertedFile {
    /// Inserts a row, or replaces the row with its id.
    mutating func put(_ row: UnsafePointer<Float>, id: VectorID) {
        guard let slot = slot(of: id) else {
            unsafe insert(row, id: id)
            return
        }
        let c = store.location(of: slot).list
        guard unsafe store.holds(row, in: c, partition) else {
            remove(id)
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

    /// Removes the row with an id, and dissolves its list if the list has become small.
    private mutating func remove(_ id: VectorID) {
        var changed = ChangedLists()
        _ = remove(id, changing: &changed)
        settle(changed)
    }

    /// Removes the row with an id. A call of ``settle(_:)`` must follow; one call for many rows rebuilds a list once.
    ///
    /// - Parameter changed: Receives the list of the row.
    /// - Returns: Whether there was a row with this id.
    mutating func remove(_ id: VectorID, changing changed: inout ChangedLists) -> Bool {
        guard let slot = slot(of: id) else { return false }
        changed.insert(store.location(of: slot).list)
        update { store, map, _ in
            let moved = store.remove(slot)
            map.remove(id)
            if let moved { map.put(moved, in: slot) }
        }
        return true
    }

    /// Dissolves the lists that have become small by removals, and rebuilds lists with many changes.
    mutating func settle(_ changed: ChangedLists) {
        update { store, map, partition in
            // The last list takes the number of a dissolved one, so lists are in descending order.
            changed.forEachDescending { c in
                // Outliers are few, so their list is dissolved only when it is empty.
                if store.lists.count > 1, store.lists[c].count < (store.outliers.contains(c) ? 1 : store.fewestRows) {
                    store.dissolve(c, map: &map, partition: &partition)
                } else if store.lists[c].isUnsettled {
                    unsafe store.rebuild(c, map: &map, partition: &partition)
                }
            }
        }
    }

    /// Rebuilds all lists that have changed since they were built, and fits the grid of their boxes again. Then no box
    /// depends on a removed row.
    mutating func rebuildChangedLists() {
        update { store, map, partition in
            for c in store.lists.indices.reversed() where store.lists[c].changes > 0 {
                if store.lists[c].count == 0 {
                    store.put(InvertedList(layout: store.layout), at: c)
                } else {
                    unsafe store.rebuild(c, map: &map, partition: &partition)
                }
            }
            store.computeBoxes()
        }
    }

    /// Counts changes of single rows. Only many changes sort the table of ids, so a single insertion never waits for
    /// the sort.
    mutating func countChanges(_ n: Int) {
        if n >= count / 64 { update { store, map, _ in map.settle(from: ListAddresses(store: store)) } }
        calibration.note(n)
    }

    /// Measures recall if the index is large enough.
    ///
    /// - Parameter image: The scratch file that backs the rows during a build; nil if they are in memory.
    /// - Throws: `.cancelled`.
    mutating func measure(in image: FileImage? = nil, threads: Int) throws(KinError) {
        calibration =
            calibration.isMeasured(at: count)
            ? try RecallCalibration(measuring: self, in: image, threads: threads) : calibration.unmeasured
    }
}

/// The numbers of lists with removed rows; a single number takes no allocation.
struct ChangedLists {
    private var last: Int?
    private var others: Set<Int> = []

    mutating func insert(_ c: Int) {
        if let last, last != c { others.insert(last) }
        last = c
    }

    func forEachDescending(_ body: (Int) -> Void) {
        guard let last else { return }
        guard !others.isEmpty else { return body(last) }
        others.union([last]).sorted(by: >).forEach(body)
    }
}
