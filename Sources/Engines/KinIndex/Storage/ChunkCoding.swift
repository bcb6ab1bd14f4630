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

    mutating func insertException(_ row: Int) {
        let value = UInt32(row)
        let place = exceptions.firstIndex { $0 >= value } ?? exceptions.endIndex
        if place == exceptions.endIndex || exceptions[place] != value { exceptions.insert(value, at: place) }
    }

    mutating func removeException(_ row: Int) {
        if let place = exceptions.firstIndex(of: UInt32(row)) { exceptions.remove(at: place) }
    }
}
