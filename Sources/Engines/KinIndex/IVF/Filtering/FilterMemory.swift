import Synchronization

/// What an index in cells remembers with a filter: how many queries it has served, and the allowed vectors in cells of
/// their own once these have paid for it.
///
/// Which queries are still to come is not known. Laying out when those that came have cost as much as that takes at most
/// twice the time of whoever knew (the ski rental problem; Karlin, Manasse, Rudolph and Sleator, "Competitive snoopy
/// caching", Algorithmica 3, 1988).
final class FilterMemory: Sendable {
    private struct State {
        /// The state of the index that the rest is about.
        var stamp: ChangeStamp?
        var queries = 0
        var store: CellStore?
    }

    private let state = Mutex(State())

    /// The allowed vectors, when they were laid out for this state of the index.
    func store(for stamp: ChangeStamp) -> CellStore? {
        state.withLock { $0.stamp === stamp ? $0.store : nil }
    }

    /// Counts queries.
    ///
    /// - Returns: All queries that this state of the index was searched for under the filter, these included.
    func note(_ queries: Int, for stamp: ChangeStamp) -> Int {
        state.withLock { state in
            if state.stamp !== stamp { state = State(stamp: stamp) }
            state.queries += queries
            return state.queries
        }
    }

    /// Keeps the allowed vectors for the queries to come.
    func keep(_ store: CellStore, for stamp: ChangeStamp) {
        state.withLock { if $0.stamp === stamp { $0.store = store } }
    }
}
