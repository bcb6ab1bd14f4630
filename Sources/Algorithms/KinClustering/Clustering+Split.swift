public import KinCore
public import KinLinearAlgebra

/// A cluster whose division into two lowers the inertia.
public struct SplitHint: Sendable, Equatable {
    /// The number of the cluster.
    public let cluster: Int
    /// The decrease of the inertia by the cut; further iterations lower the inertia more.
    public let gain: Double
    /// The gain as a share of the cluster's inertia, 0 to 1. A single round normal cloud of d dimensions gains 2 ∕ (π
    /// d), two distant clouds nearly 1.
    public let relativeGain: Double
    /// The total weights of the two halves.
    public let weights: [Double]
    /// The centroids of the two halves, 2 × dimension; a possible start for k-means.
    public let centroids: Matrix<Float>
    /// The corrected Anderson–Darling statistic of the points along the line between the halves. It is larger the less
    /// the points resemble one normal cloud. Nil for fewer than 8 points of positive weight.
    public let normalityStatistic: Double?

    /// Whether the statistic exceeds 1.8692, the limit of Hamerly and Elkan for G-means. A single normal cloud exceeds
    /// it less than once in 10,000 times.
    public var isUnlikelyOneCloud: Bool { normalityStatistic.map { $0 > 1.8692 } ?? false }
}

extension Clustering {
    /// The clusters whose division in two lowers the inertia most, largest gain first; ties are ordered by number.
    ///
    /// A cluster is cut across its principal axis at the position with the least inertia of the halves. Let W be the
    /// weights of the halves and c their means. The gain is W₁ W₂ ∕ (W₁ + W₂) · ‖c₁ − c₂‖²; for cosine it is R₁ + R₂ −
    /// R, with R the lengths of the sums of unit vectors. A gain alone is no evidence of two groups, but the normality
    /// test is (``SplitHint/isUnlikelyOneCloud``): Hamerly and Elkan, "Learning the k in k-means", NIPS 2003.
    ///
    /// - Parameters:
    ///   - points: The points that were clustered.
    ///   - weights: One weight per point. Default: nil, which weights each point by 1.
    ///   - count: The largest number of hints; clusters without two different points give none. Default: 10.
    ///   - threads: The largest number of threads; the result does not depend on it. Default: 1.
    /// - Throws: `.dimensionMismatch` if the number of points or their dimension differs from the clustered points;
    ///   `.invalidArgument`, `.notFinite`, `.zeroVector` for the points, weights and numbers.
    /// - Complexity: O(n (dimension + log n)).
    public func splitHints(
        of points: Matrix<Float>, weights: [Double]? = nil, count: Int = 10, threads: Int = 1
    ) throws(KinError) -> [SplitHint] {
        guard points.rows == labels.count, points.columns == dimension else {
            throw KinError(
                .dimensionMismatch,
                "there are \(points.rows) points of \(points.columns) dimensions, but \(labels.count) of \(dimension) "
                    + "were clustered; give the same points")
        }
        guard count >= 0 else { throw KinError(.invalidArgument, "count must be 0 or more, not \(count)") }
        try checkPositive(threads, "threads")
        try points.checkVectors(for: metric)
        if let weights { try KMeans.check(weights, pointCount: points.rows) }
        var members = [[Int]](repeating: [], count: k)
        for (i, label) in labels.enumerated() where (weights?[i] ?? 1) > 0 { members[label].append(i) }
        let hints = concurrentMap(threads, k, memory: {}) { c, _ in
            ClusterCut(members[c], of: points, weights: weights, metric: metric)?.hint(cluster: c)
        }
        let found = hints.compactMap { $0 }.sorted { ($0.gain, $1.cluster) > ($1.gain, $0.cluster) }
        return Array(found.prefix(count))
    }
}
