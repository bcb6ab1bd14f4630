public import KinLinearAlgebra

/// What a search found and what it took: the numbers behind "explain".
public struct SearchReport: Sendable {
    /// The result, nearest first.
    public let neighbors: [Neighbor]
    /// Vectors in the index.
    public let rows: Int
    /// Lists that were visited, of how many; nil for an index without lists.
    public let lists: (visited: Int, all: Int)?
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

/// What a search did, counted while it does it.
struct SearchCounters: Sendable {
    /// Code blocks that were screened, once for each query.
    var blocksScreened = 0
    /// Rows that passed the screen.
    var survivors = 0
    /// Rows whose distance was computed in double precision, survivors among them.
    var exactDistances = 0
    /// Chunks that were scanned without a screen.
    var chunksUnscreened = 0
    /// Lists that were visited.
    var listsVisited = 0
}

extension SearchCounters {
    mutating func add(_ other: SearchCounters) {
        blocksScreened += other.blocksScreened
        survivors += other.survivors
        exactDistances += other.exactDistances
        chunksUnscreened += other.chunksUnscreened
        listsVisited += other.listsVisited
    }
}
