/// A division of each dimension's 8-bit codes into sixteen cells; the number of a code's cell is its four-bit code.
///
/// Cell c of dimension j holds the codes from `starts[16 j + c]` up to the next cell's start. Cells are fitted so that each holds about as
/// many rows as any other: where rows crowd, cells are narrow. Any code has a cell, so rows that come later need no new cells;
/// they only fit them less well.
///
/// Invariants: starts ascend within a dimension, that of cell 0 is 0 and all others are in 2…255, so that the lowest and
/// the highest code of a row (1 and 255, which also stand for whatever lies beyond the grid) are in the first and the last cell.
///
/// A class, because chunks share it: a table of terms that was made for some cells serves every chunk that is divided by them.
package final class NibbleCells: Sendable {
    /// The grid of the 8-bit codes.
    package let grid: CodeGrid
    /// The number of dimensions.
    package let dimension: Int
    /// The number of pairs of dimensions, each a byte of a row.
    package let pairs: Int
    /// The first code of each cell, 16 a dimension.
    let starts: [UInt16]
    /// The first and the last code of each cell of a dimension.
    let firsts: [SIMD16<Float>]
    let lasts: [SIMD16<Float>]
    /// The ends of the coordinates of the rows in each cell of a dimension, in code steps; infinite at the outer ends.
    let lows: [SIMD16<Float>]
    let highs: [SIMD16<Float>]
    /// The cell of each code: 256 a dimension, and of a dimension added for a whole pair.
    private let cells: [UInt8]

    /// The numbers of dimensions for which four-bit codes are of use: with fewer the codes of eight bits are as quick to read, and with more
    /// what 8-bit sums round away leaves too many rows.
    package static let dimensions = 8...32

    static let count = 16

    /// The number of pairs of some dimensions, an odd one making a pair by itself: the bytes of a row's four-bit codes.
    package static func pairs(dimension: Int) -> Int { (dimension + 1) / 2 }

    /// Fits cells to codes.
    ///
    /// - Parameter histogram: The rows of a sample that have each code, as ``CodeHistogram`` counts them.
    /// - Complexity: O(dimension · 256).
    package init(fitting histogram: CodeHistogram, grid: CodeGrid) {
        self.grid = grid
        dimension = histogram.dimension
        pairs = Self.pairs(dimension: dimension)
        var starts: [UInt16] = []
        var cells: [UInt8] = []
        for j in 0..<dimension {
            let rows = histogram.rows(j)
            var left = rows.reduce(0, +)
            var inCell: Int32 = 0
            var own: [UInt16] = [0]
            for code in 0..<256 {
                let target = left / Int32(Self.count + 1 - own.count)
                // A code that would overfill the cell begins the next one.
                if code >= 2, inCell > 0, own.count < Self.count, inCell + rows[code] / 2 > target {
                    own.append(UInt16(code))
                    left -= inCell
                    inCell = 0
                }
                inCell += rows[code]
                cells.append(UInt8(own.count - 1))
            }
            // Cells that no code was left for are empty and lie before the last code.
            while own.count < Self.count { own.append(255) }
            cells[cells.count - 1] = UInt8(Self.count - 1)
            starts += own
        }
        cells.append(contentsOf: repeatElement(0, count: (2 * pairs - dimension) * 256))
        self.cells = cells
        self.starts = starts
        firsts = (0..<dimension).map { j in
            SIMD16((0..<Self.count).map { c in c == 0 ? 1 : Float(starts[j * Self.count + c]) })
        }
        lasts = (0..<dimension).map { j in
            SIMD16((0..<Self.count).map { c in c == 15 ? 255 : Float(starts[j * Self.count + c + 1]) - 1 })
        }
        lows = firsts.map { first in
            var low = first - 0.5
            low[0] = -.infinity
            return low
        }
        highs = lasts.map { last in
            var high = last + 0.5
            high[15] = .infinity
            return high
        }
    }

    /// The mean over rows and dimensions of the squared width of a row's cell, in code steps.
    package func meanSquaredWidth(of histogram: CodeHistogram) -> Double {
        var sum = 0.0
        var rows = 0
        for j in 0..<dimension {
            for (code, n) in histogram.rows(j).enumerated() where n > 0 {
                let cell = Int(cells[j * 256 + code])
                let end = cell + 1 < Self.count ? Int(starts[j * Self.count + cell + 1]) : 256
                let width = Double(end - Int(starts[j * Self.count + cell]))
                sum += Double(n) * width * width
                rows += Int(n)
            }
        }
        return rows == 0 ? 0 : sum / Double(rows)
    }

    /// Writes the four-bit codes of some rows.
    ///
    /// - Parameters:
    ///   - rows: Row numbers, counted from the first block.
    ///   - codes: Blocks of 8-bit codes, `groups` groups of four dimensions a row.
    ///   - nibbles: Blocks of `pairs` × 64 bytes.
    /// - Complexity: O(rows · dimension), about a nanosecond for each.
    package func encode(
        rows: Range<Int>, codes: UnsafePointer<UInt8>, groups: Int, into nibbles: UnsafeMutablePointer<UInt8>
    ) {
        let size = Kernels.blockRows
        unsafe cells.withUnsafeBufferPointer { cells in
            for row in rows {
                let target = unsafe nibbles + row / size * size * pairs + row % size
                for pair in 0..<pairs {
                    let offset = codeOffset(row: row, group: pair / 2, groups: groups) + pair % 2 * 2
                    let low = unsafe cells[pair * 512 + Int(codes[offset])]
                    let high = unsafe cells[pair * 512 + 256 + Int(codes[offset + 1])]
                    unsafe target[pair * size] = low | high << 4
                }
            }
        }
    }
}

/// The number of rows that have each code, in each dimension.
package struct CodeHistogram {
    package let dimension: Int
    private var counts: [Int32]

    package init(dimension: Int) {
        self.dimension = dimension
        counts = [Int32](repeating: 0, count: dimension * 256)
    }

    /// The 256 counts of a dimension.
    func rows(_ j: Int) -> [Int32] { Array(counts[j * 256..<(j + 1) * 256]) }

    /// Counts the rows of a block.
    ///
    /// - Parameter codes: Blocks of 8-bit codes, `groups` groups of four dimensions a row.
    package mutating func add(rows: Range<Int>, codes: UnsafePointer<UInt8>, groups: Int) {
        for row in rows {
            for j in 0..<dimension {
                let offset = codeOffset(row: row, group: j / 4, groups: groups) + j % 4
                counts[j * 256 + Int(unsafe codes[offset])] += 1
            }
        }
    }
}
