/// Up to 64 queries that are scanned together, with their collectors and their codes for the kernels.
///
/// The tile owns no memory: a single query prepares a tile on the stack, a batch in buffers shared by many tiles.
@safe
struct ScanTile<Target: Collector> {
    /// count × stride floats.
    let queries: UnsafePointer<Float>
    let count: Int
    /// count × (4 · groups) weights of the queries on `grid`.
    let weights: UnsafeMutablePointer<Int8>
    let limits: UnsafeMutablePointer<Int32>
    let bounds: UnsafeMutablePointer<QueryBound>
    let collectors: UnsafeMutablePointer<Target>
    /// The grid of the queries' present codes.
    var grid: CodeGrid?
    /// The number of chunks to scan without a screen, because too many rows passed the last one.
    var chunksToSkip = 0
    /// The number of hits so far.
    var hitsTaken = 0
    var counters = SearchCounters()

    /// The cost of comparing a survivor on its own (a cache miss and a call, about 14 ns), in dimensions of an exact
    /// scan (0.19 ns each). If the survivors cost more than an exact scan of the whole chunk, screening did not pay
    /// off.
    private static var survivorCost: Int { 74 }

    /// Memory shared by all tiles of a thread, one at a time.
    @safe
    struct Scratch {
        let hits: UnsafeMutableBufferPointer<ScreenHit>
        /// Memory for 64 distances.
        let distances: UnsafeMutablePointer<Double>
    }
}

extension ScanTile {
    /// Scans one chunk for each query of the tile.
    mutating func scan(_ chunk: Chunk, where filter: SearchFilter, scratch: Scratch) {
        guard let coding = chunk.coding, chunksToSkip == 0 else {
            chunksToSkip = max(0, chunksToSkip - 1)
            for q in 0..<count {
                scanExactly(chunk, query: q, where: filter, scratch: scratch)
            }
            counters.chunksUnscreened += count
            return
        }
        scanOutliers(coding, of: chunk, where: filter, scratch: scratch)
        prepare(for: coding.grid, layout: chunk.layout)
        let compared = screen(chunk, coding: coding, where: filter, scratch: scratch)
        if compared * (chunk.layout.dimension + Self.survivorCost) > chunk.count * count * chunk.layout.dimension {
            chunksToSkip = 7
        }
    }

    private mutating func prepare(for grid: CodeGrid, layout: RowLayout) {
        guard self.grid !== grid else { return }
        self.grid = grid
        let precision = Kernels.active.precision
        for q in 0..<count {
            unsafe bounds[q] = QueryBound(
                coding: queries + q * layout.stride, dimension: layout.dimension, metric: layout.metric,
                grid: grid.view,
                precision: precision, weights: weights + q * 4 * layout.groups)
        }
    }

    /// Screens the chunk's codes, and offers the rows that pass.
    ///
    /// - Returns: The number of rows compared.
    private mutating func screen(
        _ chunk: Chunk, coding: RowCoding, where filter: SearchFilter, scratch: Scratch
    ) -> Int {
        let before = counters.survivors
        counters.blocksScreened += chunk.blocks * count
        var block = 0
        while block < chunk.blocks {
            for q in 0..<count {
                unsafe limits[q] = bounds[q].limit(distance: collectors[q].radius, errors: coding.errors)
            }
            // Few hits at once at first, since the first rows tighten the limits most, and more later.
            let room = unsafe min(max(count, hitsTaken / 2), scratch.hits.count)
            let (found, next) = unsafe Kernels.active.screen(
                CodeBlocks(
                    chunk.codes, count: chunk.blocks, groups: chunk.layout.groups, metric: chunk.layout.metric),
                weights: weights, limits: UnsafeBufferPointer(start: limits, count: count), from: block,
                into: UnsafeMutableBufferPointer(rebasing: scratch.hits[..<room]))
            for h in 0..<found {
                unsafe take(scratch.hits[h], from: chunk, coding: coding, where: filter, scratch: scratch)
            }
            hitsTaken += found
            block = next
        }
        return counters.survivors - before
    }

    /// Offers the rows of one hit that are in use and are not outliers.
    ///
    /// Outliers were offered before. Their codes may also pass, and no row may be offered twice.
    private mutating func take(
        _ hit: ScreenHit, from chunk: Chunk, coding: RowCoding, where filter: SearchFilter, scratch: Scratch
    ) {
        var rows = hit.rows & chunk.occupied(Int(hit.block))
        if !coding.outliers.isEmpty { rows &= ~coding.outliers(inBlock: Int(hit.block)) }
        rows = allowed(rows, inBlock: Int(hit.block), of: chunk, where: filter)
        if rows.nonzeroBitCount >= 24 {
            counters.survivors += rows.nonzeroBitCount
            let first = Int(hit.block) * Kernels.blockRows
            offerRun(
                first..<first + Kernels.blockRows, masked: rows, of: chunk, query: Int(hit.query), where: filter,
                scratch: scratch)
            return
        }
        while rows != 0 {
            let r = Int(hit.block) * Kernels.blockRows + rows.trailingZeroBitCount
            rows &= rows - 1
            counters.survivors += 1
            offerRow(r, of: chunk, query: Int(hit.query), where: filter, scratch: scratch)
        }
    }

    /// The rows of a block that a filter may allow. A set of ids is tested before the distances, and a function only for
    /// rows within the radius, because it may be slow.
    private func allowed(_ rows: UInt64, inBlock block: Int, of chunk: Chunk, where filter: SearchFilter) -> UInt64 {
        switch filter.kind {
        case .ids, .bitmap, .selection: break
        case .all, .predicate, .subset, .expression, .prepared: return rows
        }
        var (left, allowed) = (rows, rows)
        while left != 0 {
            let r = left.trailingZeroBitCount
            left &= left - 1
            if unsafe !filter.allows(chunk.ids[block * Kernels.blockRows + r]) { allowed &= ~(1 << UInt64(r)) }
        }
        return allowed
    }

    /// Computes the distance of one row and offers it.
    @inline(__always)
    mutating func offerRow(
        _ r: Int, of chunk: Chunk, query q: Int, where filter: SearchFilter, scratch: Scratch
    ) {
        let distance = unsafe distance(of: chunk.row(r), from: q, layout: chunk.layout, scratch: scratch)
        // The id is in separate memory, and is read only for rows within the radius.
        guard unsafe distance <= collectors[q].radius else { return }
        let id = unsafe chunk.ids[r]
        if filter.allows(id) { unsafe collectors[q].offer(id, at: distance) }
    }

    /// The distance of one row from a query, in double precision.
    @inline(__always)
    mutating func distance(
        of row: UnsafePointer<Float>, from q: Int, layout: RowLayout, scratch: Scratch
    ) -> Double {
        counters.exactDistances += 1
        unsafe Kernels.active.distances(
            layout.metric, from: queries + q * layout.stride, to: row, stride: layout.stride, count: 1,
            into: scratch.distances)
        return unsafe scratch.distances[0]
    }

    /// Computes the distances of at most 64 adjacent rows and offers those in the mask.
    private mutating func offerRun(
        _ run: Range<Int>, masked mask: UInt64, of chunk: Chunk, query q: Int, where filter: SearchFilter,
        scratch: Scratch
    ) {
        let layout = chunk.layout
        let n = min(run.upperBound, chunk.count) - run.lowerBound
        counters.exactDistances += n
        unsafe Kernels.active.distances(
            layout.metric, from: queries + q * layout.stride, to: chunk.row(run.lowerBound), stride: layout.stride,
            count: n, into: scratch.distances)
        for i in 0..<n where mask & (1 << UInt64(i)) != 0 {
            let distance = unsafe scratch.distances[i]
            guard unsafe distance <= collectors[q].radius else { continue }
            let id = unsafe chunk.ids[run.lowerBound + i]
            if filter.allows(id) { unsafe collectors[q].offer(id, at: distance) }
        }
    }

    private mutating func scanOutliers(
        _ coding: RowCoding, of chunk: Chunk, where filter: SearchFilter, scratch: Scratch
    ) {
        guard !coding.outliers.isEmpty else { return }
        for q in 0..<count {
            for r in coding.outliers {
                offerRow(Int(r), of: chunk, query: q, where: filter, scratch: scratch)
            }
        }
    }

    /// Computes the distance of every row of a chunk.
    private mutating func scanExactly(
        _ chunk: Chunk, query q: Int, where filter: SearchFilter, scratch: Scratch
    ) {
        for block in 0..<chunk.blocks {
            let first = block * Kernels.blockRows
            let rows = allowed(chunk.occupied(block), inBlock: block, of: chunk, where: filter)
            guard rows != 0 else { continue }
            offerRun(
                first..<first + Kernels.blockRows, masked: rows, of: chunk, query: q, where: filter, scratch: scratch)
        }
    }

    /// Computes the distances of the rows in some slots, in ascending order.
    mutating func visit(_ slots: [Int], of store: some ChunkRows, scratch: Scratch) {
        for slot in slots {
            let (c, r) = store.location(of: slot)
            for q in 0..<count { offerRow(r, of: store.chunks[c], query: q, where: .all, scratch: scratch) }
        }
    }
}

extension ScanTile where Target == NearestCollector {
    /// The number of runs of rows in the sample for ``seed(_:rowsPerRun:where:scratch:)``.
    static var sampleRuns: Int { 64 }
    static var longestRun: Int { 8 }

    /// Finds the distance of the k-th nearest row of an even sample, so that the scan starts with a limit.
    ///
    /// Runs are spread over all rows because rows are often sorted in some way: if the first rows were all far from the
    /// query, the limit would stay large until the scan reaches near ones. The k-th distance of the sample is at least
    /// the k-th distance of all rows, so the result stays exact.
    ///
    /// - Precondition: The store has at least 16 rows for each sampled row, so that runs do not overlap.
    mutating func seed(_ store: some ChunkRows, rowsPerRun length: Int, where filter: SearchFilter, scratch: Scratch) {
        for i in 0..<Self.sampleRuns {
            let (c, r) = store.location(of: (store.count - length) / (Self.sampleRuns - 1) * i)
            let chunk = store.chunks[c]
            let first = min(r, max(0, chunk.count - length))
            for q in 0..<count {
                offerRun(
                    first..<min(first + length, chunk.count), masked: .max, of: chunk, query: q, where: filter,
                    scratch: scratch)
            }
        }
        for q in 0..<count { unsafe collectors[q].rewind() }
    }
}
