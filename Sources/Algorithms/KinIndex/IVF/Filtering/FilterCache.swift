import Synchronization

/// The cache of a filter in a ``VectorIndex`` with lists: the number of queries it has served and, once they have paid
/// for the copy, the allowed vectors in separate lists.
///
/// The number of future queries is unknown. Copying the vectors once queries have cost as much as the copy takes at
/// most twice the time of an optimal choice in hindsight (the ski rental problem; Karlin, Manasse, Rudolph and Sleator,
/// "Competitive snoopy caching", Algorithmica 3, 1988).
final class FilterCache: Sendable {
    private struct State {
        /// The version of the index that the cache is valid for.
        var version: ContentVersion?
        var queries = 0
        var store: ListStore?
    }

    private let state = Mutex(State())
    /// The last use of the copied vectors, by the budget's clock.
    private let used = Atomic<Int>(0)

    /// The allowed vectors; nil unless they were copied for this version of the index.
    func store(for version: ContentVersion, budget: FilterCacheBudget) -> ListStore? {
        guard let store = state.withLock({ $0.version === version ? $0.store : nil }) else { return nil }
        used.store(budget.now(), ordering: .relaxed)
        return store
    }

    /// Counts queries under the filter.
    ///
    /// - Returns: The number of queries under the filter in this version of the index, including the new ones.
    func note(_ queries: Int, for version: ContentVersion) -> Int {
        state.withLock { state in
            if state.version !== version { state = State(version: version) }
            state.queries += queries
            return state.queries
        }
    }

    /// Caches the allowed vectors for later queries.
    func keep(_ store: ListStore, for version: ContentVersion, budget: FilterCacheBudget, limit: Int) {
        let isKept = state.withLock { state in
            guard state.version === version else { return false }
            state.store = store
            return true
        }
        used.store(budget.now(), ordering: .relaxed)
        if isKept { budget.admit(self, limit: limit) }
    }

    /// The number of bytes of the copied vectors.
    fileprivate var bytes: Int { state.withLock { $0.store?.bytes ?? 0 } }

    fileprivate var lastUse: Int { used.load(ordering: .relaxed) }

    /// Removes the copied vectors; later queries must pay for a copy again.
    fileprivate func forget() {
        state.withLock { state in
            state.store = nil
            state.queries = 0
        }
    }
}

/// A limit on the bytes of the vectors copied for filters: the least recently used copies are removed first.
///
/// Copies of an index share one budget.
final class FilterCacheBudget: Sendable {
    private struct Entry {
        weak var memory: FilterCache?
    }

    private let entries = Mutex<[Entry]>([])
    private let clock = Atomic<Int>(0)

    func now() -> Int { clock.add(1, ordering: .relaxed).newValue }

    /// Registers a filter that has just copied its vectors, and empties other filters while the total exceeds `limit`
    /// bytes.
    func admit(_ memory: FilterCache, limit: Int) {
        entries.withLock { entries in
            var living = entries.compactMap(\.memory).filter { $0 !== memory && $0.bytes > 0 }
            living.sort { $0.lastUse > $1.lastUse }
            var total = memory.bytes
            let kept = living.prefix { other in
                total += other.bytes
                return total <= limit
            }
            for other in living[kept.count...] { other.forget() }
            entries = (kept + [memory]).map { Entry(memory: $0) }
        }
    }

    /// The number of bytes of all filters' copies.
    var bytes: Int { entries.withLock { $0.reduce(0) { $0 + ($1.memory?.bytes ?? 0) } } }
}
