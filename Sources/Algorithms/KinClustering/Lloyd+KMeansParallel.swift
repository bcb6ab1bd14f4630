extension Lloyd {
    /// Samples many points as candidates in a few rounds, and clusters the candidates by their weights (k-means||).
    ///
    /// In each round, every point independently becomes a candidate with probability min(1, ℓ w δ ∕ Σ w δ), where δ is
    /// the distance to the nearest candidate of the previous rounds and ℓ the expected number. The weight of a
    /// candidate is the total weight of the points nearest to it. k-means++ and at most ten of Lloyd's iterations then
    /// find k centroids of the candidates. If there are too few candidates, k-means++ adds more.
    ///
    /// Bahmani, Moseley, Vattani, Kumar and Vassilvitskii, "Scalable k-means++", PVLDB 5(7), 2012,
    /// doi:10.14778/2180912.2180915.
    ///
    /// - Complexity: O(n ℓ rounds dimension), on 8-bit codes for most of the candidates.
    func kMeansParallel(
        _ work: RunPoints, rounds: Int, oversampling: Double, _ generator: inout SeededGenerator
    ) -> InitialCentroids {
        var sampled = SampledCentroids(self, work: work)
        if let first = sampled.draw(&generator) { sampled.append(first) }
        for _ in 0..<rounds {
            sampled.update()
            guard !isCancelled else { break }
            sampled.appendSample(expecting: oversampling * Double(k), seed: generator.next())
        }
        fill(&sampled, to: max(k, sampled.picks.count), &generator)
        work.state = .labelled
        let candidates = sampled.centroids
        guard candidates.rows > k, !isCancelled else {
            return InitialCentroids(centroids: candidates, isAssigned: true)
        }
        let labels = unsafe work.assignment.labels
        var weights = [Double](repeating: 0, count: candidates.rows)
        for i in 0..<points.count { weights[unsafe Int(labels[i])] += pointWeights.weight(i) }
        let found = PointRows.withRows(of: candidates) { rows in
            let lloyd = Lloyd(
                points: rows, weights: weights, metric: metric, k: k,
                limit: Limit(maximumIterations: 10, tolerance: 1e-4), threads: threads)
            return infallible("what is not cancelled ends") { () throws(KinError) in
                try lloyd.run { lloyd.plusPlus($0, &generator) }
            }
        }
        for i in 0..<points.count { unsafe labels[i] = UInt32(found.labels[Int(labels[i])]) }
        return InitialCentroids(centroids: found.centroids)
    }
}
