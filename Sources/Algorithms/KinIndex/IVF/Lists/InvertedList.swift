/// The vectors of one list: a chunk whose blocks of 64 rows are compact, with a box around each block and one around
/// the list.
///
/// Invariants: every row's coordinates are in its block's box and in the list's box. A list has no `boxes` if it has
/// only one block, or if no grid can describe the boxes of its blocks. Rows are ordered by median splits when a list is
/// built. Later rows are appended, and a removed row is replaced by the last one, which makes boxes wider than
/// necessary. After enough such changes the list is rebuilt (``isUnsettled``).
struct InvertedList: Sendable {
    var chunk: Chunk
    /// Boxes around the blocks of the chunk.
    private(set) var boxes: BoxTable?
    /// The box around the list, in coordinates of the pruning frame: stride floats each.
    private(set) var low: [Float]
    private(set) var high: [Float]
    /// The number of rows appended or moved since the list was built.
    private(set) var changes = 0
    /// The addresses of the rows; nil while each address equals its row number.
    private var addresses: RowAddresses?

    var count: Int { chunk.count }

    /// Whether enough rows have changed that the boxes should be recomputed.
    var isUnsettled: Bool { changes > 64 + count / 4 }

    /// The number of bytes of vectors, ids, codes, boxes and addresses.
    var bytes: Int { chunk.bytes + (boxes?.bytes ?? 0) + (low.count + high.count) * 4 + (addresses?.bytes ?? 0) }

    func row(at address: Int) -> Int { addresses?.row(at: address) ?? address }

    func address(of row: Int) -> Int { addresses?.address(of: row) ?? row }

    /// Assigns the rows of a newly built list the addresses that they had before.
    ///
    /// - Parameters:
    ///   - known: The address of each row in the order of the source, or ``RowAddresses/none``.
    ///   - scratch: The scratch memory used to build the list.
    mutating func keepAddresses(_ known: [UInt16], orderedIn scratch: ListScratch) {
        addresses = RowAddresses(
            (0..<count).map { known[scratch.row($0)] }, capacity: chunk.layout.chunkRows)
    }

    init(chunk: Chunk, boxes: BoxTable?, low: [Float], high: [Float], changes: Int) {
        self.chunk = chunk
        self.boxes = boxes
        self.low = low
        self.high = high
        self.changes = changes
    }

    /// Creates a list without rows.
    init(layout: RowLayout) {
        chunk = Chunk(layout: layout, minimumCapacity: Kernels.blockRows)
        (low, high) = Self.emptyBox(layout)
    }

    static func emptyBox(_ layout: RowLayout) -> ([Float], [Float]) {
        (
            [Float](repeating: .infinity, count: layout.stride),
            [Float](repeating: -.infinity, count: layout.stride)
        )
    }
}

// MARK: - Building

extension InvertedList {
    /// Builds a list of some rows, ordered by median splits.
    ///
    /// - Parameters:
    ///   - source: At most ``RowLayout/chunkRows`` rows.
    ///   - grids: The common grids, used if they fit.
    ///   - spare: The number of additional rows to reserve memory for.
    init(
        _ source: RowSource, frame: PruningFrame, grids: CommonGrids?, spare: Int = 0, scratch: ListScratch
    ) {
        let (layout, count) = (source.layout, source.count)
        chunk = Chunk(layout: layout, minimumCapacity: min(count + spare, layout.chunkRows), codesIn: scratch.slab)
        (low, high) = Self.emptyBox(layout)
        let uncertainty = unsafe frame.project(source.rows, count: count, into: scratch.coordinates)
        let order = unsafe MedianSplit(
            coordinates: scratch.coordinates, stride: layout.stride, dimension: layout.dimension, rows: count,
            keys: scratch.keys)
        order.order(0..<count, leaf: Kernels.blockRows)
        let stride = layout.stride
        for position in 0..<count {
            let r = order.row(position)
            unsafe chunk.row(position).update(from: source.row(r), count: stride)
            unsafe chunk.ids[position] = source.ids[r]
            unsafe (scratch.ordered + position * stride).update(from: scratch.coordinates + r * stride, count: stride)
        }
        chunk.count = count
        chunk.codeRows(from: 0, preferring: grids?.preferredRows)
        unsafe computeBoxes(scratch.ordered, uncertainty: uncertainty, grids: grids)
    }

    /// Computes all boxes from the coordinates of the rows in order.
    private mutating func computeBoxes(
        _ coordinates: UnsafePointer<Float>, uncertainty: Float, grids: CommonGrids?
    ) {
        let stride = chunk.layout.stride
        let blocks = chunk.blocks
        (low, high) = Self.emptyBox(chunk.layout)
        var lows = [Float](repeating: .infinity, count: blocks * stride)
        var highs = [Float](repeating: -.infinity, count: blocks * stride)
        unsafe lows.withUnsafeMutableBufferPointer { lows in
            unsafe highs.withUnsafeMutableBufferPointer { highs in
                for r in 0..<count {
                    let z = unsafe coordinates + r * stride
                    let first = r / Kernels.blockRows * stride
                    for j in 0..<stride {
                        unsafe lows[first + j] = z[j] < lows[first + j] ? z[j] : lows[first + j]
                        unsafe highs[first + j] = z[j] > highs[first + j] ? z[j] : highs[first + j]
                    }
                }
                for i in 0..<blocks * stride {
                    unsafe lows[i] -= uncertainty
                    unsafe highs[i] += uncertainty
                    unsafe low[i % stride] = min(low[i % stride], lows[i])
                    unsafe high[i % stride] = max(high[i % stride], highs[i])
                }
            }
        }
        changes = 0
        guard blocks > 1, low.allSatisfy(\.isFinite), high.allSatisfy(\.isFinite) else {
            boxes = nil
            return
        }
        let dimension = chunk.layout.dimension
        let own = BoxGrid(low: Array(low[..<dimension]), high: Array(high[..<dimension]))
        boxes =
            grids?.boxes(besides: own).flatMap { table(lows: lows, highs: highs, blocks: blocks, on: $0) }
            ?? table(lows: lows, highs: highs, blocks: blocks, on: own)
    }

    /// The boxes of the blocks on a grid; nil if one is outside the grid.
    private func table(lows: [Float], highs: [Float], blocks: Int, on grid: BoxGrid) -> BoxTable? {
        let (stride, dimension) = (chunk.layout.stride, chunk.layout.dimension)
        let table = BoxTable(dimension: dimension, grid: grid, minimumCapacity: blocks)
        for block in 0..<blocks {
            let isInside = unsafe lows.withUnsafeBufferPointer { lows in
                unsafe highs.withUnsafeBufferPointer { highs in
                    unsafe table.put(
                        block, low: lows.baseAddress! + block * stride, high: highs.baseAddress! + block * stride)
                }
            }
            guard isInside else { return nil }
        }
        return table
    }
}

// MARK: - Changing

extension InvertedList {
    /// Makes the chunk and the boxes uniquely owned, with room for `capacity` rows.
    ///
    /// The caller must hold the only reference to the list itself.
    private mutating func makeWritable(capacity: Int) {
        Chunk.makeWritable(&chunk, capacity: capacity)
        guard boxes != nil else { return }
        let blocks = (capacity + Kernels.blockRows - 1) / Kernels.blockRows
        let isOwn = isKnownUniquelyReferenced(&boxes)
        guard let table = boxes, !isOwn || table.isMapped || table.capacity < blocks else { return }
        boxes = table.copy(minimumCapacity: blocks)
    }

    /// Adds a row at the end.
    ///
    /// - Parameters:
    ///   - low: The coordinates of the row, rounded down; `high` has them rounded up.
    /// - Returns: Whether the box around the list has become wider.
    mutating func append(
        _ row: UnsafePointer<Float>, id: VectorID, low z: UnsafePointer<Float>, high: UnsafePointer<Float>
    ) -> Bool {
        let position = count
        makeWritable(capacity: position + 1)
        unsafe chunk.row(position).update(from: row, count: chunk.layout.stride)
        unsafe chunk.ids[position] = id
        chunk.count += 1
        chunk.codeRows(from: position)
        return unsafe cover(position, low: z, high: high)
    }

    /// Replaces the vector of a row.
    ///
    /// - Returns: Whether the box around the list has become wider.
    mutating func overwrite(
        _ position: Int, with row: UnsafePointer<Float>, low: UnsafePointer<Float>, high: UnsafePointer<Float>
    ) -> Bool {
        makeWritable(capacity: count)
        unsafe chunk.row(position).update(from: row, count: chunk.layout.stride)
        chunk.codeRow(position)
        return unsafe cover(position, low: low, high: high)
    }

    /// Removes a row by moving the last one into its position.
    ///
    /// - Returns: The id of the row moved into the position, if its address has changed; otherwise nil.
    mutating func remove(_ position: Int, frame: PruningFrame) -> VectorID? {
        makeWritable(capacity: count)
        let last = count - 1
        var moved: VectorID?
        if position != last {
            let id = unsafe chunk.ids[last]
            if addresses == nil { moved = id }
            addresses?.swapRows(position, last)
            let row = unsafe chunk.row(position)
            unsafe row.update(from: chunk.row(last), count: chunk.layout.stride)
            unsafe chunk.ids[position] = id
            chunk.codeRow(position)
            // The row was already in the list's box.
            unsafe _ = frame.withBox(of: row) { low, high in unsafe cover(position, low: low, high: high) }
        }
        chunk.dropLast()
        if chunk.count % Kernels.blockRows == 0 { boxes?.removeLast(from: chunk.blocks) }
        changes += 1
        return moved
    }

    /// Widens the boxes for a row that was just written.
    ///
    /// - Returns: Whether the box around the list has become wider.
    private mutating func cover(_ position: Int, low z: UnsafePointer<Float>, high: UnsafePointer<Float>) -> Bool {
        changes += 1
        var isWider = false
        for j in 0..<chunk.layout.stride {
            if unsafe z[j] < low[j] {
                unsafe low[j] = z[j]
                isWider = true
            }
            if unsafe high[j] > self.high[j] {
                unsafe self.high[j] = high[j]
                isWider = true
            }
        }
        guard let boxes else { return isWider }
        let block = position / Kernels.blockRows
        let isInside =
            block == boxes.count
            ? unsafe boxes.put(block, low: z, high: high) : unsafe boxes.widen(block, low: z, high: high)
        // Outside the grid: the blocks have no boxes until the list is rebuilt, which happens soon.
        if !isInside {
            self.boxes = nil
            changes = chunk.layout.chunkRows
        }
        return isWider
    }
}

/// Scratch memory for building lists, one per thread.
@safe
final class ListScratch {
    let layout: RowLayout
    let coordinates: UnsafeMutablePointer<Float>
    let ordered: UnsafeMutablePointer<Float>
    let keys: UnsafeMutablePointer<UInt64>
    /// Rows and ids gathered from elsewhere.
    let rows: UnsafeMutablePointer<Float>
    let ids: UnsafeMutablePointer<VectorID>
    /// A slab for the codes of the next list, for builds of many lists.
    var slab: CodeSlab?
    private let arena = PageArena()

    init(layout: RowLayout) {
        self.layout = layout
        let floats = layout.chunkRows * layout.stride
        unsafe coordinates = arena.allocate(floats)
        unsafe ordered = arena.allocate(floats)
        unsafe rows = arena.allocate(floats)
        unsafe keys = arena.allocate(layout.chunkRows)
        unsafe ids = arena.allocate(layout.chunkRows)
    }

    /// The number that a row of the last list built had in its source.
    func row(_ position: Int) -> Int { unsafe Int(keys[position] & 0xFFFF_FFFF) }
}

extension PruningFrame {
    /// Calls a closure with the corners of the smallest box that is certain to contain a vector: stride floats each.
    func withBox<Result>(
        of row: UnsafePointer<Float>, _ body: (UnsafePointer<Float>, UnsafePointer<Float>) -> Result
    ) -> Result {
        unsafe withCoordinates(of: row) { z, uncertainty in
            guard uncertainty > 0 else { return unsafe body(z, z) }
            return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * stride) { corners in
                let low = corners.baseAddress!
                let high = unsafe low + stride
                for j in 0..<stride {
                    unsafe low[j] = z[j] - uncertainty
                    unsafe high[j] = z[j] + uncertainty
                }
                return unsafe body(low, high)
            }
        }
    }
}
