extension VectorIndex {
    /// Inserts vectors under new ids and replaces the vectors of existing ids.
    ///
    /// With lists, a load at least as large as the rest of the index rebuilds it and measures recall. A smaller load
    /// goes into the existing lists and measures nothing (``calibrate(threads:)``).
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - ids: n different ids, not `VectorID.none`.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it.
    /// - Throws: `.dimensionMismatch`, `.invalidArgument` (the number of ids, or threads below 1), `.duplicateID`,
    ///   `.notFinite`, `.zeroVector` (cosine) or `.capacityExceeded`, with the row; `.invalidArgument` if the vectors
    ///   have names; `.cancelled` as described in `withProgressHandler`, for thousands of rows (its units). The index is
    ///   unchanged then.
    /// - Complexity: O(n · (dimension + log n)).
    public mutating func upsert(_ vectors: Matrix<Float>, ids: [VectorID], threads: Int = 1) throws(KinError) {
        try requireNoNames()
        try put(vectors, ids: ids, threads: threads)
    }

    /// Inserts or replaces vectors, in an index with or without names.
    mutating func put(_ vectors: Matrix<Float>, ids: [VectorID], threads: Int) throws(KinError) {
        try validation.checkArguments(k: 0, threads: threads)
        try validation.check(vectors, ids: ids, beside: count, most: largestCount, threads: threads)
        guard vectors.rows > 0 else { return }
        try requireIntact()
        let isLong = isLong(ids.count) && LongWork.isObserved
        let before = isLong ? self : nil
        do throws(KinError) {
            try change(
                flat: { (rows) throws(KinError) in
                    try rows.put(vectors, ids: ids, threads: threads, isLong ? LongWork(of: ids.count) : nil)
                },
                lists: { (file) throws(KinError) in
                    if let replaced = file.replacedByLoad(ids) {
                        try file.load(vectors, ids: ids, replacing: replaced, threads: threads)
                    } else {
                        try file.put(vectors, ids: ids, isLong ? LongWork(of: ids.count) : nil)
                    }
                })
            noteInserted(ids, threads: threads)
        } catch {
            if let before { self = before }
            throw error
        }
    }

    /// Inserts or replaces one vector; see ``upsert(_:ids:threads:)``.
    public mutating func upsert(_ vector: [Float], id: VectorID) throws(KinError) {
        try requireNoNames()
        let (vectors, ids) = (try Matrix(rows: 1, columns: vector.count, elements: vector), CollectionOfOne(id))
        try validation.check(vectors, ids: ids, beside: count, most: largestCount)
        try requireIntact()
        try change(
            flat: { (rows) throws(KinError) in try rows.put(vectors, ids: ids, threads: 1, nil) },
            lists: { (file) throws(KinError) in try file.put(vectors, ids: ids) })
        noteInserted(ids, threads: 1)
    }

    /// Whether inserting this number of vectors may take long enough to report progress.
    private func isLong(_ n: Int) -> Bool {
        switch rows.kind {
        case .flat: n >= 4096
        case .lists: n >= rows.lists!.store.layout.chunkRows
        }
    }

    /// Adds rows of attributes and raises the next new id, for ids whose vectors were inserted.
    private mutating func noteInserted(_ ids: some RandomAccessCollection<VectorID>, threads: Int) {
        if hasAttributes { updateAttributes { $0.addRows(ids) } }
        let largest = concurrentReduce(threads, rangesOf: ids.count) { range in
            range.reduce(0) { max($0, ids[ids.index(ids.startIndex, offsetBy: $1)].rawValue) }
        } _: {
            max($0, $1)
        }
        reserveIDs(upTo: largest)
    }

    /// The largest number of vectors in an index: with lists, the number in half-full lists of 4,096.
    private var largestCount: Int { layout.isFlat ? RowStore.largestCount : InvertedFile.largestCount }

    /// Adds vectors under new ids: consecutive numbers above every id that the index ever had, starting at 0.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - threads: The number of threads, 1 or more; the result does not depend on it.
    /// - Returns: The id of the first row; the id of row i is larger by i.
    /// - Throws: As ``upsert(_:ids:threads:)``.
    @discardableResult
    public mutating func append(_ vectors: Matrix<Float>, threads: Int = 1) throws(KinError) -> VectorID {
        let first = VectorID(nextID)
        try upsert(vectors, ids: [VectorID](fresh: nextID, count: vectors.rows), threads: threads)
        return first
    }

    /// Removes a vector and its attributes. Their memory is reused at once, and a list that becomes small is dissolved.
    ///
    /// - Returns: Whether the index had a vector with this id.
    /// - Complexity: O(dimension + log n), unless a list is dissolved.
    @discardableResult
    public mutating func remove(_ id: VectorID) -> Bool {
        remove(CollectionOfOne(id)) > 0
    }

    /// Removes several vectors and their attributes.
    ///
    /// The boxes around lists may keep single coordinates of a removed vector (``rebuildChangedLists()``).
    ///
    /// - Returns: The number of vectors removed; ids without a vector are skipped.
    @discardableResult
    public mutating func remove(_ ids: some Sequence<VectorID>) -> Int {
        var (removed, lists) = (0, ChangedLists())
        for id in ids where change(flat: { $0.remove(id) }, lists: { $0.remove(id, changing: &lists) }) {
            removed += 1
            if hasAttributes { updateAttributes { _ = $0.remove(id) } }
            if hasNames { nameTable.remove(id) }
        }
        if hasNames, isEmpty { nameTable = NameTable() }
        change(
            flat: { _ in },
            lists: {
                $0.settle(lists)
                $0.countChanges(removed)
            })
        return removed
    }

    /// Rebuilds the lists that have changed since they were built; without effect on a flat index.
    ///
    /// A removed vector may have set a side of a box around a list, and the box keeps its coordinate until the list is
    /// rebuilt. After this call neither the index nor its next file has coordinates of removed vectors.
    ///
    /// - Complexity: About a third of a millisecond for each list that has changed, and O(lists · dimension).
    public mutating func rebuildChangedLists() {
        change(flat: { _ in }, lists: { $0.rebuildChangedLists() })
    }

    /// Inserts all vectors of an index with the same dimension and metric, with their attributes.
    ///
    /// - Parameters:
    ///   - other: The index to insert; with the same dimension and metric, in any layout.
    ///   - threads: The number of threads, 1 or more.
    /// - Throws: `.dimensionMismatch` or `.invalidArgument` if the dimension, the metric or the kind of an attribute
    ///   differs, or only one of the indexes has names; `.duplicateID` if both indexes have a vector with the same id or
    ///   name. The index is unchanged then.
    public mutating func merge(_ other: VectorIndex, threads: Int = 1) throws(KinError) {
        guard other.dimension == dimension else {
            throw KinError(
                .dimensionMismatch, "the index has \(dimension) dimensions, the one to be merged \(other.dimension)")
        }
        guard other.metric == metric else {
            throw KinError(
                .invalidArgument,
                "the index compares by \(metric.rawValue), the one to be merged by \(other.metric.rawValue)")
        }
        let (ids, names) = (other.ids, try other.names())
        let common = names.map { $0.first { id(of: $0) != nil } } ?? ids.first(where: contains).map { "\($0)" }
        if let common {
            throw KinError(.duplicateID, "both indexes have a vector \(common): remove one of them first")
        }
        try other.requireIntact()
        let before = attributes
        try declareAttributes(other.attributes.schema)
        guard !ids.isEmpty else { return }
        do throws(KinError) {
            var own = ids
            if let names {
                own = try upsert(other.allVectors, names: names, threads: threads)
            } else {
                try upsert(other.allVectors, ids: ids, threads: threads)
            }
            updateAttributes { $0.write(other.attributes.columns(of: ids), ids: own) }
        } catch {
            updateAttributes { $0 = before }
            throw error
        }
    }

    /// A copy of the index with a different metric. O(n · dimension).
    ///
    /// - Throws: The errors of a load, for a vector that is not valid for the metric.
    package func rebuilt(under metric: Metric, threads: Int) throws(KinError) -> VectorIndex {
        try requireIntact()
        let fresh = VectorIndex(dimension: dimension, metric: metric, layout: layout, attributes: attributes.schema)
        return try filled(fresh, with: allVectors, threads: threads)
    }

    /// A flat index with the same ids and attributes, whose vectors have only some of the coordinates. O(n ·
    /// dimensions).
    ///
    /// - Parameter dimensions: One or more different coordinates.
    /// - Throws: The errors of a load, for a vector that is not valid for the metric, such as a zero vector under
    ///   cosine.
    package func projected(to dimensions: [Int], threads: Int) throws(KinError) -> VectorIndex {
        try requireIntact()
        let fresh = VectorIndex(
            dimension: dimensions.count, metric: metric, layout: .flat, attributes: attributes.schema)
        let all = allVectors
        let vectors = unsafe Matrix<Float>(rows: all.rows, columns: dimensions.count) { elements in
            var next = 0
            for row in 0..<all.rows {
                for dimension in dimensions {
                    unsafe elements.initializeElement(at: next, to: all[row, dimension])
                    next += 1
                }
            }
        }
        return try filled(fresh, with: vectors, threads: threads)
    }

    /// An empty index with vectors in the place of this index's, under their ids, names and attributes.
    private func filled(
        _ fresh: VectorIndex, with vectors: Matrix<Float>, threads: Int
    ) throws(KinError) -> VectorIndex {
        let ids = ids
        var fresh = fresh
        try fresh.upsert(vectors, ids: ids, attributes: attributes.columns(of: ids), threads: threads)
        fresh.takeNames(of: self)
        return fresh
    }

    /// All chunks of rows, in the order of ``ids``.
    var chunks: [Chunk] {
        switch rows.kind {
        case .flat: rows.flat!.store.chunks.map { $0 }
        case .lists: rows.lists!.store.lists.map(\.chunk)
        }
    }

    /// All vectors in the order of ``ids``.
    private var allVectors: Matrix<Float> {
        unsafe Matrix(rows: count, columns: dimension) { elements in
            var next = 0
            for chunk in chunks {
                for r in 0..<chunk.count {
                    let row = unsafe UnsafeBufferPointer(start: chunk.row(r), count: dimension)
                    next = unsafe elements[next...].initialize(fromContentsOf: row)
                }
            }
        }
    }
}

// MARK: - Upkeep

extension VectorIndex {
    /// Reserves memory for about `n` vectors in total, so that a flat index grows in fewer steps; lists grow one by
    /// one. This is a hint, never a limit.
    public mutating func reserveCapacity(_ n: Int) { change(flat: { $0.reserveCapacity(n) }, lists: { _ in }) }

    /// Frees memory reserved for growth, sorts the table of ids, and drops unused categories.
    ///
    /// With lists, single changes put ids into a hash table that takes several times the memory of the sorted table.
    ///
    /// - Complexity: O(n log n).
    public mutating func compact() {
        change(flat: { $0.compact() }, lists: { $0.compact() })
        updateAttributes { $0.compact() }
    }

    /// Measures the recall of pruned searches, for ``SearchMode/recall(_:)``, with vectors of the index as queries.
    ///
    /// A load that rebuilds the index also measures recall. Other changes do not, so that an insertion never waits for
    /// a measurement. The last measurement stays in use, ``recallReport`` has the number of changes since, and this
    /// call measures again. Under the inner product, a few long vectors attract all queries, so searches are
    /// exact when the changes exceed a tenth of the measured vectors. An index that was never measured, has fewer than
    /// 10,000 vectors or is flat is searched exactly.
    ///
    /// - Parameter threads: The number of threads, 1 or more; the result does not depend on it.
    /// - Throws: `.invalidArgument` if threads is below 1; `.cancelled`, with the last measurement unchanged.
    /// - Complexity: Thousands of searches: with a million vectors of 16 dimensions, 0.1 to 2 s, depending on how much
    ///   boxes exclude.
    public mutating func calibrate(threads: Int = 1) throws(KinError) {
        try validation.checkArguments(k: 0, threads: threads)
        try requireIntact()
        try change(
            flat: { (_) throws(KinError) in }, lists: { (file) throws(KinError) in try file.measure(threads: threads) })
    }

    /// The number of rows that can be written within a fraction of a millisecond if no list is rebuilt.
    package static var fewRows: Int { 64 }

    /// Whether inserting vectors takes at most a few hundred microseconds: they are few, and no list is rebuilt.
    ///
    /// - Parameters:
    ///   - vectors: The vectors to insert.
    ///   - ids: The ids of the vectors; empty for vectors that get new ids.
    package func isShort(upserting vectors: Matrix<Float>, ids: [VectorID]) -> Bool {
        guard vectors.rows <= Self.fewRows else { return false }
        // Invalid arguments are rejected when they are used.
        guard vectors.columns == dimension, ids.isEmpty || ids.count == vectors.rows else { return true }
        switch rows.kind {
        case .flat: return true
        case .lists: return rows.lists!.isShort(upserting: vectors, ids: ids)
        }
    }

    /// Whether removing vectors takes at most a few hundred microseconds.
    package func isShort(removing ids: [VectorID]) -> Bool {
        guard ids.count <= Self.fewRows else { return false }
        switch rows.kind {
        case .flat: return true
        case .lists: return rows.lists!.isShort(removing: ids)
        }
    }
}
