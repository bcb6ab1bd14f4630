/// The coding of a group of rows: the grid, the largest error of the codes, and the rows outside the grid.
package struct RowCoding: Sendable {
    package var grid: CodeGrid
    package var errors: CodeErrors
    /// Rows outside the grid, ascending: no screen covers them, so every search computes their distances.
    package var outliers: [UInt32]

    package init(grid: CodeGrid, errors: CodeErrors = CodeErrors(), outliers: [UInt32] = []) {
        self.grid = grid
        self.errors = errors
        self.outliers = outliers
    }
}

extension RowCoding {
    /// The largest dimension with codes. Above it, the kernels' 32-bit sums could overflow (dimension · 255² must be
    /// below 2³¹).
    package static let largestDimension = 16_384

    /// Whether a row is inside the grid. Such a row is at most half a step away in each dimension (two steps if six
    /// bits are read); a row with a larger error is outside.
    static func isInside(_ errors: CodeErrors, dimension: Int) -> Bool {
        errors.eightBits <= 0.5 * Double(dimension).squareRoot() * (1 + 0x1p-20)
    }

    /// The largest number of outliers for a grid to fit: one row in 128, at least 8.
    package static func tolerated(rows: Int) -> Int { max(8, rows / 128) }

    /// The bits of the outliers in a block of 64 rows.
    package func outliers(inBlock block: Int) -> UInt64 {
        let first = block * Kernels.blockRows
        var bits: UInt64 = 0
        for row in outliers[position(of: first)...] {
            guard row < first + Kernels.blockRows else { break }
            bits |= 1 << UInt64(Int(row) - first)
        }
        return bits
    }

    /// The index of a row among the outliers, or the index for inserting it.
    private func position(of row: Int) -> Int { outliers.partition { $0 < UInt32(row) } }

    mutating func insertOutlier(_ row: Int) {
        let value = UInt32(row)
        let position = position(of: row)
        if position == outliers.endIndex || outliers[position] != value { outliers.insert(value, at: position) }
    }

    package mutating func removeOutlier(_ row: Int) {
        let position = position(of: row)
        if position < outliers.endIndex, outliers[position] == UInt32(row) { outliers.remove(at: position) }
    }

    /// Writes the codes of some rows; widens the errors or adds outliers.
    ///
    /// - Parameters:
    ///   - codes: The code blocks; the rows `firstRow ..< firstRow + count` are written.
    package mutating func encode(
        _ rows: PaddedRows, metric: Metric, into codes: UnsafeMutablePointer<UInt8>, firstRow: Int
    ) {
        // The errors of up to 128 rows are on the stack.
        let piece = min(256, rows.count)
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * piece) { measured in
            var start = 0
            while start < rows.count {
                let n = min(piece, rows.count - start)
                unsafe Kernels.active.encode(
                    rows.dropFirst(start, count: n), metric: metric, grid: grid, into: codes,
                    firstRow: firstRow + start, errors: measured.baseAddress!)
                for i in 0..<n {
                    let found = unsafe CodeErrors(
                        eightBits: Double(measured[2 * i]), sixBits: Double(measured[2 * i + 1]))
                    if Self.isInside(found, dimension: rows.dimension) {
                        errors.formUnion(found)
                    } else {
                        insertOutlier(firstRow + start + i)
                    }
                }
                start += n
            }
        }
    }
}
