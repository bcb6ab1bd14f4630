/// Rows in blocks of 64; the last block may be partly filled.
protocol BlockedRows {
    /// The number of rows in use.
    var count: Int { get }
}

extension BlockedRows {
    /// The number of blocks with at least one row.
    var blocks: Int { (count + Kernels.blockRows - 1) / Kernels.blockRows }

    /// A bit mask of the rows of a block that are in use.
    @inline(__always)
    func occupied(_ block: Int) -> UInt64 {
        let rows = count - block * Kernels.blockRows
        return rows >= Kernels.blockRows ? .max : (1 << UInt64(max(rows, 0))) &- 1
    }
}
