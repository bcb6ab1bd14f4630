/// The result of one search and the work it took, as returned by `explain`.
public struct SearchReport: Sendable {
    /// The neighbours found, nearest first.
    public let neighbors: [Neighbor]
    /// The number of vectors in the index.
    public let rows: Int
    /// The number of inverted lists visited and the total number; nil for a flat index.
    public let lists: (visited: Int, all: Int)?
    /// The number of blocks of 64 coded vectors that were screened.
    public let blocksScreened: Int
    /// The number of vectors that passed the screen.
    public let survivors: Int
    /// The number of distances computed in double precision, for survivors, samples and vectors that were not screened.
    public let exactDistances: Int
    /// The number of bytes of codes and floats read.
    public let bytesRead: Int
    /// The instruction set in use, such as "avx2" or "neon".
    public let simdLevel: String
    /// The number of leading bits of each 8-bit code that this instruction set screens, 8 or 6.
    public let codeBits: Int
    /// A readable description of the plan and the counts.
    public let plan: String
}

/// Counts the work of a search while it runs.
struct SearchCounters: Sendable {
    /// The number of code blocks screened, counted once per query.
    var blocksScreened = 0
    /// The number of rows that passed the screen.
    var survivors = 0
    /// The number of rows with a distance computed in double precision, including survivors.
    var exactDistances = 0
    /// The number of chunks scanned without a screen.
    var chunksUnscreened = 0
    /// The number of inverted lists visited.
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
