import CKinKernels

/// The rows of a block that may be neighbours of a query, in the layout that the kernels write.
package struct ScreenHit: Sendable {
    /// The index of the query in its tile.
    package var query: UInt32
    /// The index of the block, counted from the first code of the chunk.
    package var block: UInt32
    /// The rows that passed: bit r is row 64 · block + r.
    package var rows: UInt64
}

/// The codes of rows in blocks of 64, in memory that the caller owns; see `kin_kernels.h` for their layout.
@safe
package struct CodeBlocks {
    /// The codes, count × groups × 64 × 4 of them, 64-byte aligned.
    package let codes: UnsafePointer<UInt8>
    /// The number of blocks.
    package let count: Int
    /// The number of dimensions over 4, rounded up to whole groups.
    package let groups: Int
    /// The metric for comparing the rows.
    package let metric: Metric

    /// Creates a view of codes; the memory must outlive it.
    @inline(__always)
    package init(_ codes: UnsafePointer<UInt8>, count: Int, groups: Int, metric: Metric) {
        unsafe self.codes = codes
        self.count = count
        self.groups = groups
        self.metric = metric
    }
}

extension Kernels {
    /// The number of rows coded together: 64.
    package static let blockRows = Int(KIN_BLOCK_ROWS)

    /// The maximum number of queries in one call of
    /// ``screen(_:weights:limits:from:into:)``.
    package static let tileQueries = Int(KIN_TILE_QUERIES)

    /// Finds rows whose code sums are within the queries' limits.
    ///
    /// Call it again with the returned block until that equals the number of blocks of `rows`; limits may be lowered
    /// between calls.
    ///
    /// - Parameters:
    ///   - weights: The coded queries, 4 · groups weights each.
    ///   - limits: One limit per query.
    ///   - chosen: For each block, the queries to compare with it, query q at bit q. nil: all queries.
    ///   - block: The first block to process.
    ///   - hits: Receives the rows that passed; memory for at least one hit per query.
    /// - Returns: The number of hits written, and the first block not processed.
    @inline(__always)
    package func screen(
        _ rows: CodeBlocks, weights: UnsafePointer<Int8>, limits: UnsafeBufferPointer<Int32>,
        chosen: UnsafePointer<UInt64>? = nil, from block: Int,
        into hits: UnsafeMutableBufferPointer<ScreenHit>
    ) -> (hits: Int, next: Int) {
        var job = unsafe kin_screen_job(
            codes: rows.codes, groups: rows.groups, end_block: rows.count, weights: weights,
            limits: limits.baseAddress!, queries: limits.count, squared: rows.metric.comparesProducts ? 0 : 1,
            chosen: chosen)
        var next = block
        let target = unsafe UnsafeMutableRawPointer(hits.baseAddress!).assumingMemoryBound(to: kin_hit.self)
        return unsafe (table.pointee.screen(&job, &next, target, hits.count), next)
    }

    /// Finds the rows of chosen blocks whose codes are within one query's limit, row r of a block at bit r.
    ///
    /// - Parameters:
    ///   - rows: The codes of the rows.
    ///   - blocks: The indices of the chosen blocks.
    ///   - weights: 4 · groups weights and their `limit`, both for the precision of ``precision(ofBlocks:)``.
    ///   - passed: Receives the rows of each block.
    @inline(__always)
    package func passing(
        _ rows: CodeBlocks, blocks: UnsafeBufferPointer<UInt32>, weights: UnsafePointer<Int8>, limit: Int32,
        into passed: UnsafeMutablePointer<UInt64>
    ) {
        guard rows.metric.comparesProducts else {
            unsafe table.pointee.screen_blocks(
                rows.codes, rows.groups, blocks.baseAddress!, blocks.count, weights, limit, passed)
            return
        }
        var limit = limit
        unsafe withUnsafePointer(to: &limit) { limit in
            for i in blocks.indices {
                var hit = kin_hit()
                var next = unsafe Int(blocks[i])
                var job = unsafe kin_screen_job(
                    codes: rows.codes, groups: rows.groups, end_block: next + 1, weights: weights, limits: limit,
                    queries: 1, squared: 0, chosen: nil)
                let written = unsafe table.pointee.screen(&job, &next, &hit, 1)
                unsafe passed[i] = written == 0 ? 0 : hit.rows
            }
        }
    }

    /// Codes rows on a grid and computes a bound on the distance of each coded row from the original row.
    ///
    /// - Parameters:
    ///   - codes: The chunk's code blocks; the rows `firstRow ..< firstRow + rows.count` are written.
    ///   - errors: Receives two floats per row, the eight-bit and the six-bit bound of ``CodeErrors``.
    package func encode(
        _ rows: PaddedRows, metric: Metric, grid: CodeGrid, into codes: UnsafeMutablePointer<UInt8>, firstRow: Int,
        errors: UnsafeMutablePointer<Float>
    ) {
        unsafe grid.offsets.withUnsafeBufferPointer { offsets in
            unsafe table.pointee.encode(
                rows.base, rows.count, rows.stride, rows.dimension, metric.comparesDirections ? 1 : 0,
                offsets.baseAddress, grid.scale, codes, firstRow, errors)
        }
    }
}

/// Consecutive rows of floats in memory that the caller owns, padded by zeros to a multiple of 8 numbers.
@safe
package struct PaddedRows {
    /// The first number of the first row; `count * stride` floats.
    package let base: UnsafePointer<Float>
    /// The number of rows.
    package let count: Int
    /// The number of floats from one row to the next: ``dimension`` rounded up to a multiple of 8.
    package let stride: Int
    /// The number of dimensions.
    package let dimension: Int

    /// Creates a view of rows; the memory must outlive it.
    package init(_ base: UnsafePointer<Float>, count: Int, stride: Int, dimension: Int) {
        unsafe self.base = base
        self.count = count
        self.stride = stride
        self.dimension = dimension
    }

    /// The view of `count` rows from row `first` on; the caller ensures that these rows exist.
    package func dropFirst(_ first: Int, count: Int) -> PaddedRows {
        unsafe PaddedRows(base + first * stride, count: count, stride: stride, dimension: dimension)
    }
}

extension Kernels {
    /// Codes a query for a screen by squared distance; see `kin_kernels.h`.
    ///
    /// - Parameters:
    ///   - query: `dimension` floats, and zeros up to a multiple of 8.
    ///   - length: The divisor of the query: its length for cosine, else 1.
    ///   - weights: Receives 4 · groups weights.
    /// - Returns: ‖y − v‖² over the dimensions inside the grid, ‖y − v‖² over those outside, and ‖v‖².
    @inline(__always)
    func codeQuery(
        _ query: UnsafePointer<Float>, dimension: Int, length: Double, grid: CodeGridView, precision: CodePrecision,
        weights: UnsafeMutablePointer<Int8>
    ) -> (inner: Double, outer: Double, square: Double) {
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: 3) { sums in
            unsafe table.pointee.code_query(
                query, dimension, length, grid.offsets, grid.scale, precision == .eightBits ? 8 : 6, weights,
                sums.baseAddress!)
            return unsafe (sums[0], sums[1], sums[2])
        }
    }
}

/// The offset of a row's codes of one group in the blocks: `[group][row in block][4]`.
package func codeOffset(row: Int, group: Int, groups: Int) -> Int {
    (row / Kernels.blockRows) * Kernels.blockRows * 4 * groups + group * Kernels.blockRows * 4
        + (row % Kernels.blockRows) * 4
}
