extension Clustering {
    /// The mean silhouette, from −1 to 1. The larger it is, the nearer points are to their own cluster than to the next
    /// one.
    ///
    /// Let a be the mean distance of a point to the other points of its cluster, and b the least mean distance to the
    /// points of any other cluster. The silhouette of the point is (b − a) ∕ max(a, b), or 0 if it is alone in its
    /// cluster. Distances are Euclidean, or cosine distances. Points count by their weights, also in the means.
    ///
    /// Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of cluster analysis", Journal of
    /// Computational and Applied Mathematics 20, 1987, doi:10.1016/0377-0427(87)90125-7.
    ///
    /// - Parameters:
    ///   - points: n × ``dimension``; each belongs to the cluster of its nearest centroid.
    ///   - weights: One weight per point, as for ``KMeans/fit(_:weights:)``. Default: nil, which weights each point by
    ///     1.
    ///   - sample: The number of points to sample, at least 2, without replacement from those of positive weight, or
    ///     all if there are no more. Default: 2,000.
    ///   - seed: The seed of the sample.
    ///   - threads: The largest number of threads; the result does not depend on it. Default: 1.
    /// - Throws: `.invalidArgument` for fewer than 2 clusters, for no points, and for a weight, a sample or a number of
    ///   threads out of range; `.dimensionMismatch`, `.notFinite` or `.zeroVector` for the points.
    /// - Complexity: O(m² dimension) for a sample of m points.
    public func silhouette(
        of points: Matrix<Float>, weights: [Double]? = nil, sample: Int = 2_000, seed: UInt64 = 0, threads: Int = 1
    ) throws(KinError) -> Double {
        guard sample >= 2 else { throw KinError(.invalidArgument, "sample must be at least 2, not \(sample)") }
        guard k >= 2 else {
            throw KinError(.invalidArgument, "a silhouette compares clusters, and there is only one")
        }
        guard points.rows > 0 else { throw KinError(.invalidArgument, "there are no points to take the mean of") }
        if let weights { try KMeans.check(weights, pointCount: points.rows) }
        var generator = SeededGenerator(seed: seed)
        let sampled = PointSample(points, weights: weights, size: sample, &generator)
        let labels = try assign(sampled.points, threads: threads).labels
        return try Silhouettes(sampled, metric: metric, threads: threads).means(of: [labels], clusters: [k])[0]
    }

    /// The mean silhouettes of several clusterings of the same points, on one sample whose distances are computed once.
    ///
    /// Each equals the ``silhouette(of:weights:sample:seed:threads:)`` of its clustering.
    ///
    /// - Parameter clusterings: Clusterings of these points, with labels and the same metric.
    /// - Complexity: O(m² (dimension + clusterings)) for a sample of m points.
    package static func silhouettes(
        of points: Matrix<Float>, _ clusterings: [Clustering], sample: Int = 2_000, seed: UInt64 = 0, threads: Int = 1
    ) throws(KinError) -> [Double] {
        guard let metric = clusterings.first?.metric else { return [] }
        var generator = SeededGenerator(seed: seed)
        let sampled = PointSample(points, weights: nil, size: sample, &generator)
        return try Silhouettes(sampled, metric: metric, threads: threads).means(
            of: clusterings.map { found in sampled.picks.map { found.labels[$0] } }, clusters: clusterings.map(\.k))
    }

    /// The silhouette (b − a) ∕ max(a, b); 0 if both are 0 or there is no other cluster.
    static func silhouette(within a: Double, between b: Double) -> Double {
        let larger = max(a, b)
        return larger > 0 && larger < .infinity ? (b - a) / larger : 0
    }
}

/// The silhouettes of a sample for several labelings, from one pass over its pairwise distances.
struct Silhouettes {
    private let points: Matrix<Float>
    private let weights: [Double]
    private let metric: Metric
    private let threads: Int

    /// The default sample size, whose pairwise distances take a few milliseconds.
    static let defaultSample = 2_000

    init(_ sample: PointSample, metric: Metric, threads: Int) {
        points = sample.points
        weights = sample.weights ?? [Double](repeating: 1, count: sample.points.rows)
        self.metric = metric
        self.threads = threads
    }

    /// The mean silhouette of each labeling.
    ///
    /// - Parameters:
    ///   - labelings: One label per point, 0 ..< k.
    ///   - clusters: The k of each labeling.
    /// - Complexity: O(n² (dimension + labelings)).
    func means(of labelings: [[Int]], clusters: [Int]) throws(KinError) -> [Double] {
        let n = points.rows
        let groups = zip(labelings, clusters).map { Groups(labels: $0, clusters: $1, weights: weights) }
        let shares = min(threads, n)
        let work = LongWork(of: n)
        // A point for about a million distances counts as done with those before it.
        let run = max(1, (1 << 20) / max(1, n))
        var values = [Double](repeating: 0, count: n * groups.count)
        unsafe values.withUnsafeMutableBufferPointer { values in
            let base = values.baseAddress!
            PointRows.withRows(of: points) { rows in
                concurrently(shares) { share in
                    var distances = [Double](repeating: 0, count: n)
                    for i in n * share / shares..<n * (share + 1) / shares {
                        measure(from: i, in: rows, &distances)
                        for (g, group) in groups.enumerated() {
                            let value = group.silhouette(of: i, distances: distances, weights: weights)
                            unsafe base[g * n + i] = weights[i] * value
                        }
                        guard (i + 1) % run != 0 || work.advance(by: run) else { return }
                    }
                }
            }
        }
        try work.check()
        let total = weights.reduce(0, +)
        return groups.indices.map { values[$0 * n..<($0 + 1) * n].reduce(0, +) / total }
    }

    /// Computes the distances from one point to all points.
    private func measure(from i: Int, in rows: PointRows, _ distances: inout [Double]) {
        unsafe distances.withUnsafeMutableBufferPointer { distances in
            unsafe Kernels.active.distances(
                metric, from: rows.row(i), to: rows.row(0), stride: rows.stride, count: rows.count,
                into: distances.baseAddress!)
            guard metric == .squaredL2 else { return }
            for j in 0..<rows.count { unsafe distances[j] = distances[j].squareRoot() }
        }
    }
}

/// The sizes and weights of the clusters of one labeling.
private struct Groups {
    let labels: [Int]
    /// The number of points in each cluster.
    private var sizes: [Int]
    /// The total weight of each cluster.
    private var totals: [Double]

    init(labels: [Int], clusters k: Int, weights: [Double]) {
        self.labels = labels
        sizes = Array(repeating: 0, count: k)
        totals = Array(repeating: 0, count: k)
        for (i, label) in labels.enumerated() {
            sizes[label] += 1
            totals[label] += weights[i]
        }
    }

    /// The silhouette of point i, from its distances to all points.
    func silhouette(of i: Int, distances: [Double], weights: [Double]) -> Double {
        let own = labels[i]
        guard sizes[own] > 1 else { return 0 }
        var sums = [Double](repeating: 0, count: sizes.count)
        for (j, label) in labels.enumerated() { sums[label] += weights[j] * distances[j] }
        let within = sums[own] / (totals[own] - weights[i])
        var between = Double.infinity
        for c in sizes.indices where c != own && sizes[c] > 0 { between = min(between, sums[c] / totals[c]) }
        return Clustering.silhouette(within: within, between: between)
    }
}
