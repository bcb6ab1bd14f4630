package import KinCore
import KinLinearAlgebra

/// The rows of an index: dense chunks that copies of the index share until one of them writes.
///
/// Slot s is row s mod chunkRows of chunk s ÷ chunkRows, and slots 0 ..< count are all in use: removing a row moves the
/// last one into its slot. So nothing is ever only marked as deleted, space comes back at once, and a scan
/// never meets a dead row, nor a chunk without rows.
///
/// Copying a store copies one array of references. The first write to a chunk that a copy shares copies that chunk
/// (some hundred kilobytes), later ones write in place.
package struct RowStore: Sendable {
    package let layout: RowLayout
    package private(set) var chunks: [Chunk] = []
    package private(set) var count = 0
    /// The number of rows that the first chunk is made for at least.
    private var reserved = 0
    /// The slab for the codes of new chunks, once there are enough chunks.
    private var slab: CodeSlab?
    let principalMaker = PrincipalCodeMaker()
    /// The checks of the file that chunks are read from; nil if there are none.
    var contentCheck: ContentCheck?

    init(layout: RowLayout) { self.layout = layout }

    /// The rows of a mapped file; the caller has checked that all chunks but the last are full.
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

    /// Adds rows at the end; their slots follow the last one.
    ///
    /// - Parameters:
    ///   - vectors: n × dimension floats without gaps.
    ///   - ids: n ids.
    ///   - work: The load that this is a part of, in rows; nil for few rows.
    /// - Throws: `.cancelled`, with some of the rows appended.
    mutating func append(
        _ vectors: UnsafePointer<Float>, ids: some Collection<VectorID>, _ work: LongWork?
    ) throws(KinError) {
        var taken = 0
        var nextID = ids.startIndex
        while taken < ids.count {
            let room = openLastChunk(adding: ids.count - taken)
            let chunk = chunks[chunks.count - 1]
            let n = min(room, ids.count - taken)
            let first = chunk.count
            for i in 0..<n {
                let source = unsafe vectors + (taken + i) * layout.dimension
                unsafe chunk.row(first + i).update(from: source, count: layout.dimension)
                unsafe chunk.ids[first + i] = ids[nextID]
                nextID = ids.index(after: nextID)
            }
            chunk.count += n
            let neighbor = chunks.count > 1 ? chunks[chunks.count - 2].coding?.grid : nil
            chunk.codeRows(
                from: first, preferring: neighbor.map { PreferredGrid(grid: $0, widest: 1.25, mostOutliers: .max) })
            taken += n
            count += n
            try work?.step(by: n)
        }
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
    /// - Returns: The id of the row that now stands in `slot`, unless it was the last.
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

    /// Makes room in the last chunk, starting a new one when it is full.
    ///
    /// - Returns: How many rows can be added to the last chunk.
    private mutating func openLastChunk(adding wanted: Int) -> Int {
        if chunks.last.map({ $0.count == layout.chunkRows }) ?? true {
            let rows = chunks.isEmpty ? min(max(wanted, reserved), layout.chunkRows) : layout.chunkRows
            chunks.append(newChunk(for: rows))
        }
        let used = chunks[chunks.count - 1].count
        let needed = min(used + wanted, layout.chunkRows)
        let chunk = writableChunk(chunks.count - 1, minimumCapacity: needed)
        return min(chunk.capacity, layout.chunkRows) - used
    }

    /// An empty chunk with room for some rows.
    ///
    /// Its codes lie in a slab when the chunks before it would fill one: a small index does not touch 2 MB for its codes.
    private mutating func newChunk(for rows: Int) -> Chunk {
        let codeBytes = layout.chunkRows * 4 * layout.groups
        guard chunks.count * codeBytes >= CodeSlab.byteCount, codeBytes <= CodeSlab.byteCount / 2 else {
            return Chunk(layout: layout, minimumCapacity: rows)
        }
        return Chunk(layout: layout, minimumCapacity: rows, codesIn: slab.withRoom(for: codeBytes))
    }

    /// A chunk that only this store holds, with room for `minimumCapacity` rows.
    private mutating func writableChunk(_ c: Int, minimumCapacity: Int) -> Chunk {
        Chunk.makeWritable(&chunks[c], capacity: minimumCapacity)
        return chunks[c]
    }

    // MARK: Space

    /// Releases memory reserved for growth.
    mutating func trim() {
        chunks.reserveCapacity(0)
        reserved = 0
        guard let last = chunks.last else { return }
        let blocks = (last.count + Kernels.blockRows - 1) & ~(Kernels.blockRows - 1)
        if last.capacity > blocks, !last.isMapped { chunks[chunks.count - 1] = last.copy(minimumCapacity: last.count) }
    }

    /// Reserves the array of chunks and, below one chunk, the rows: in an empty store for the time when there are some.
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
    /// Removes the last row and zeroes it: nothing of a removed vector stays in memory or reaches a file.
    func dropLast() {
        count -= 1
        unsafe row(count).update(repeating: 0, count: layout.stride)
        unsafe ids[count] = .none
        for group in 0..<layout.groups {
            unsafe (codes + codeOffset(row: count, group: group, groups: layout.groups)).update(repeating: 0, count: 4)
        }
        forgetPrincipalCodes(of: count..<count + 1)
        updateCoding { $0.removeOutlier(count) }
        if count < Chunk.smallestCoded { coding = nil }
    }
}
