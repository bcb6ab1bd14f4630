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
    /// Cells that were visited.
    var cellsVisited = 0
}

extension SearchCounters {
    mutating func add(_ other: SearchCounters) {
        blocksScreened += other.blocksScreened
        survivors += other.survivors
        exactDistances += other.exactDistances
        chunksUnscreened += other.chunksUnscreened
        cellsVisited += other.cellsVisited
    }
}
