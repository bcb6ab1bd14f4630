// Coding a chunk. A chunk is coded as a whole once it has `leastCodedRows`; later rows are coded on the same grid.
// When too many rows are outside the grid, the whole chunk is coded again. If even a new grid leaves too many rows
// outside, screening would not help: the chunk stays without codes until it has grown by half.

/// The grid of other chunks, and the conditions for a chunk to use it.
struct PreferredGrid {
    let grid: CodeGrid
    /// The largest ratio of its steps to those of the chunk's own grid.
    let widest: Double
    /// The largest number of rows outside it; the general tolerance also applies.
    let mostOutliers: Int
}

extension PreferredGrid {
    /// The grid of the chunk before a chunk of the same index.
    init(neighbor: CodeGrid) { self.init(grid: neighbor, widest: 1.25, mostOutliers: .max) }
}

extension Chunk {
    /// Codes the rows from `first` on, which were just written.
    ///
    /// - Parameter preferred: The grid of other chunks, used if it fits nearly as well as the chunk's own grid would,
    ///   so that a query is coded once for many chunks.
    func codeRows(from first: Int, preferring preferred: PreferredGrid? = nil) {
        guard layout.isCoded, count >= layout.leastCodedRows else {
            coding = nil
            return
        }
        guard coding != nil else {
            let retry = uncodable + max(uncodable / 2, 1)
            if uncodable == 0 || count >= retry { recode(preferring: preferred) }
            return
        }
        updateCoding { encode(first..<count, with: &$0) }
        recodeIfNeeded()
    }

    /// Codes one row that was overwritten.
    func codeRow(_ row: Int) {
        updateCoding { coding in
            coding.removeOutlier(row)
            encode(row..<row + 1, with: &coding)
        }
        recodeIfNeeded()
    }

    /// Codes every row again if too many are outside the grid.
    private func recodeIfNeeded() {
        guard let coding, coding.outliers.count > RowCoding.tolerated(rows: count) else { return }
        recode(preferring: nil)
    }

    /// Codes every row on a grid that fits this chunk.
    private func recode(preferring preferred: PreferredGrid?) {
        let own = unsafe GridFit(
            rows: rows, count: count, stride: layout.stride, dimension: layout.dimension, metric: layout.metric)
        if let preferred, preferred.grid.scale <= own.scale * preferred.widest,
            attempt(preferred.grid, mostOutliers: preferred.mostOutliers)
        {
            return
        }
        // The scale is infinite for rows of a damaged file, which may hold any bits.
        if own.scale.isFinite, attempt(CodeGrid(offsets: own.offsets, scale: own.scale)) { return }
        coding = nil
        uncodable = count
    }

    /// Codes every row on a grid. The result is used only if few rows are outside the grid.
    private func attempt(_ grid: CodeGrid, mostOutliers: Int = .max) -> Bool {
        var trial = RowCoding(grid: grid)
        encode(0..<count, with: &trial)
        guard trial.outliers.count <= min(mostOutliers, RowCoding.tolerated(rows: count)) else { return false }
        coding = trial
        uncodable = 0
        return true
    }

    /// Writes the codes of a range of rows, widening the errors or adding outliers.
    private func encode(_ range: Range<Int>, with coding: inout RowCoding) {
        unsafe coding.encode(
            PaddedRows(
                row(range.lowerBound), count: range.count, stride: layout.stride, dimension: layout.dimension),
            metric: layout.metric, into: codes, firstRow: range.lowerBound)
    }
}
