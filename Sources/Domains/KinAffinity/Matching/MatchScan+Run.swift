// A run is a list of souls with the same blocks that are consecutive in the index, and so near each other. Their
// searches visit the index together. The best matches within the run are found first and prune later candidates,
// since their scores are close to the final ones.

/// A run of souls with the same blocks.
struct SoulRun {
    let slots: [Int]
    let mask: BlockMask
    /// The souls' vectors in the matcher's frame.
    fileprivate let vectors: Matrix<Float>

    /// Creates the run of some slots, at least one.
    init(_ slots: some Collection<Int>, of matcher: SoulMatcher) {
        self.slots = Array(slots)
        mask = matcher.table[self.slots[0]].mask
        vectors = matcher.vectors(of: self.slots, threads: 1)
    }
}

extension MatchScan {
    /// The number of neighbours whose mutual scores are computed first: the number in a block of the index.
    private static var neighbours: Int { 64 }

    /// Finds the best matches of each soul of a run. A soul is among its own matches.
    ///
    /// - Parameters:
    ///   - run: The souls.
    ///   - capacity: The number of matches of each, itself included.
    ///   - minimumCoverage: The least share of all weight that must be comparable, 0…1.
    func mostSimilar(toEach run: SoulRun, capacity: Int, minimumCoverage: Double) -> [TopSouls] {
        var best = run.slots.map { _ in TopSouls(capacity: capacity, ids: matcher.ids) }
        let groups = groups(comparableWith: run.mask, minimumCoverage: minimumCoverage)
        unsafe best.withUnsafeMutableBufferPointer { best in
            unsafe withQueries(run) { souls in
                if let own = groups.first(where: { $0.mask == Int(run.mask.rawValue) }) {
                    unsafe compareNeighbours(run.slots, souls, in: own, best)
                }
                for group in groups {
                    let (best, souls) = unsafe (best, souls)
                    let radii = run.slots.indices.map {
                        unsafe squaredRadius(of: group, evidence: souls[$0].evidence, best: best[$0])
                    }
                    visit(group, for: run, squaredRadii: radii, capacity: capacity) { i, other in
                        unsafe best[i].insert(
                            other, souls[i].score(matcher.table[other], common: group.common, total: group.compared))
                        return unsafe squaredRadius(of: group, evidence: souls[i].evidence, best: best[i])
                    }
                }
            }
        }
        return best
    }

    /// Calls a function with the queries of a run's souls.
    private func withQueries(_ run: SoulRun, _ body: (UnsafeBufferPointer<SoulQuery>) -> Void) {
        let current = matcher.factors.current
        let memory = UnsafeMutablePointer<Double>.allocate(capacity: max(1, run.slots.count * current.count))
        defer { unsafe memory.deallocate() }
        unsafe current.withUnsafeBufferPointer { factors in
            let souls = run.slots.enumerated().map { i, slot in
                unsafe SoulQuery(
                    matcher.table[slot], factors: factors, model: matcher.model, values: memory + i * factors.count)
            }
            unsafe souls.withUnsafeBufferPointer(body)
        }
    }

    /// Inserts the mutual scores of neighbours in a run; a score is symmetric.
    private func compareNeighbours(
        _ slots: [Int], _ souls: UnsafeBufferPointer<SoulQuery>, in group: Group,
        _ best: UnsafeMutableBufferPointer<TopSouls>
    ) {
        for first in stride(from: 0, to: slots.count, by: Self.neighbours) {
            for j in first..<min(first + Self.neighbours, slots.count) {
                let row = matcher.table[slots[j]]
                for i in first..<j {
                    let score = unsafe souls[i].score(row, common: group.common, total: group.compared)
                    unsafe best[i].insert(slots[j], score)
                    unsafe best[j].insert(slots[i], score)
                }
            }
        }
    }

    /// Passes every soul whose score with one of a run is at least `score` to `found`, in no particular order: the
    /// number of the run's soul, the other's slot, the score and the blocks that both have.
    func matches(
        ofEach run: SoulRun, above score: Double, minimumCoverage: Double,
        _ found: (Int, Int, Double, BlockMask) -> Void
    ) {
        unsafe withQueries(run) { souls in
            let souls = unsafe souls
            for group in groups(comparableWith: run.mask, minimumCoverage: minimumCoverage) {
                let radii = unsafe souls.map { squaredRadius(of: group, evidence: $0.evidence, score: score) }
                visit(group, for: run, squaredRadii: radii, capacity: .max) { i, other in
                    if other == run.slots[i] { return radii[i] }
                    let match = unsafe souls[i].score(
                        matcher.table[other], common: group.common, total: group.compared)
                    if match >= score { found(i, other, match, group.common) }
                    return radii[i]
                }
            }
        }
    }

    /// Passes the slots of a group's souls within the squared radius of each soul of a run to `body`, with the number
    /// of that soul. `body` returns the squared radius for the rest of the search.
    private func visit(
        _ group: Group, for run: SoulRun, squaredRadii: [Double], capacity: Int, _ body: (Int, Int) -> Double
    ) {
        var vectors = run.vectors
        for coordinate in matcher.frame.coordinates(outside: group.common) {
            for i in run.slots.indices { vectors[i, coordinate] = 0 }
        }
        matcher.groups[group.mask]?.visit(
            nearEach: vectors, ignoring: ignoredDimensions(of: group), radii: squaredRadii, capacity: capacity,
            prefetch: { matcher.table[Int($0.rawValue)].prefetch() }, { i, id, _ in body(i, Int(id.rawValue)) })
    }
}
