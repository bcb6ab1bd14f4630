/// The rows of an attribute table: dense chunks that copies of the table share until one of them writes.
///
/// Slot s is row s mod 8,192 of chunk s ÷ 8,192; removing a row moves the last one into its slot, as in ``RowStore``.
struct AttributeStore: Sendable, SlotIDs {
    private(set) var layout: AttributeLayout
    private(set) var chunks = PagedArray<AttributeChunk>()
    private(set) var count = 0
    /// The number of rows whose id differs from their slot; if 0, a bitmap of slots is also a bitmap of ids.
    private(set) var strays = 0
    /// An upper bound of the ids; it may be too large after a row was removed.
    private(set) var idBound: UInt64 = 0

    init(layout: AttributeLayout) { self.layout = layout }

    /// Creates a store of the rows of a mapped file. The caller has checked that all chunks except the last are full.
    init(layout: AttributeLayout, chunks: [AttributeChunk], strays: Int, idBound: UInt64) {
        self.layout = layout
        self.chunks = PagedArray(chunks)
        self.strays = strays
        self.idBound = idBound
        count = chunks.reduce(0) { $0 + $1.count }
    }

    // MARK: Reading

    func location(of slot: Int) -> (chunk: Int, row: Int) {
        (slot >> AttributeLayout.chunkShift, slot & (AttributeLayout.chunkRows - 1))
    }

    func id(at slot: Int) -> VectorID {
        let (c, r) = location(of: slot)
        return unsafe chunks[c].ids[r]
    }

    func value(_ column: Int, slot: Int) -> UInt64? {
        let (c, r) = location(of: slot)
        return chunks[c].value(column, row: r)
    }

    // MARK: Writing

    /// Appends rows without values, in the slots after the last one.
    mutating func append(_ ids: some Collection<VectorID>) {
        var rest = ids[...]
        while !rest.isEmpty {
            if count & (AttributeLayout.chunkRows - 1) == 0, count >> AttributeLayout.chunkShift == chunks.count {
                let room = chunks.isEmpty ? rest.count : AttributeLayout.chunkRows
                chunks.append(AttributeChunk(layout: layout, minimumCapacity: room))
            }
            let last = chunks.count - 1
            let first = chunks[last].count
            let n = min(rest.count, AttributeLayout.chunkRows - first)
            let chunk = writableChunk(last, minimumCapacity: first + n)
            for (i, id) in rest.prefix(n).enumerated() {
                unsafe chunk.ids[first + i] = id
                if id.rawValue != UInt64(count + i) { strays += 1 }
                idBound = max(idBound, id.rawValue)
            }
            chunk.count += n
            count += n
            rest = rest.dropFirst(n)
        }
    }

    /// Sets the value of a slot, as bits; nil removes it.
    mutating func set(_ column: Int, slot: Int, to value: UInt64?) {
        let (c, r) = location(of: slot)
        writableChunk(c, minimumCapacity: 0).set(column, row: r, to: value)
    }

    /// Removes a row by moving the last row into its slot, and zeroes the freed slot.
    ///
    /// - Returns: The id of the row moved into `slot`; nil if `slot` was the last.
    mutating func remove(_ slot: Int) -> VectorID? {
        let last = count - 1
        let (lastChunk, lastRow) = location(of: last)
        if id(at: slot).rawValue != UInt64(slot) { strays -= 1 }
        var moved: VectorID?
        if slot != last {
            let id = id(at: last)
            if id.rawValue != UInt64(last) { strays -= 1 }
            if id.rawValue != UInt64(slot) { strays += 1 }
            moveRow(from: last, to: slot)
            moved = id
        }
        count = last
        if lastRow == 0 { chunks.removeLast() } else { writableChunk(lastChunk, minimumCapacity: 0).dropLast() }
        return moved
    }

    private mutating func moveRow(from source: Int, to target: Int) {
        let (c, r) = location(of: target)
        let chunk = writableChunk(c, minimumCapacity: 0)
        unsafe chunk.ids[r] = id(at: source)
        for column in layout.columns.indices { chunk.set(column, row: r, to: value(column, slot: source)) }
    }

    /// A chunk that only this store references, with room for `minimumCapacity` rows.
    private mutating func writableChunk(_ c: Int, minimumCapacity: Int) -> AttributeChunk {
        let isShared = !isKnownUniquelyReferenced(&chunks[c]) || chunks[c].isMapped
        let isFull = chunks[c].capacity < minimumCapacity
        if isShared || isFull {
            // Doubling makes the copying cost per row constant.
            let doubled = isFull ? 2 * chunks[c].capacity : 0
            chunks[c] = chunks[c].copy(minimumCapacity: max(minimumCapacity, doubled))
        }
        return chunks[c]
    }

    // MARK: The whole

    /// The largest id; 0 without rows. O(n).
    var largestID: UInt64 { (0..<count).reduce(0) { max($0, id(at: $1).rawValue) } }

    /// Extends the layout by further columns, missing in every row. O(n).
    mutating func extend(to layout: AttributeLayout) {
        self.layout = layout
        for c in chunks.indices { chunks[c] = chunks[c].copy(minimumCapacity: 0, layout: layout) }
    }

    /// Frees memory reserved for growth, and recomputes the bound of the ids. O(n).
    mutating func trim() {
        if let last = chunks.last, last.capacity > AttributeLayout.blocks(last.count), !last.isMapped {
            chunks[chunks.count - 1] = last.copy(minimumCapacity: last.count)
        }
        idBound = largestID
    }

    /// Replaces the codes of a column; see ``AttributeChunk/renumber(_:_:)``. O(n).
    mutating func renumber(_ column: Int, _ codes: [UInt32]) {
        for c in chunks.indices { writableChunk(c, minimumCapacity: 0).renumber(column, codes) }
    }
}
