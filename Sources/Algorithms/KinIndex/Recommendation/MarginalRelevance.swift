import HeapModule

/// A greedy selection by maximal marginal relevance, with at most some candidates of a category.
///
/// Each step takes the candidate of the least cost
///
///     distance − penalty · (distance from the nearest candidate that was taken),
///
/// equal costs in ascending order of their ids; the first has the least distance. From then on what a candidate costs only grows while
/// others are taken, since the nearest of more is not farther: so costs are kept in a heap and computed anew only for candidates that
/// reach its top (Minoux 1978, "Accelerated greedy algorithms", doi:10.1007/BFb0006528). k of n candidates take O(n + k log n) where
/// diversity changes little, and at most k · n distances.
package struct MarginalRelevance<Category: Hashable> {
    /// A candidate and its cost as far as it was computed.
    private struct Candidate: Comparable {
        let row: Int
        let id: UInt64
        /// The distance from what is asked for; smaller is better.
        let distance: Double
        let category: Category?
        /// The distance from the nearest of the first ``compared`` taken ones.
        var nearest = Double.infinity
        var compared = 0
        /// At most what the candidate costs now.
        var cost: Double

        static func < (a: Candidate, b: Candidate) -> Bool { (a.cost, a.id) < (b.cost, b.id) }
        static func == (a: Candidate, b: Candidate) -> Bool { (a.cost, a.id) == (b.cost, b.id) }

        /// Computes the cost beside all that were taken.
        mutating func update(_ taken: [Int], _ weights: Weights, distance: (Int, Int) -> Double) {
            for other in taken[compared...] { nearest = min(nearest, distance(row, other)) }
            compared = taken.count
            cost = weights.cost(self.distance, nearest: nearest)
        }
    }

    /// The weights of a cost: 1 and δ ∕ (1 − δ); for δ = 1, where only the distance from the others counts, 0 and 1.
    package struct Weights: Sendable {
        private let relevance: Double
        private let penalty: Double

        init(diversity: Double) {
            relevance = diversity < 1 ? 1 : 0
            penalty = diversity < 1 ? diversity / (1 - diversity) : 1
        }

        /// Whether it matters what was taken before.
        var isDiverse: Bool { penalty > 0 }

        /// The cost of a candidate at a distance from what is asked for, and at one from the nearest that was taken.
        package func cost(_ distance: Double, nearest: Double) -> Double { relevance * distance - penalty * nearest }
    }

    /// The weights of the costs.
    package let weights: Weights
    private let limit: Int
    private var heap = Heap<Candidate>()
    private var counts: [Category: Int] = [:]
    /// The rows that were taken, in order.
    package private(set) var taken: [Int] = []
    /// The categories of which no more can be taken.
    package private(set) var full: Set<Category> = []

    /// Creates a selection without candidates.
    ///
    /// - Parameters:
    ///   - diversity: The weight of being different, 0 to 1.
    ///   - limit: The largest number of one category; nil for any.
    package init(diversity: Double, perCategory limit: Int? = nil) {
        weights = Weights(diversity: diversity)
        self.limit = limit ?? .max
    }

    /// Adds a candidate with its distance and category. O(log n).
    ///
    /// - Parameters:
    ///   - row: The caller's number for it, as ``taken`` has it.
    ///   - id: The id that equal costs are ordered by.
    ///   - distance: The distance from what is asked for, or a negated score.
    ///   - category: Its category; nil for one that has no limit.
    package mutating func insert(row: Int, id: UInt64, distance: Double, category: Category? = nil) {
        // Once there is something to differ from, the cost is below any distance, and computed when it is needed.
        let cost = weights.isDiverse && !taken.isEmpty ? -.infinity : distance
        heap.insert(Candidate(row: row, id: id, distance: distance, category: category, cost: cost))
    }

    /// Takes the best candidate, if it costs less than any that is not here.
    ///
    /// - Parameters:
    ///   - bound: A lower bound on the cost of whatever was not inserted; infinity when everything was.
    ///   - orEqual: Whether a cost that equals the bound is taken too.
    ///   - distance: The distance between two rows.
    /// - Returns: The row taken; nil when there is none below the bound.
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
