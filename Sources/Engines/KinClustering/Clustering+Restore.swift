public import KinCore
public import KinLinearAlgebra

extension Clustering {
    /// Creates a clustering without points from stored centroids, for ``assign(_:threads:)``.
    ///
    /// - Parameters:
    ///   - centroids: k × dimension, at least one of either; for cosine they are normalised to length 1.
    ///   - metric: `Metric.squaredL2` or `Metric.cosine`.
    /// - Throws: `.invalidArgument` for an empty matrix or another metric, `.notFinite` or `.zeroVector` (cosine),
    ///   naming the row.
    public init(centroids: Matrix<Float>, metric: Metric = .squaredL2) throws(KinError) {
        guard centroids.rows >= 1, centroids.columns >= 1 else {
            throw KinError(
                .invalidArgument, "\(centroids.rows) centroids of \(centroids.columns) dimensions assign nothing")
        }
        guard metric != .innerProduct else {
            throw KinError(
                .invalidArgument, "inner products have no nearest centroid to speak of; use squaredL2 or cosine")
        }
        try centroids.checkVectors(for: metric)
        self.init(
            metric: metric, centroids: metric == .cosine ? centroids.normalizedRows() : centroids, labels: [],
            inertia: 0, iterations: 0, isConverged: true, sizes: Array(repeating: 0, count: centroids.rows),
            weights: Array(repeating: 0, count: centroids.rows))
    }
}
