import KinLinearAlgebra

// Coding a chunk. A chunk is coded as a whole once it has `smallestCoded` rows; rows that arrive later are coded on the
// same grid. When too many of them lie outside it, the chunk is coded anew. When even a new grid leaves too many
// rows outside, screening would not help: the chunk stays without codes until it has grown by half again.

/// The grid of other chunks, and what a chunk asks of it to take it over.
struct PreferredGrid {
    let grid: CodeGrid
    /// The most that its steps may be times those of the chunk's own grid.
    let widest: Double
    /// The number of rows that may lie outside it, if no fewer are tolerated anyway.
    let mostOutliers: Int
}

extension Chunk {
    /// Below this the exact kernels are as quick as coding the query.
    static let smallestCoded = 256

    /// Codes the rows from `first` on, which were just written.
    ///
    /// - Parameter preferred: The grid of other chunks, taken over when it fits nearly as well as one of this chunk's
    ///   own, so that queries are coded once for many chunks.
    func codeRows(from first: Int, preferring preferred: PreferredGrid? = nil) {
        forgetPrincipalCodes(of: first..<count)
        guard layout.isCoded, count >= Self.smallestCoded else {
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
        forgetPrincipalCodes(of: row..<row + 1)
        updateCoding { coding in
            coding.removeOutlier(row)
            encode(row..<row + 1, with: &coding)
        }
        recodeIfNeeded()
    }

    /// Codes every row anew when too many lie outside the grid.
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
        // Infinite around rows of a damaged file, which may hold any bits.
        if own.scale.isFinite, attempt(CodeGrid(offsets: own.offsets, scale: own.scale)) { return }
        coding = nil
        uncodable = count
    }

    /// Codes every row on a grid and keeps the result when few rows lie outside it.
    private func attempt(_ grid: CodeGrid, mostOutliers: Int = .max) -> Bool {
        var trial = RowCoding(grid: grid)
        encode(0..<count, with: &trial)
        guard trial.outliers.count <= min(mostOutliers, RowCoding.tolerated(rows: count)) else { return false }
        coding = trial
        uncodable = 0
        return true
    }

    /// Writes the codes of some rows, widening the errors or adding outliers.
    private func encode(_ range: Range<Int>, with coding: inout RowCoding) {
        unsafe coding.encode(
            PaddedRows(
                row(range.lowerBound), count: range.count, stride: layout.stride, dimension: layout.dimension),
            metric: layout.metric, into: codes, firstRow: range.lowerBound)
    }
}
