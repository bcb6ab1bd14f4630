public import KinCore
public import KinLinearAlgebra

extension IVFIndex {
    /// Puts vectors in: new ids are added, ids that are there get the new vector.
    ///
    /// A load at least as large as what is there divides the space anew; a smaller one goes into the cells that there are.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - ids: n different ids, none of them `VectorID.none`.
    ///   - threads: How many threads may work on it; the result does not depend on that.
    /// - Throws: `.dimensionMismatch`, `.invalidArgument` (as many ids as rows are needed, threads from 1), `.duplicateID`,
    ///   `.notFinite`, `.zeroVector` (cosine) or `.capacityExceeded`, naming the row; the index is unchanged then.
    /// - Complexity: O(n · (dimension + log n)).
    public mutating func upsert(_ vectors: Matrix<Float>, ids: [VectorID], threads: Int = 1) throws(KinError) {
        try door.checkArguments(k: 0, threads: threads)
        guard vectors.rows == ids.count else {
            throw KinError(.invalidArgument, "\(vectors.rows) vectors need as many ids, but \(ids.count) were given")
        }
        try door.check(vectors)
        try door.check(ids)
        guard count + ids.count <= Self.largestCount else {
            throw KinError(.capacityExceeded, "an index holds at most \(Self.largestCount) vectors")
        }
        guard vectors.rows > 0 else { return }
        if !isEmpty { for id in ids { removeRow(id) } }
        let stride = store.layout.stride
        let padded = stride == dimension ? vectors : vectors.padded(toColumns: stride)
        unsafe padded.withUnsafeBufferPointer { rows in
            unsafe ids.withUnsafeBufferPointer { ids in
                if ids.count >= max(count, store.layout.chunkRows) {
                    unsafe load(rows.baseAddress!, ids: ids.baseAddress!, count: ids.count, threads: threads)
                } else {
                    for i in 0..<ids.count {
                        unsafe insert(rows.baseAddress! + i * stride, id: ids[i])
                    }
                }
            }
        }
        if hasAttributes { updateAttributes { $0.addRows(ids) } }
        note(largest: ids.reduce(0) { max($0, $1.rawValue) })
        settle(after: ids.count, threads: threads)
    }

    /// Rows that cells of 4,096 can hold when they are half full.
    private static var largestCount: Int { CellStore.largestCellCount << 11 }

    /// Puts one vector in; see ``upsert(_:ids:threads:)``.
    public mutating func upsert(_ vector: [Float], id: VectorID) throws(KinError) {
        try upsert(Matrix(rows: 1, columns: vector.count, elements: vector), ids: [id])
    }

    /// Adds vectors under fresh ids: consecutive numbers above every id the index ever held, from 0 on.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - threads: How many threads may work on it; the result does not depend on that.
    /// - Returns: The id of the first row; row i has the id that is i larger.
    /// - Throws: As ``upsert(_:ids:threads:)``.
    @discardableResult
    public mutating func append(_ vectors: Matrix<Float>, threads: Int = 1) throws(KinError) -> VectorID {
        let first = nextID
        guard first < UInt64.max - UInt64(vectors.rows) else {
            throw KinError(.capacityExceeded, "no ids are left above \(first): use upsert with ids of your own")
        }
        try upsert(vectors, ids: (0..<UInt64(vectors.rows)).map { VectorID(first + $0) }, threads: threads)
        return VectorID(first)
    }

    /// Takes a vector and its attributes out; their memory is used again at once, and a cell that has become small is dissolved.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public mutating func remove(_ id: VectorID) -> Bool {
        remove(CollectionOfOne(id)) > 0
    }

    /// Takes vectors out.
    ///
    /// - Returns: How many there were.
    @discardableResult
    public mutating func remove(_ ids: some Sequence<VectorID>) -> Int {
        var removed = 0
        for id in ids where removeRow(id) {
            removed += 1
            if hasAttributes { updateAttributes { _ = $0.remove(id) } }
        }
        settle(after: removed, threads: 1)
        return removed
    }

    /// Adds all vectors of another index, and their attributes.
    ///
    /// - Parameters:
    ///   - other: What is added; of the same dimension and metric.
    ///   - threads: How many threads may work on it.
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
        try declareAttributes(other.attributes.schema)
        guard !ids.isEmpty else { return }
        try upsert(other.allVectors, ids: ids, threads: threads)
        updateAttributes { $0.write(other.attributes.columns(of: ids), ids: ids) }
    }

    /// All vectors in the order of ``ids``.
    private var allVectors: Matrix<Float> {
        unsafe Matrix(rows: count, columns: dimension) { elements in
            var next = 0
            for cell in store.cells {
                for r in 0..<cell.count {
                    let row = unsafe UnsafeBufferPointer(start: cell.chunk.row(r), count: dimension)
                    next = unsafe elements[next...].initialize(fromContentsOf: row)
                }
            }
        }
    }
}

// MARK: - Rows in cells

extension IVFIndex {
    /// Puts a new row into the cell it belongs to.
    private mutating func insert(_ row: UnsafePointer<Float>, id: VectorID) {
        update { store, map, partition in
            let c = unsafe store.cell(for: row, partition)
            if store.cells[c].count < store.layout.chunkRows {
                let slot = unsafe store.append(row, id: id, to: c)
                map.put(id, in: slot)
                if store.cells[c].isUnsettled { unsafe store.rebuild(c, map: &map, partition: &partition) }
            } else {
                unsafe store.rebuild(c, adding: row, id: id, map: &map, partition: &partition)
            }
        }
    }

    /// Takes a row out, and dissolves its cell when that has become small.
    @discardableResult
    private mutating func removeRow(_ id: VectorID) -> Bool {
        guard let slot = slot(of: id) else { return false }
        update { store, map, partition in
            let moved = store.remove(slot)
            map.remove(id)
            if let moved { map.put(moved, in: slot) }
            let c = store.place(slot).cell
            if store.cells.count > 1, store.cells[c].count < store.layout.chunkRows / 16 {
                store.dissolve(c, map: &map, partition: &partition)
            } else if store.cells[c].isUnsettled {
                unsafe store.rebuild(c, map: &map, partition: &partition)
            }
        }
        return true
    }

    /// After some changes: keeps the id map compact and the recall measured.
    private mutating func settle(after changes: Int, threads: Int) {
        update { store, map, _ in map.settle(from: CellSlots(store: store)) }
        var dial = dial
        dial.note(changes)
        if dial.isDue(count: count) { dial = RecallDial(measuring: self, threads: threads) }
        setDial(dial)
    }
}
