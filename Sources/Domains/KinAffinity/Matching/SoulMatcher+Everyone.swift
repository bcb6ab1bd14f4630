extension SoulMatcher {
    /// Finds the k most similar people of each person.
    ///
    /// People are processed in the order of the index, in runs of neighbours whose searches visit the index together.
    /// People whose souls are equal, such as those of new users, are searched for once. People without any block are in
    /// no index; they come last, without matches.
    ///
    /// - Parameters:
    ///   - k: The number of matches for each person, 0 or more.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    ///   - threads: The number of threads, 1 or more; neither the results nor their order depend on it.
    ///   - body: Receives a person's id and matches, on the calling thread, ``count`` times in all; an error that it
    ///     throws stops the search.
    /// - Throws: The error of `body` (see `KinError.underlying`); `.invalidArgument` for k, the coverage or the threads;
    ///   `.cancelled` (see `withProgressHandler`; a unit is a soul with something to compare, or several equal ones).
    /// - Complexity: Memory for a few thousand people at a time.
    public func forEachMostSimilar(
        k: Int, minimumCoverage: Double = 0, threads: Int = 1, _ body: (String, [ScoredSoul]) throws -> Void
    ) throws(KinError) {
        try Self.check(k: k, minimumCoverage: minimumCoverage)
        let order = order
        let equals = Dictionary(grouping: order.joined()) { table[$0] }
        let distinct = order.map { $0.filter { equals[table[$0]]?.first == $0 } }
        // A soul is among its own matches, so equal souls share one list.
        let capacity = min(k, ids.count - 1) + 1
        try forEachRun(of: distinct, threads: threads) { scan, run in
            let best = scan.mostSimilar(toEach: run, capacity: capacity, minimumCoverage: minimumCoverage)
            return zip(run.slots, best).map { slot, best in (slot, scoredSouls(best, of: slot)) }
        } body: { (slot, found) throws(KinError) in
            for user in equals[table[slot], default: []].map({ ids[$0] }) {
                let others = Array(found.lazy.filter { $0.userID != user }.prefix(k))
                try callingBack { try body(user, others) }
            }
        }
        for slot in ids.indices where !ids[slot].isEmpty && table[slot].mask.isEmpty {
            try callingBack { try body(ids[slot], []) }
        }
    }

    /// Finds all pairs with at least a given affinity, each once.
    ///
    /// - Parameters:
    ///   - affinity: The least score, 0…1.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    ///   - threads: As for ``forEachMostSimilar(k:minimumCoverage:threads:_:)``.
    ///   - body: Receives the pairs as they are found, on the calling thread; an error that it throws stops the search.
    /// - Throws: As ``forEachMostSimilar(k:minimumCoverage:threads:_:)``, with the affinity in place of k.
    /// - Complexity: Memory for the pairs of a few thousand people at a time.
    public func forEachMatch(
        above affinity: Double, minimumCoverage: Double = 0, threads: Int = 1,
        _ body: (ScoredSoulPair) throws -> Void
    ) throws(KinError) {
        try Self.check(affinity: affinity, minimumCoverage: minimumCoverage)
        try forEachRun(of: order, threads: threads) { scan, run in
            var pairs = [[ScoredSoulPair]](repeating: [], count: run.slots.count)
            scan.matches(ofEach: run, above: affinity, minimumCoverage: minimumCoverage) { i, other, score, common in
                let user = ids[run.slots[i]]
                guard user < ids[other] else { return }
                pairs[i].append(ScoredSoulPair(first: user, match: scoredSoul(other, score, common)))
            }
            return pairs.map { $0.sorted { ($1.affinity, $0.second) < ($0.affinity, $1.second) } }
        } body: { (pairs) throws(KinError) in
            try callingBack { for pair in pairs { try body(pair) } }
        }
    }

    /// The most similar people of each person, or all pairs with at least some affinity, by ascending first id, each
    /// person's best match first.
    ///
    /// - Parameters:
    ///   - k: The largest number of matches of each person.
    ///   - affinity: The least affinity; with it k does not count, and each pair is listed once.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    ///   - limit: The largest number of matches.
    ///   - threads: The largest number of threads to use.
    /// - Throws: `.capacityExceeded` for more matches.
    package func pairs(
        k: Int = 0, above affinity: Double?, minimumCoverage: Double, limit: Int = .max, threads: Int
    ) throws(KinError) -> [ScoredSoulPair] {
        var found: [ScoredSoulPair] = []
        func add(_ pairs: [ScoredSoulPair]) throws(KinError) {
            found += pairs
            guard found.count > limit else { return }
            throw KinError(
                .capacityExceeded,
                "there are more than \(limit) matches; ask for fewer by a higher `above` or a smaller `k`, or raise `limit`"
            )
        }
        if let affinity {
            try forEachMatch(above: affinity, minimumCoverage: minimumCoverage, threads: threads) {
                (pair) throws(KinError) in try add([pair])
            }
        } else {
            try forEachMostSimilar(k: k, minimumCoverage: minimumCoverage, threads: threads) {
                (user, souls) throws(KinError) in try add(souls.map { ScoredSoulPair(first: user, match: $0) })
            }
        }
        // The order of the index depends on the order of the souls' arrival.
        return found.sorted { ($0.first, $1.affinity, $0.second) < ($1.first, $0.affinity, $1.second) }
    }

    /// The number of people in a run: enough to visit lists together, few enough for an even distribution over threads
    /// and for 8 MB of trait values.
    private var runLength: Int { max(16, min(256, (1 << 20) / max(1, features.count))) }

    /// The slots of the souls with each set of blocks, in the order of the index.
    private var order: [[Int]] { groups.compactMap { $0?.ids.map { Int($0.rawValue) } } }

    /// Computes results for runs of neighbours on several threads, and passes them on in order.
    ///
    /// - Parameters:
    ///   - order: The souls; a run ends when their blocks change.
    ///   - find: Returns a result for each soul of a run.
    private func forEachRun<Result: Sendable>(
        of order: [[Int]], threads: Int, _ find: (MatchScan, SoulRun) -> [Result],
        body: (Result) throws(KinError) -> Void
    ) throws(KinError) {
        let runs = order.flatMap { order in
            stride(from: 0, to: order.count, by: runLength).map { order[$0..<min($0 + runLength, order.count)] }
        }
        try requireThreads(threads)
        let width = min(threads, 1 << 16) * 4
        let work = LongWork(of: runs.reduce(0) { $0 + $1.count })
        for first in stride(from: 0, to: runs.count, by: width) {
            let batch = Array(runs[first..<min(first + width, runs.count)])
            let results = concurrentMap(threads, batch.count, memory: { MatchScan(self) }) { number, scan in
                work.advance(by: batch[number].count) ? find(scan, SoulRun(batch[number], of: self)) : []
            }
            try work.check()
            for result in results.joined() { try body(result) }
        }
    }
}
