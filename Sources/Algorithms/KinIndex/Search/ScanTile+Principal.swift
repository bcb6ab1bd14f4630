import KinCore
import KinLinearAlgebra

// For a single query, a chunk whose rows have codes along principal axes is screened by these codes. The passing rows
// are few, and are compared directly: reading the row codes of one would take equally long, as these are spread over
// the block. A row that may be very near is compared at once, so that the radius shrinks. The others wait, and only
// those still within the radius are compared in the end.
//
// A batch does not use these codes. Its tiles read the rows' own codes from memory once for 64 queries, and finding the
// blocks with a passing row would take as long as it saves.

extension ScanTile {
    /// The codes of a chunk along principal axes; nil if it has none, or if they did not pay off for the last chunks.
    mutating func principalCodes(of chunk: Chunk, number: Int) -> PrincipalCodes? {
        guard let screen = principalScreen, unsafe collectors[0].radius < .infinity else { return nil }
        guard screen.chunksToSkip == 0 else {
            principalScreen?.chunksToSkip -= 1
            return nil
        }
        return screen.maker.codes(of: chunk, number: number, axes: screen.axes)
    }

    /// Offers the rows of a chunk that may be within the radius of the tile's only query, or adds them to its queue.
    mutating func takeRows(
        of chunk: Chunk, along codes: PrincipalCodes, coding: RowCoding, where filter: SearchFilter, scratch: Scratch
    ) {
        for block in 0..<chunk.blocks where codes.unknown[block] & chunk.occupied(block) != 0 {
            let hit = ScreenHit(query: 0, block: UInt32(block), rows: codes.unknown[block])
            take(hit, from: chunk, coding: coding, where: filter, scratch: scratch)
        }
        let before = counters.survivors
        screen(chunk, along: codes, coding: coding, radius: { unsafe $0.collectors[0].radius }, scratch: scratch) {
            tile, r, least in
            let radius = unsafe tile.collectors[0].radius
            guard least <= radius else { return }
            if least <= tile.principalScreen?.promising ?? .infinity || tile.principalScreen?.queue == nil {
                return tile.offerRow(r, of: chunk, query: 0, where: filter, scratch: scratch)
            }
            let id = unsafe chunk.ids[r]
            guard filter.allows(id) else { return }
            unsafe tile.queue(
                id, row: chunk.row(r), from: least, radius: radius, layout: chunk.layout, scratch: scratch)
        }
        if (counters.survivors - before) * 4 > chunk.count { principalScreen?.chunksToSkip = 3 }
    }

    /// Screens a chunk along principal axes: calls a closure with each row that may be within a radius and the lower
    /// bound on its distance.
    private mutating func screen(
        _ chunk: Chunk, along codes: PrincipalCodes, coding: RowCoding, radius: (Self) -> Double, scratch: Scratch,
        _ take: (inout Self, _ row: Int, _ least: Double) -> Void
    ) {
        principalScreen?.prepare(for: codes.coding.grid)
        guard let query = principalScreen else { return }
        counters.principalBlocksScreened += chunk.blocks
        let blocks = unsafe CodeBlocks(
            codes.codes, count: chunk.blocks, groups: query.axes.count / 4, metric: .squaredL2)
        // The sums of a few hits fit on the stack.
        let room = 4
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: room * Kernels.blockRows) { sums in
            var block = 0
            while block < chunk.blocks {
                unsafe limits[0] = query.limit(distance: radius(self), codes: codes)
                let (found, next) = unsafe Kernels.active.screen(
                    blocks, weights: query.weights, limits: UnsafeBufferPointer(start: limits, count: 1), from: block,
                    into: ScreenResults(
                        UnsafeMutableBufferPointer(rebasing: scratch.hits[..<room]), sums: sums.baseAddress!))
                for h in 0..<found {
                    let hit = unsafe scratch.hits[h]
                    var rows = screened(hit, of: chunk, coding: coding) & ~codes.unknown[Int(hit.block)]
                    counters.survivors += rows.nonzeroBitCount
                    while rows != 0 {
                        let i = rows.trailingZeroBitCount
                        rows &= rows - 1
                        let least = unsafe query.leastDistance(sum: sums[h * Kernels.blockRows + i], codes: codes)
                        take(&self, Int(hit.block) * Kernels.blockRows + i, least)
                    }
                }
                block = next
            }
        }
    }
}

extension ScanTile where Target == NearestCollector {
    /// The largest number of initial chunks of a search, and the number of chunks in the index per initial chunk.
    private static var seedChunks: (most: Int, share: Int) { (16, 8) }

    /// Finds the distance of the k-th nearest row of some chunks, so that the scan for the tile's only query starts
    /// with a limit.
    ///
    /// In these chunks, the rows that are nearest along the axes are compared, a few more than k: they are nearly the
    /// nearest. Without a limit, most rows of the first chunks would pass.
    mutating func seedAlongAxes(_ chunks: [Chunk], k: Int, where filter: SearchFilter, scratch: Scratch) {
        let n = min(Self.seedChunks.most, chunks.count / Self.seedChunks.share)
        guard n > 0, let query = principalScreen, query.queue != nil else { return }
        let layout = chunks[0].layout
        var nearest = query.seeds(k: k)
        for i in 0..<n {
            let chunk = chunks[i * chunks.count / n]
            guard let codes = chunk.principalCodes, codes.axes === query.axes, let coding = chunk.coding else {
                continue
            }
            screen(chunk, along: codes, coding: coding, radius: { _ in nearest.worst }, scratch: scratch) {
                tile, r, least in
                let id = unsafe chunk.ids[r]
                guard least <= nearest.worst, filter.allows(id) else { return }
                nearest.insert(id, least)
                unsafe tile.queue(
                    id, row: chunk.row(r), from: least, radius: nearest.worst, layout: layout, scratch: scratch)
            }
        }
        _ = principalScreen?.queue?.prune(radius: nearest.worst)
        compareCandidates(layout: layout, scratch: scratch)
        unsafe collectors[0].rewind()
        principalScreen?.promising = nearest.worst
    }
}
