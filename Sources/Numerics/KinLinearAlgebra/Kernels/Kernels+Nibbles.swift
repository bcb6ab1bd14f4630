import CKinKernels

/// The four-bit codes of rows in blocks of 64, in memory that the caller keeps; see `kin_kernels.h` for their layout.
@safe
package struct NibbleBlocks {
    /// The codes, count × pairs × 64 bytes, 64-byte aligned.
    package let nibbles: UnsafePointer<UInt8>
    /// The number of blocks.
    package let count: Int
    /// The number of pairs of dimensions.
    package let pairs: Int

    /// Creates a view of codes; the memory must outlive it.
    @inline(__always)
    package init(_ nibbles: UnsafePointer<UInt8>, count: Int, pairs: Int) {
        unsafe self.nibbles = nibbles
        self.count = count
        self.pairs = pairs
    }
}

extension Kernels {
    /// Finds rows whose terms add up to at most a limit, for one query.
    ///
    /// Called again with the returned block until that is the number of blocks; the limit may be lowered in between.
    ///
    /// - Parameters:
    ///   - table: 2 · pairs × 16 terms, as ``NibbleQuery`` makes them.
    ///   - limit: At most 254.
    ///   - block: The first block to process.
    ///   - hits: Receives the rows that passed; not empty.
    /// - Returns: The number of hits written, and the first block that was not processed.
    @inline(__always)
    package func screen(
        _ rows: NibbleBlocks, table terms: UnsafePointer<UInt8>, limit: UInt8, from block: Int,
        into hits: UnsafeMutableBufferPointer<ScreenHit>
    ) -> (hits: Int, next: Int) {
        var job = unsafe kin_nibble_job(
            nibbles: rows.nibbles, pairs: rows.pairs, end_block: rows.count, table: terms, limit: limit)
        var next = block
        let target = unsafe UnsafeMutableRawPointer(hits.baseAddress!).assumingMemoryBound(to: kin_hit.self)
        return unsafe (table.pointee.screen_nibbles(&job, &next, target, hits.count), next)
    }
}
