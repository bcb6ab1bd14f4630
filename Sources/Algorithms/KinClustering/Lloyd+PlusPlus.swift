extension Lloyd {
    /// Samples points as centroids, each with a probability proportional to w δ, where δ is the distance to the nearest
    /// centroid sampled so far (k-means++).
    ///
    /// The distances are not updated after every sample. Outdated distances can only be too large, so a sample based on
    /// them is accepted with the probability that corrects for this, and otherwise repeated. The assignment is updated
    /// by the screen whenever the number of centroids has doubled. The proof that the samples follow the same
    /// distribution is next to `SampledCentroids.accepts`.
    ///
    /// If every point of positive weight coincides with a sampled point, the first sampled point is repeated.
    ///
    /// Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007; samples by rejection:
    /// Cohen-Addad, Lattanzi, Norouzi-Fard, Sohler and Svensson, "Fast and accurate k-means++ via rejection sampling",
    /// NeurIPS 2020.
    ///
    /// - Complexity: O(n k dimension) at most, on 8-bit codes for most of the centroids.
    func plusPlus(_ work: RunPoints, _ generator: inout SeededGenerator) -> InitialCentroids {
        var sampled = SampledCentroids(self, work: work)
        fill(&sampled, to: k, &generator)
        work.state = .labelled
        return InitialCentroids(centroids: sampled.centroids, isAssigned: true)
    }

    /// Whether the work was cancelled, which makes the samples invalid.
    var isCancelled: Bool { !(work?.advance(by: 0) ?? true) }

    /// Samples points until there are `count` centroids, and updates the assignment.
    func fill(_ sampled: inout SampledCentroids, to count: Int, _ generator: inout SeededGenerator) {
        // This number of rejected samples takes less time than an update.
        let rejectionLimit = max(16, points.count / 1_024)
        while sampled.picks.count < count {
            sampled.update()
            guard !isCancelled else { return }
            let batch = min(count, max(1, 2 * sampled.picks.count))
            var rejections = 0
            while sampled.picks.count < batch && rejections < rejectionLimit {
                guard let i = sampled.draw(&generator) else {
                    for _ in sampled.picks.count..<count { sampled.append(sampled.picks.first ?? 0) }
                    break
                }
                if sampled.accepts(i, &generator) { sampled.append(i) } else { rejections += 1 }
            }
        }
        sampled.update()
    }
}
