/// The result of ``KMeans``: centroids, and the cluster of every point.
///
/// Every label is the nearest of these final centroids, so ``assign(_:threads:)`` gives the points the same labels
/// again.
public struct Clustering: Sendable, Equatable {
    /// The metric of the distances.
    public let metric: Metric

    /// The centroids, k × dimension; of length 1 for cosine.
    public let centroids: Matrix<Float>

    /// The cluster of each point, 0 ..< k.
    public let labels: [Int]

    /// The inertia Σᵢ wᵢ δ(xᵢ, c), with c the centroid of each point's cluster.
    public let inertia: Double

    /// The number of times the centroids were moved.
    public let iterations: Int

    /// Whether the inertia converged; false if the limit of iterations ended the run.
    public let isConverged: Bool

    /// The number of points in each cluster.
    public let sizes: [Int]

    /// The number of clusters with points of positive weight: below ``k`` if there are fewer different points than k.
    public var distinctCount: Int { weights.count { $0 > 0 } }

    /// The total weight of the points in each cluster.
    public let weights: [Double]

    /// The inertia Σᵢ wᵢ δ(xᵢ, c) of each cluster.
    public let inertias: [Double]

    /// The criterion's scores for each number of clusters tried; nil if the number was given.
    public internal(set) var choice: Choice?

    /// The number of clusters.
    public var k: Int { centroids.rows }

    /// The number of dimensions.
    public var dimension: Int { centroids.columns }
}

extension Clustering {
    /// Assigns each point to its nearest centroid, exactly; of equally near centroids, to the lowest number.
    ///
    /// - Parameters:
    ///   - points: n × ``dimension``.
    ///   - threads: The largest number of threads; the result does not depend on it. Default: 1.
    /// - Returns: n clusters, and the distances to their centroids in the metric's units.
    /// - Throws: `.dimensionMismatch`, `.notFinite` or `.zeroVector` (cosine), with the row, and `.invalidArgument` if
    ///   `threads` is below 1; `.cancelled` as described in `withProgressHandler`, with points as units.
    /// - Complexity: O(n k dimension), on 8-bit codes for many points with 24 or more centroids.
    public func assign(
        _ points: Matrix<Float>, threads: Int = 1
    ) throws(KinError) -> (labels: [Int], distances: [Double]) {
        guard points.columns == dimension else {
            throw KinError(
                .dimensionMismatch, "the points have \(points.columns) dimensions, but the centroids have \(dimension)")
        }
        try requireThreads(threads)
        try points.checkVectors(for: metric)
        let found = Assignment(count: points.rows)
        let work = LongWork(of: points.rows)
        PointRows.withRows(of: points) { rows in
            let search = CentroidSearch(
                centroids, metric: metric, points: rows.count, grid: rows.commonGrid(metric: metric))
            let blocks = PointBlocks(count: rows.count, clusters: k)
            let threads = rows.threads(threads, work: rows.count * k * rows.dimension)
            blocks.forEach(threads: threads, memory: { CentroidSearch.Scratch(for: search) }) { block, scratch in
                let whole = blocks.range(block)
                for first in stride(from: whole.lowerBound, to: whole.upperBound, by: 4_096) {
                    let range = first..<min(first + 4_096, whole.upperBound)
                    search.assign(rows, range, to: found, from: .unassigned, scratch: scratch)
                    guard work.advance(by: range.count) else { return }
                }
            }
        }
        try work.check()
        return (found.labelArray, found.distanceArray)
    }
}

extension Clustering {
    /// Creates a clustering without points from stored centroids, for ``assign(_:threads:)``.
    ///
    /// - Parameters:
    ///   - centroids: k × dimension, both at least 1; for cosine the rows are normalised to length 1.
    ///   - metric: `Metric.squaredL2` or `Metric.cosine`.
    /// - Throws: `.invalidArgument` for an empty matrix or a different metric, `.notFinite` or `.zeroVector` (cosine),
    ///   with the row.
    public init(centroids: Matrix<Float>, metric: Metric = .squaredL2) throws(KinError) {
        guard centroids.rows >= 1, centroids.columns >= 1 else {
            throw KinError(
                .invalidArgument, "\(centroids.rows) centroids of \(centroids.columns) dimensions assign nothing")
        }
        try metric.checkCentroids()
        try centroids.checkVectors(for: metric)
        let zeros = [Double](repeating: 0, count: centroids.rows)
        self.init(
            metric: metric, centroids: metric.comparesDirections ? centroids.normalizedRows() : centroids, labels: [],
            inertia: 0, iterations: 0, isConverged: true, sizes: Array(repeating: 0, count: centroids.rows),
            weights: zeros, inertias: zeros)
    }
}
