import KinCore
import KinLinearAlgebra

extension Lloyd {
    /// Draws points as centroids, the next one each time with a probability proportional to w δ, where δ is the distance to the
    /// nearest one drawn (k-means++).
    ///
    /// The distances are not brought up to date after every draw. A draw by outdated ones, which can only be too large,
    /// is taken with the probability that makes up for it and else repeated; the assignment is updated whenever the
    /// number of centroids has doubled, by the screen. That the draws follow the same law is proved beside
    /// `DrawnCentroids.accepts`.
    ///
    /// When every point of positive weight coincides with one drawn, the first drawn is repeated.
    ///
    /// Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007; draws by rejection: Cohen-Addad,
    /// Lattanzi, Norouzi-Fard, Sohler and Svensson, "Fast and accurate k-means++ via rejection sampling", NeurIPS 2020.
    ///
    /// - Complexity: O(n k dimension) at most, on 8-bit codes for most of the centroids.
    func plusPlus(_ work: RunPoints, _ generator: inout SeededGenerator) -> InitialCentroids {
        var drawn = DrawnCentroids(self, work: work)
        fill(&drawn, to: k, &generator)
        work.state = .labelled
        return InitialCentroids(centroids: drawn.centroids, isAssigned: true)
    }

    /// Draws until there are `count` centroids, and updates the assignment.
    func fill(_ drawn: inout DrawnCentroids, to count: Int, _ generator: inout SeededGenerator) {
        // So many draws in vain take less time than an update.
        let rejectionLimit = max(16, points.count / 1_024)
        while drawn.picks.count < count {
            drawn.update()
            let batch = min(count, max(1, 2 * drawn.picks.count))
            var inVain = 0
            while drawn.picks.count < batch && inVain < rejectionLimit {
                guard let i = drawn.draw(&generator) else {
                    for _ in drawn.picks.count..<count { drawn.append(drawn.picks.first ?? 0) }
                    break
                }
                if drawn.accepts(i, &generator) { drawn.append(i) } else { inVain += 1 }
            }
        }
        drawn.update()
    }
}
