import KinLinearAlgebra

/// Rows in blocks of 64, the last of which may have room for more.
protocol BlockedRows {
    /// The number of rows in use.
    var count: Int { get }
}

extension BlockedRows {
    /// The number of blocks that hold at least one row.
    var blocks: Int { (count + Kernels.blockRows - 1) / Kernels.blockRows }

    /// The bits of the rows in use in a block.
    @inline(__always)
    func occupied(_ block: Int) -> UInt64 {
        let rows = count - block * Kernels.blockRows
        return rows >= Kernels.blockRows ? .max : (1 << UInt64(max(rows, 0))) &- 1
    }
}
