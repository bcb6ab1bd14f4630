public import KinCore
import KinIndex
import Synchronization

extension SoulMatcher {
    /// Finds the k most similar people of each person.
    ///
    /// People are taken in the order of the index, so that neighbours follow each other: the matches of one are the first guesses for the next.
    ///
    /// - Parameters:
    ///   - k: The number of matches for each person, 0 or more.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    ///   - threads: The number of threads; neither the results nor their order depend on it.
    ///   - body: Receives a person's id and matches, on the calling thread, ``count`` times in all; an error that it throws ends the work.
    /// - Throws: The error of `body`; `.invalidArgument` for k or the coverage; `.cancelled`, as `withProgressHandler` says, whose units
    ///   are people.
    /// - Complexity: Memory for some thousands of people at a time.
    public func forEachMostSimilar(
        k: Int, minimumCoverage: Double = 0, threads: Int = 1, _ body: (String, [ScoredSoul]) throws(KinError) -> Void
    ) throws(KinError) {
        try Self.check(k: k, minimumCoverage: minimumCoverage)
        try forEachRun(threads: threads) { scan in
            var heap = TopSouls(capacity: min(k, ids.count), ids: ids)
            var guesses: [Int] = []
            return { slot in
                heap.removeAll()
                scan.mostSimilar(to: slot, minimumCoverage: minimumCoverage, guesses: guesses, into: &heap)
                guesses = heap.slots + [slot]
                return (ids[slot], scoredSouls(heap, of: slot))
            }
        } body: { (user, found) throws(KinError) in
            try body(user, found)
        }
    }

    /// Finds all pairs with at least a given affinity, each once.
    ///
    /// - Parameters:
    ///   - affinity: The least score, 0…1.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    ///   - threads: As for ``forEachMostSimilar(k:minimumCoverage:threads:_:)``.
    ///   - body: Receives the pairs as they are found, on the calling thread; an error that it throws ends the work.
    /// - Throws: The error of `body`; `.invalidArgument` for the affinity or the coverage; `.cancelled`, as
    ///   ``forEachMostSimilar(k:minimumCoverage:threads:_:)``.
    /// - Complexity: Memory for the pairs of some thousands of people at a time.
    public func forEachMatch(
        above affinity: Double, minimumCoverage: Double = 0, threads: Int = 1,
        _ body: (ScoredSoulPair) throws(KinError) -> Void
    ) throws(KinError) {
        try Self.check(affinity: affinity, minimumCoverage: minimumCoverage)
        try forEachRun(threads: threads) { scan in
            { slot in
                var pairs: [ScoredSoulPair] = []
                scan.matches(of: slot, above: affinity, minimumCoverage: minimumCoverage) { other, score, common in
                    guard ids[slot] < ids[other] else { return }
                    pairs.append(
                        ScoredSoulPair(first: ids[slot], match: scoredSoul(other, score, common)))
                }
                return pairs.sorted { ($1.affinity, $0.second) < ($0.affinity, $1.second) }
            }
        } body: { (pairs) throws(KinError) in
            for pair in pairs { try body(pair) }
        }
    }

    /// The number of people in a run on one thread: long enough for good guesses, short enough for an even distribution.
    private static var runLength: Int { 512 }

    /// Computes results for runs of neighbours on several threads, and passes them on in order.
    ///
    /// - Parameter find: Receives the memory of a thread, for every run; returns the function that finds a slot's result.
    private func forEachRun<Result: Sendable>(
        threads: Int, _ find: (MatchScan) -> (Int) -> Result,
        body: (Result) throws(KinError) -> Void
    ) throws(KinError) {
        let order = groups.compactMap(\.self).flatMap { $0.ids.map { Int($0.rawValue) } }
        let runs = stride(from: 0, to: order.count, by: Self.runLength).map {
            order[$0..<min($0 + Self.runLength, order.count)]
        }
        let width = max(1, threads) * 4
        let work = LongWork(of: order.count)
        for first in stride(from: 0, to: runs.count, by: width) {
            let batch = Array(runs[first..<min(first + width, runs.count)])
            let results = Mutex([[Result]](repeating: [], count: batch.count))
            let next = Atomic<Int>(0)
            concurrently(min(max(1, threads), batch.count)) { _ in
                let scan = MatchScan(self)
                while true {
                    let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard number < batch.count else { break }
                    let find = find(scan)
                    var found: [Result] = []
                    for slot in batch[number] where work.advance() { found.append(find(slot)) }
                    results.withLock { $0[number] = found }
                }
            }
            try work.check()
            for found in results.withLock({ $0 }) {
                for result in found { try body(result) }
            }
        }
    }
}
