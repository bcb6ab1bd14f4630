public import KinLinearAlgebra

/// What a search found and what it took: the numbers behind "explain".
public struct SearchReport: Sendable {
    /// The result, nearest first.
    public let neighbors: [Neighbor]
    /// Vectors in the index.
    public let rows: Int
    /// Cells that were visited, of how many; nil for an index without cells.
    public let cells: (visited: Int, all: Int)?
    /// Blocks of 64 coded vectors that were screened.
    public let blocksScreened: Int
    /// Vectors that passed the screen.
    public let survivors: Int
    /// Vectors whose distance was computed in double precision: survivors, samples and those that were not screened.
    public let exactDistances: Int
    /// Bytes of codes and floats that were read.
    public let bytesRead: Int
    /// The instruction set in use: "serial", "avx2", "avx512", "avx512vnni", "neon" or "neondot".
    public let simdLevel: String
    /// Bits of each 8-bit code that this instruction set looks at, 8 or 6.
    public let codeBits: Int
    /// What was done, in a sentence.
    public let plan: String
}
