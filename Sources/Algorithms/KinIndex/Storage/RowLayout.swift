package import KinLinearAlgebra

/// The memory layout of the rows of one index, the same for every chunk.
///
/// - A row is `stride` floats: the dimension rounded up to a multiple of 8, the rest zero, so that the exact kernels
///   need no tail.
/// - Its codes are `4 · groups` bytes, four dimensions side by side (`kin_kernels.h`).
/// - A chunk holds a fixed power of two of rows: 8,192 of 16 dimensions, fewer when rows are long, so that copying a chunk
///   after a snapshot stays below about 2 MB, and at least 256, so that coding a query for a chunk stays cheap
///   beside scanning it.
package struct RowLayout: Sendable, Hashable {
    package let dimension: Int
    package let metric: Metric

    /// The binary logarithm of ``chunkRows``.
    package let chunkShift: Int

    /// The allowed values of ``chunkShift``.
    static let chunkShifts = 8...20

    package static let largestDimension = 65_536

    /// Floats from one row to the next.
    package var stride: Int { (dimension + 7) & ~7 }

    /// Groups of four dimensions in a code block.
    package var groups: Int { (dimension + 3) / 4 }

    /// Bytes of codes in one block of 64 rows.
    var blockBytes: Int { Kernels.blockRows * 4 * groups }

    /// Rows in a full chunk.
    package var chunkRows: Int { 1 << chunkShift }

    /// Whether rows are coded at all.
    var isCoded: Bool { dimension <= RowCoding.largestDimension }
}

extension RowLayout {
    /// The layout of a new index; one in a file may have been divided differently by another release.
    package init(dimension: Int, metric: Metric) {
        let affordable = (2 << 20) / (((dimension + 7) & ~7) * MemoryLayout<Float>.stride)
        var shift = Self.chunkShifts.lowerBound
        while shift < 13 && (1 << (shift + 1)) <= affordable { shift += 1 }
        self.init(dimension: dimension, metric: metric, chunkShift: shift)
    }

    /// Calls back with a copy of the query that is padded with zeros to the stride, or the query itself if it is that long.
    func withPadded<Result>(_ query: UnsafePointer<Float>, _ body: (UnsafePointer<Float>) -> Result) -> Result {
        guard stride != dimension else { return unsafe body(query) }
        return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: stride) { copy in
            unsafe copy.initialize(repeating: 0)
            unsafe copy.baseAddress!.update(from: query, count: dimension)
            return unsafe body(UnsafePointer(copy.baseAddress!))
        }
    }
}
