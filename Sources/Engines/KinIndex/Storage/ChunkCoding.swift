package import KinLinearAlgebra

/// How the rows of a chunk are coded: the grid, how far codes are from rows, and the rows that no code describes.
package struct ChunkCoding: Sendable {
    package var grid: CodeGrid
    package var errors: CodeErrors
    /// Rows outside the grid, ascending: no screen sees them, every search computes their distance.
    package var exceptions: [UInt32]
}

extension ChunkCoding {
    /// Every row inside the grid is at most half a step away in each dimension (and two when six bits are read); a row
    /// with a larger error lies outside.
    static func isInside(_ errors: CodeErrors, dimension: Int) -> Bool {
        errors.eightBits <= 0.5 * Double(dimension).squareRoot() * (1 + 0x1p-20)
    }

    /// More exceptions than this and the chunk is coded anew: one row in 128, and a few for small chunks.
    static func tolerated(rows: Int) -> Int { max(8, rows / 128) }

    /// The bits of the exceptions in a block of 64 rows.
    func exceptions(inBlock block: Int) -> UInt64 {
        let first = block * Kernels.blockRows
        var bits: UInt64 = 0
        for row in exceptions[place(of: first)...] {
            guard row < first + Kernels.blockRows else { break }
            bits |= 1 << UInt64(Int(row) - first)
        }
        return bits
    }

    /// Where a row stands, or would stand, among the exceptions.
    private func place(of row: Int) -> Int {
        var low = 0
        var high = exceptions.count
        while low < high {
            let middle = (low + high) / 2
            if exceptions[middle] < UInt32(row) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    mutating func insertException(_ row: Int) {
        let value = UInt32(row)
        let place = place(of: row)
        if place == exceptions.endIndex || exceptions[place] != value { exceptions.insert(value, at: place) }
    }

    mutating func removeException(_ row: Int) {
        let place = place(of: row)
        if place < exceptions.endIndex, exceptions[place] == UInt32(row) { exceptions.remove(at: place) }
    }
}
