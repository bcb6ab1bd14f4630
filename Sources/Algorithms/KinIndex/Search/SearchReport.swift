public import KinLinearAlgebra

/// The result of one search and the work it took, as `explain` returns them.
public struct SearchReport: Sendable {
    /// The neighbours found, nearest first.
    public let neighbors: [Neighbor]
    /// The number of vectors in the index.
    public let rows: Int
    /// The number of inverted lists visited and of all there are; nil for a flat index.
    public let lists: (visited: Int, all: Int)?
    /// The number of blocks of 64 coded vectors that were screened.
    public let blocksScreened: Int
    /// The number of vectors that passed the screen.
    public let survivors: Int
    /// The number of distances computed in double precision: of survivors, samples and vectors that were not screened.
    public let exactDistances: Int
    /// The bytes of codes and floats that were read.
    public let bytesRead: Int
    /// The instruction set in use: "serial", "avx2", "avxvnni", "avx512", "avx512vnni", "neon", "neondot" or "neoni8mm".
    public let simdLevel: String
    /// The leading bits of each 8-bit code that this instruction set screens, 8 or 6.
    public let codeBits: Int
    /// A description of the plan and the counts, for people.
    public let plan: String
}

/// The counts of the work that a search does, kept while it runs.
struct SearchCounters: Sendable {
    /// Code blocks screened, counted once for each query.
    var blocksScreened = 0
    /// Blocks screened along principal axes.
    var principalBlocksScreened = 0
    /// Rows that passed the screen.
    var survivors = 0
    /// Rows whose distance was computed in double precision, survivors among them.
    var exactDistances = 0
    /// Chunks that were scanned without a screen.
    var chunksUnscreened = 0
    /// Inverted lists that were visited.
    var listsVisited = 0
}

extension SearchCounters {
    /// Blocks screened in any way.
    var allBlocksScreened: Int { blocksScreened + principalBlocksScreened }

    mutating func add(_ other: SearchCounters) {
        blocksScreened += other.blocksScreened
        principalBlocksScreened += other.principalBlocksScreened
        survivors += other.survivors
        exactDistances += other.exactDistances
        chunksUnscreened += other.chunksUnscreened
        listsVisited += other.listsVisited
    }
}
