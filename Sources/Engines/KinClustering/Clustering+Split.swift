public import KinCore
public import KinLinearAlgebra

/// A cluster that would gain by being two.
public struct SplitHint: Sendable, Equatable {
    /// The cluster.
    public let cluster: Int
    /// By how much the inertia would fall, at least: two centroids that move on gain more.
    public let gain: Double
    /// The gain as a share of the cluster's inertia. One round normal cloud of d dimensions gains 2 ∕ (π d), two distant
    /// clouds nearly 1.
    public let relativeGain: Double
    /// The weights of the two halves.
    public let weights: [Double]
    /// 2 × dimension: where the centroids of the halves would be, a start for k-means.
    public let centroids: Matrix<Float>
    /// How little the points look like one normal cloud along the line between the halves: the corrected statistic of Anderson and
    /// Darling. nil for fewer than 8 points of positive weight.
    public let normalityStatistic: Double?

    /// Whether one normal cloud would look like this less than once in 10,000 times: a statistic above 1.8692, the limit
    /// of Hamerly and Elkan for G-means.
    public var isUnlikelyOneCloud: Bool { normalityStatistic.map { $0 > 1.8692 } ?? false }
}

extension Clustering {
    /// The clusters that would gain most by being cut in two, the largest gain first, ties by number.
    ///
    /// A cluster is cut across its principal axis where the inertia of the halves is least: with W the weights of the halves and c
    /// their means the gain is W₁ W₂ ∕ (W₁ + W₂) · ‖c₁ − c₂‖², for cosine R₁ + R₂ − R with R the lengths of the sums of unit
    /// vectors. Whether the gain means that there are two groups is for the test of normality to say: Hamerly and Elkan, "Learning
    /// the k in k-means", NIPS 2003. It takes every point of positive weight once.
    ///
    /// - Parameters:
    ///   - points: The points that were clustered.
    ///   - weights: Their weights; 1 each when left out.
    ///   - count: How many hints at most; clusters without two different points give none.
    ///   - threads: The most threads to use; the result does not depend on it.
    /// - Throws: `.dimensionMismatch` when the points are not as many as were clustered, or of another dimension;
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
        guard count >= 0 else { throw KinError(.invalidArgument, "count is \(count); it must not be negative") }
        guard threads >= 1 else { throw KinError(.invalidArgument, "threads is \(threads); it must be at least 1") }
        try points.checkVectors(for: metric)
        if let weights { try KMeans.check(weights, pointCount: points.rows) }
        var members = [[Int]](repeating: [], count: k)
        for (i, label) in labels.enumerated() where (weights?[i] ?? 1) > 0 { members[label].append(i) }
        let hints = unsafe [SplitHint?](unsafeUninitializedCapacity: k) { hints, initialized in
            let base = hints.baseAddress!
            let shares = min(threads, k)
            concurrently(shares) { share in
                for c in stride(from: share, to: k, by: shares) {
                    let cut = ClusterCut(members[c], of: points, weights: weights, metric: metric)
                    unsafe (base + c).initialize(to: cut?.hint(cluster: c))
                }
            }
            initialized = k
        }
        let found = hints.compactMap { $0 }.sorted { ($0.gain, $1.cluster) > ($1.gain, $0.cluster) }
        return Array(found.prefix(count))
    }
}
