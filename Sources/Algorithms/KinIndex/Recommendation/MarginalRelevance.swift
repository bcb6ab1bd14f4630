import HeapModule

/// A greedy selection by maximal marginal relevance, with an optional limit on the candidates per category.
///
/// Each step takes the candidate with the least cost
///
///     distance − penalty · (distance from the nearest candidate taken so far),
///
/// and the first step the candidate with the least distance. Ties are in ascending order of ids. After the first step,
/// the cost of a candidate only grows as others are taken, since the nearest of more candidates is never farther. So
/// costs are stored in a heap and recomputed only for candidates that reach its top (Minoux 1978, "Accelerated greedy
/// algorithms", doi:10.1007/BFb0006528). Taking k of n candidates costs O(n + k log n) if diversity changes little, and
/// at most k · n distances.
package struct MarginalRelevance<Category: Hashable> {
    /// A candidate and its cost as last computed.
    private struct Candidate: Comparable {
        let row: Int
        let id: UInt64
        /// The distance from the query; smaller is better.
        let distance: Double
        let category: Category?
        /// The distance from the nearest of the first ``compared`` taken candidates.
        var nearest = Double.infinity
        var compared = 0
        /// A lower bound on the candidate's present cost.
        var cost: Double

        static func < (a: Candidate, b: Candidate) -> Bool { (a.cost, a.id) < (b.cost, b.id) }
        static func == (a: Candidate, b: Candidate) -> Bool { (a.cost, a.id) == (b.cost, b.id) }

        /// Computes the cost given all candidates taken so far.
        mutating func update(_ taken: [Int], _ weights: Weights, distance: (Int, Int) -> Double) {
            for other in taken[compared...] { nearest = min(nearest, distance(row, other)) }
            compared = taken.count
            cost = weights.cost(self.distance, nearest: nearest)
        }
    }

    /// The weights of a cost: 1 and δ ∕ (1 − δ). For δ = 1 they are 0 and 1, so that only the distance from the taken
    /// candidates counts.
    package struct Weights: Sendable {
        private let relevance: Double
        private let penalty: Double

        init(diversity: Double) {
            relevance = diversity < 1 ? 1 : 0
            penalty = diversity < 1 ? diversity / (1 - diversity) : 1
        }

        /// Whether the cost depends on the candidates taken before.
        var isDiverse: Bool { penalty > 0 }

        /// The cost of a candidate, given its distance from the query and its distance from the nearest candidate
        /// taken.
        package func cost(_ distance: Double, nearest: Double) -> Double { relevance * distance - penalty * nearest }
    }

    /// The weights of the costs.
    package let weights: Weights
    private let limit: Int
    private var heap = Heap<Candidate>()
    private var counts: [Category: Int] = [:]
    /// The rows that were taken, in order.
    package private(set) var taken: [Int] = []
    /// The cost of the last candidate taken, or −∞.
    private(set) var lastCost = -Double.infinity
    /// The categories that have reached the limit.
    package private(set) var full: Set<Category> = []

    /// Creates a selection without candidates.
    ///
    /// - Parameters:
    ///   - diversity: The weight of the difference from the candidates taken, 0 to 1.
    ///   - limit: The largest number from one category; nil for no limit.
    package init(diversity: Double, perCategory limit: Int? = nil) {
        weights = Weights(diversity: diversity)
        self.limit = limit ?? .max
    }

    /// Adds a candidate with its distance and category. O(log n).
    ///
    /// - Parameters:
    ///   - row: The caller's number for the candidate, which ``taken`` reports.
    ///   - id: The id that orders equal costs.
    ///   - distance: The distance from the query, or a negated score.
    ///   - category: Its category; nil if it has no limit.
    package mutating func insert(row: Int, id: UInt64, distance: Double, category: Category? = nil) {
        // After the first candidate is taken, costs are below distances; the cost is computed when it is needed.
        let cost = weights.isDiverse && !taken.isEmpty ? -.infinity : distance
        heap.insert(Candidate(row: row, id: id, distance: distance, category: category, cost: cost))
    }

    /// Takes the best candidate if it costs less than every candidate not yet inserted.
    ///
    /// - Parameters:
    ///   - bound: A lower bound on the costs of candidates not yet inserted; infinity if all were inserted.
    ///   - orEqual: Whether a cost equal to the bound is also accepted.
    ///   - distance: The distance between two rows.
    /// - Returns: The row taken; nil if no candidate is below the bound.
    package mutating func next(
        below bound: Double = .infinity, orEqual: Bool = false, distance: (Int, Int) -> Double
    ) -> Int? {
        while var best = heap.min {
            if let category = best.category, full.contains(category) {
                heap.removeMin()
                continue
            }
            if weights.isDiverse, best.compared < taken.count {
                best.update(taken, weights, distance: distance)
                heap.replaceMin(with: best)
                continue
            }
            guard best.cost < bound || (orEqual && best.cost == bound) else { return nil }
            heap.removeMin()
            taken.append(best.row)
            lastCost = best.cost
            if weights.isDiverse, taken.count == 1 {
                var candidates = heap.unordered
                for place in candidates.indices {
                    candidates[place].update(taken, weights, distance: distance)
                }
                heap = Heap(candidates)
            }
            if let category = best.category {
                counts[category, default: 0] += 1
                if counts[category] == limit { full.insert(category) }
            }
            return best.row
        }
        return nil
    }
}
