import Synchronization

/// What an inverted-file index remembers with a filter: how many queries it has served, and the allowed vectors in lists of
/// their own once these have paid for it.
///
/// Which queries are still to come is not known. Laying out when those that came have cost as much as that takes at most
/// twice the time of whoever knew (the ski rental problem; Karlin, Manasse, Rudolph and Sleator, "Competitive snoopy
/// caching", Algorithmica 3, 1988).
final class FilterCache: Sendable {
    private struct State {
        /// The state of the index that the rest is about.
        var version: ContentVersion?
        var queries = 0
        var store: ListStore?
    }

    private let state = Mutex(State())
    /// When the vectors laid out were last searched, by the budget's clock.
    private let used = Atomic<Int>(0)

    /// The allowed vectors, when they were laid out for this state of the index.
    func store(for version: ContentVersion, budget: FilterCacheBudget) -> ListStore? {
        guard let store = state.withLock({ $0.version === version ? $0.store : nil }) else { return nil }
        used.store(budget.now(), ordering: .relaxed)
        return store
    }

    /// Counts queries.
    ///
    /// - Returns: All queries that this state of the index was searched for under the filter, these included.
    func note(_ queries: Int, for version: ContentVersion) -> Int {
        state.withLock { state in
            if state.version !== version { state = State(version: version) }
            state.queries += queries
            return state.queries
        }
    }

    /// Keeps the allowed vectors for the queries to come.
    func keep(_ store: ListStore, for version: ContentVersion, budget: FilterCacheBudget, limit: Int) {
        let isKept = state.withLock { state in
            guard state.version === version else { return false }
            state.store = store
            return true
        }
        used.store(budget.now(), ordering: .relaxed)
        if isKept { budget.admit(self, limit: limit) }
    }

    /// Bytes that the vectors laid out take.
    fileprivate var bytes: Int { state.withLock { $0.store?.bytes ?? 0 } }

    fileprivate var lastUse: Int { used.load(ordering: .relaxed) }

    /// Gives up the vectors laid out; the queries to come have to pay for them again.
    fileprivate func forget() {
        state.withLock { state in
            state.store = nil
            state.queries = 0
        }
    }
}

/// Keeps the vectors that filters have laid out within a number of bytes: those that were not searched for longest go first.
///
/// Copies of an index share one.
final class FilterCacheBudget: Sendable {
    private struct Entry {
        weak var memory: FilterCache?
    }

    private let entries = Mutex<[Entry]>([])
    private let clock = Atomic<Int>(0)

    func now() -> Int { clock.add(1, ordering: .relaxed).newValue }

    /// Takes a filter in that has just laid out what it allows, and lets others go while all take more than `limit` bytes.
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

    /// Bytes that all filters hold.
    var bytes: Int { entries.withLock { $0.reduce(0) { $0 + ($1.memory?.bytes ?? 0) } } }
}
