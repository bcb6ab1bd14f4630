/// The rows of an index: dense chunks that copies of the index share until one of them writes.
///
/// Slot s is row s mod chunkRows of chunk s ÷ chunkRows. Slots 0 ..< count are all in use: removing a row moves the
/// last row into its slot. So there are no deletion marks, space is freed at once, and a scan never meets a deleted row
/// or an empty chunk.
///
/// Copying a store copies one array of references. The first write to a shared chunk copies that chunk (a few hundred
/// kilobytes); later writes are in place.
package struct RowStore: Sendable {
    package let layout: RowLayout
    package private(set) var chunks: [Chunk] = []
    package private(set) var count = 0
    /// The smallest capacity of the first chunk, in rows.
    private var reserved = 0
    /// The slab for the codes of new chunks, used once there are enough chunks.
    private var slab: CodeSlab?
    /// The checks of the file that chunks are read from; nil if there are none.
    var contentCheck: ContentCheck?

    init(layout: RowLayout) { self.layout = layout }

    /// Creates a store of the rows of a mapped file. The caller has checked that all chunks except the last are full.
    init(layout: RowLayout, chunks: [Chunk]) {
        self.layout = layout
        self.chunks = chunks
        count = chunks.reduce(0) { $0 + $1.count }
    }

    /// Slots are 32-bit numbers.
    static let largestCount = Int(UInt32.max)

    // MARK: Reading

    func location(of slot: Int) -> (chunk: Int, row: Int) {
        (slot >> layout.chunkShift, slot & (layout.chunkRows - 1))
    }

    package func id(at slot: Int) -> VectorID {
        let (c, r) = location(of: slot)
        return unsafe chunks[c].ids[r]
    }

    /// A copy of the vector in a slot.
    func vector(at slot: Int) -> [Float] {
        let (c, r) = location(of: slot)
        contentCheck?.check(c)
        return unsafe Array(UnsafeBufferPointer(start: chunks[c].row(r), count: layout.dimension))
    }

    // MARK: Writing

    /// Adds rows at the end, in the slots after the last one.
    ///
    /// - Parameters:
    ///   - vectors: n × dimension floats without gaps.
    ///   - ids: n ids.
    ///   - work: The load that includes these rows, counted in rows; nil for few rows.
    /// - Throws: `.cancelled`, after appending some of the rows.
    mutating func append(
        _ vectors: UnsafePointer<Float>, ids: some RandomAccessCollection<VectorID>, threads: Int, _ work: LongWork?
    ) throws(KinError) {
        var taken = 0
        while taken < ids.count {
            let rest = ids.dropFirst(taken)
            let source = unsafe vectors + taken * layout.dimension
            if rest.count >= layout.chunkRows, count & (layout.chunkRows - 1) == 0 {
                try unsafe appendChunks(source, ids: rest, threads: threads, work)
                taken = ids.count - rest.count & (layout.chunkRows - 1)
                continue
            }
            let n = min(openLastChunk(adding: rest.count), rest.count)
            let chunk = chunks[chunks.count - 1]
            let first = chunk.count
            unsafe chunk.append(source, ids: rest.prefix(n))
            let neighbor = chunks.count > 1 ? chunks[chunks.count - 2].coding?.grid : nil
            chunk.codeRows(from: first, preferring: neighbor.map { PreferredGrid(neighbor: $0) })
            taken += n
            count += n
            try work?.step(by: n)
        }
    }

    /// Adds as many full chunks as there are rows for.
    ///
    /// A chunk prefers the grid of the chunk before it. Threads therefore code a window of chunks with the grid of the
    /// last chunk before the window. Nearly always, all of them use it. Otherwise the chunks after the first one with a
    /// different grid are coded again.
    private mutating func appendChunks(
        _ vectors: UnsafePointer<Float>, ids: some RandomAccessCollection<VectorID>, threads: Int, _ work: LongWork?
    ) throws(KinError) {
        var next = chunks.count
        var filled = next
        let new = ids.count >> layout.chunkShift
        let least = min(threads, new)
        var window = least
        for _ in 0..<new { chunks.append(newChunk(for: layout.chunkRows, isCleared: false)) }
        while next < chunks.count {
            let (first, all) = (next, chunks)
            let grid = first == 0 ? nil : all[first - 1].coding?.grid
            let end = min(first + window, all.count)
            concurrently(threads, taking: end - first, memory: {}) { i, _ in
                let chunk = all[first + i]
                if first + i >= filled {
                    guard work?.advance(by: layout.chunkRows) ?? true else { return }
                    let start = ((first + i) << layout.chunkShift) - count
                    chunk.clear(from: layout.stride == layout.dimension ? layout.chunkRows : 0, codes: 0)
                    unsafe chunk.append(
                        vectors + start * layout.dimension, ids: ids.dropFirst(start).prefix(layout.chunkRows))
                }
                (chunk.coding, chunk.uncodable) = (nil, 0)
                chunk.codeRows(from: 0, preferring: grid.map { PreferredGrid(neighbor: $0) })
            }
            try work?.check()
            next = (first..<end).first { all[$0].coding?.grid !== grid }.map { $0 + 1 } ?? end
            window = next < end || threads == 1 ? least : 2 * window
            filled = max(filled, end)
        }
        count = chunks.count << layout.chunkShift
    }

    /// Replaces the vector in a slot; the id stays.
    mutating func overwrite(_ slot: Int, with vector: UnsafePointer<Float>) {
        let (c, r) = location(of: slot)
        let chunk = writableChunk(c, minimumCapacity: chunks[c].count)
        unsafe chunk.row(r).update(from: vector, count: layout.dimension)
        chunk.codeRow(r)
    }

    /// Removes a row by moving the last one into its slot.
    ///
    /// - Returns: The id of the row moved into `slot`; nil if `slot` was the last.
    mutating func remove(_ slot: Int) -> VectorID? {
        let last = count - 1
        let moved = slot == last ? nil : id(at: last)
        if slot != last { moveRow(from: last, to: slot) }
        count -= 1
        let (lastChunk, lastRow) = location(of: last)
        if lastRow == 0 {
            chunks.removeLast()
        } else {
            writableChunk(lastChunk, minimumCapacity: 0).dropLast()
        }
        return moved
    }

    private mutating func moveRow(from source: Int, to target: Int) {
        let (c, r) = location(of: target)
        let chunk = writableChunk(c, minimumCapacity: chunks[c].count)
        let (sourceChunk, sourceRow) = location(of: source)
        unsafe chunk.row(r).update(from: chunks[sourceChunk].row(sourceRow), count: layout.stride)
        unsafe chunk.ids[r] = chunks[sourceChunk].ids[sourceRow]
        chunk.codeRow(r)
    }

    /// Makes room in the last chunk, or starts a new chunk if the last is full.
    ///
    /// - Returns: The number of rows that the last chunk has room for.
    private mutating func openLastChunk(adding wanted: Int) -> Int {
        if chunks.last.map({ $0.count == layout.chunkRows }) ?? true {
            let rows = chunks.isEmpty ? min(max(wanted, reserved), layout.chunkRows) : layout.chunkRows
            chunks.append(newChunk(for: rows, isCleared: true))
        }
        let used = chunks[chunks.count - 1].count
        let needed = min(used + wanted, layout.chunkRows)
        let chunk = writableChunk(chunks.count - 1, minimumCapacity: needed)
        return min(chunk.capacity, layout.chunkRows) - used
    }

    /// An empty chunk with room for a number of rows.
    ///
    /// Its codes are in a slab if the chunks before it would fill one; a small index does not use 2 MB for its codes.
    private mutating func newChunk(for rows: Int, isCleared: Bool) -> Chunk {
        let codeBytes = layout.chunkRows * 4 * layout.groups
        let isSlabUsed = chunks.count * codeBytes >= CodeSlab.byteCount && codeBytes <= CodeSlab.byteCount / 2
        return Chunk(
            layout: layout, minimumCapacity: rows, codesIn: isSlabUsed ? slab.withRoom(for: codeBytes) : nil,
            isCleared: isCleared)
    }

    /// A chunk that only this store references, with room for `minimumCapacity` rows.
    private mutating func writableChunk(_ c: Int, minimumCapacity: Int) -> Chunk {
        Chunk.makeWritable(&chunks[c], capacity: minimumCapacity)
        return chunks[c]
    }

    // MARK: Space

    /// Frees memory reserved for growth.
    mutating func trim() {
        chunks.reserveCapacity(0)
        reserved = 0
        guard let last = chunks.last else { return }
        let blocks = (last.count + Kernels.blockRows - 1) & ~(Kernels.blockRows - 1)
        if last.capacity > blocks, !last.isMapped { chunks[chunks.count - 1] = last.copy(minimumCapacity: last.count) }
    }

    /// Reserves the array of chunks and, below one chunk, the rows. In an empty store, the rows are reserved when the
    /// first are added.
    mutating func reserveCapacity(_ n: Int) {
        chunks.reserveCapacity((n + layout.chunkRows - 1) >> layout.chunkShift)
        reserved = n
        if n > count, chunks.count == 1 { _ = writableChunk(0, minimumCapacity: min(n, layout.chunkRows)) }
    }

    /// The size of all chunks in bytes, in memory or mapped.
    package var bytes: Int { chunks.reduce(0) { $0 + $1.bytes } }
}

extension RowStore: SlotIDs {}

extension Chunk {
    /// Adds rows of `dimension` floats without gaps; the chunk must have room for them. Their codes are not written.
    func append(_ vectors: UnsafePointer<Float>, ids new: some Collection<VectorID>) {
        let dimension = layout.dimension
        if dimension == layout.stride {
            unsafe row(count).update(from: vectors, count: new.count * dimension)
        } else {
            for i in 0..<new.count {
                unsafe row(count + i).update(from: vectors + i * dimension, count: dimension)
            }
        }
        for (i, id) in new.enumerated() { unsafe ids[count + i] = id }
        count += new.count
    }

    /// Removes the last row and zeroes it, so that nothing of a removed vector stays in memory or reaches a file.
    func dropLast() {
        count -= 1
        unsafe row(count).update(repeating: 0, count: layout.stride)
        unsafe ids[count] = .none
        for group in 0..<layout.groups {
            unsafe (codes + codeOffset(row: count, group: group, groups: layout.groups)).update(repeating: 0, count: 4)
        }
        updateCoding { $0.removeOutlier(count) }
        if count < layout.leastCodedRows { coding = nil }
    }
}
