/// The memory layout of the rows of one index, the same for every chunk.
///
/// - A row is `stride` floats: the dimension rounded up to a multiple of 8, padded with zeros, so that the exact
///   kernels need no tail.
/// - Its codes are `4 · groups` bytes, with four dimensions next to each other (`kin_kernels.h`).
/// - A chunk has a fixed power of two of rows: 8,192 rows of up to 64 dimensions and fewer longer rows, so that copying
///   a chunk after a snapshot stays below about 2 MB. It has at least 256 rows, so that coding a query for a chunk is
///   cheap compared with scanning it.
package struct RowLayout: Sendable, Hashable {
    package let dimension: Int
    package let metric: Metric

    /// The binary logarithm of ``chunkRows``.
    package let chunkShift: Int

    /// The allowed values of ``chunkShift``.
    static let chunkShifts = 8...20

    package static let largestDimension = 65_536

    /// The number of floats from one row to the next.
    package var stride: Int { (dimension + 7) & ~7 }

    /// The number of groups of four dimensions in a code block.
    package var groups: Int { (dimension + 3) / 4 }

    /// The number of bytes of codes in one block of 64 rows.
    var blockBytes: Int { Kernels.blockRows * 4 * groups }

    /// The number of rows in a full chunk.
    package var chunkRows: Int { 1 << chunkShift }

    /// Whether rows are coded at all.
    var isCoded: Bool { dimension <= RowCoding.largestDimension }

    /// The least number of rows of a coded chunk: 16,384 floats, in 64 to 256 rows. With fewer rows, the exact
    /// kernels are as fast as coding the query.
    var leastCodedRows: Int { min(max((1 << 14) / dimension, Kernels.blockRows), 256) }
}

extension RowLayout {
    /// Creates the layout of a new index. A file from a different release may have a different chunk size.
    package init(dimension: Int, metric: Metric) {
        let affordable = (2 << 20) / (((dimension + 7) & ~7) * MemoryLayout<Float>.stride)
        var shift = Self.chunkShifts.lowerBound
        while shift < 13 && (1 << (shift + 1)) <= affordable { shift += 1 }
        self.init(dimension: dimension, metric: metric, chunkShift: shift)
    }

    /// Calls a closure with a copy of the query padded with zeros to the stride, or with the query itself if it has
    /// that length.
    func withPadded<Result>(_ query: UnsafePointer<Float>, _ body: (UnsafePointer<Float>) -> Result) -> Result {
        guard stride != dimension else { return unsafe body(query) }
        return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: stride) { copy in
            unsafe copy.initialize(repeating: 0)
            unsafe copy.baseAddress!.update(from: query, count: dimension)
            return unsafe body(UnsafePointer(copy.baseAddress!))
        }
    }
}
