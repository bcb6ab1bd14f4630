import KinLinearAlgebra

/// The four-bit screen of one query: its table, and when to do without.
struct NibbleScreen {
    let maker: NibbleMaker
    var query: NibbleQuery
    /// Chunks to screen by codes of eight bits, because too many rows passed by those of four or nothing is known of the nearest yet.
    var chunksToSkip: Int

    /// The share of rows of a chunk, one in so many, above which those that pass cost more than was saved by reading half the bytes.
    static let rowsPerSurvivor = 64

    /// The four-bit codes of a chunk, unless it has none or they did not pay for the last chunks.
    mutating func codes(of chunk: Chunk, number: Int) -> NibbleCodes? {
        guard chunksToSkip == 0 else {
            chunksToSkip -= 1
            return nil
        }
        return maker.codes(of: chunk, number: number)
    }
}

extension ScanTile {
    /// Screens a chunk by four-bit codes for the tile's only query, and offers the rows that pass.
    ///
    /// - Precondition: The tile has one query, whose radius is finite, and a ``NibbleScreen``.
    mutating func screen(
        _ chunk: Chunk, by codes: NibbleCodes, coding: RowCoding, where filter: SearchFilter, scratch: Scratch
    ) {
        guard let table = unsafe nibbleScreen?.query.table else { return }
        let before = counters.survivors
        let rows = codes.blocks(chunk.blocks)
        counters.nibbleBlocksScreened += rows.count
        var block = 0
        while block < rows.count {
            let radius = radius(of: 0)
            guard
                let limit = nibbleScreen?.query.limit(distance: radius, cells: codes.cells, errors: coding.errors)
            else { return }
            let (found, next) = unsafe Kernels.active.screen(
                rows, table: table, limit: limit, from: block,
                into: UnsafeMutableBufferPointer(rebasing: scratch.hits[..<roomForHits(in: scratch)]))
            hitsTaken += found
            for h in 0..<found { unsafe prefetch(scratch.hits[h], of: chunk) }
            for h in 0..<found {
                unsafe take(scratch.hits[h], from: chunk, coding: coding, where: filter, scratch: scratch)
            }
            block = next
        }
        if (counters.survivors - before) * NibbleScreen.rowsPerSurvivor > chunk.count { nibbleScreen?.chunksToSkip = 7 }
    }

    /// Prefetches the rows of a hit.
    private func prefetch(_ hit: ScreenHit, of chunk: Chunk) {
        guard hit.rows.nonzeroBitCount < 24 else { return }
        let first = Int(hit.block) * Kernels.blockRows
        unsafe Kernels.active.prefetch(
            hit.rows, of: chunk.row(first), stride: chunk.layout.stride, ids: chunk.ids + first)
    }
}
