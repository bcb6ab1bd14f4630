/// A view of points in the layout of the kernels: rows of a multiple of 8 floats, padded with zeros.
@safe
struct PointRows {
    let count: Int
    let dimension: Int
    let stride: Int
    private let base: UnsafePointer<Float>

    /// Creates a view of rows in the caller's memory.
    init(count: Int, dimension: Int, stride: Int, base: UnsafePointer<Float>) {
        self.count = count
        self.dimension = dimension
        self.stride = stride
        unsafe self.base = base
    }

    /// The address of row r, followed by the later rows.
    func row(_ r: Int) -> UnsafePointer<Float> { unsafe base + r * stride }

    /// Calls `body` with the rows of a matrix, copied only if they must be padded.
    ///
    /// - Precondition: There is at least one column.
    static func withRows<Result, Failure: Error>(
        of matrix: Matrix<Float>, _ body: (PointRows) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let stride = matrix.columns.roundedUp(toMultipleOf: 8)
        let padded = stride == matrix.columns ? matrix : matrix.padded(toColumns: stride)
        return unsafe try padded.withUnsafeBufferPointer { buffer throws(Failure) in
            // An empty array may have no address; no row of it is read then.
            let base = unsafe buffer.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<Float>.alignment)!
            return try body(
                unsafe PointRows(count: matrix.rows, dimension: matrix.columns, stride: stride, base: base))
        }
    }

    /// A grid that fits about 4,096 of the points, spread evenly. It codes the points as well as centroids, which are
    /// means of points.
    func commonGrid(metric: Metric) -> CodeGrid {
        let step = max(1, count / 4_096)
        let fit = unsafe GridFit(
            rows: row(0), count: count.dividedRoundingUp(by: step), stride: step * stride, dimension: dimension,
            metric: metric)
        return CodeGrid(offsets: fit.offsets, scale: fit.scale)
    }

    /// The number of threads for `work` multiplications if `wanted` are allowed: 1 for less than about 100 µs.
    func threads(_ wanted: Int, work: Int) -> Int { work < 1 << 20 ? 1 : wanted }
}

/// The fixed blocks for summing points, which make the order of additions independent of the threads.
///
/// A block has at least 4,096 points, and at least sixteen times the number of clusters, so that the sums of all blocks
/// take less memory than the points. There are at most `most` blocks. Default: 64.
struct PointBlocks {
    let pointCount: Int
    let blockRows: Int
    let count: Int

    init(count n: Int, clusters k: Int, most: Int = 64) {
        pointCount = n
        blockRows = max(4_096, 16 * k, n.dividedRoundingUp(by: most))
        count = n.dividedRoundingUp(by: blockRows)
    }

    /// The points of one block.
    func range(_ block: Int) -> Range<Int> {
        block * blockRows..<min((block + 1) * blockRows, pointCount)
    }

    /// Calls `body` for every block. Threads process blocks one by one, each with its own memory.
    ///
    /// Blocks must write to disjoint memory.
    func forEach<Memory>(threads: Int, memory makeMemory: () -> Memory, _ body: (Int, Memory) -> Void) {
        concurrently(threads, taking: count, memory: makeMemory, body)
    }
}
