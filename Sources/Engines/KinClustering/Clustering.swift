public import KinCore
public import KinLinearAlgebra

/// What ``KMeans`` found: centroids, and the cluster of every point.
///
/// Every label is the nearest of these very centroids, so ``assign(_:threads:)`` gives the points the same labels again.
public struct Clustering: Sendable, Equatable {
    /// The metric of the distances.
    public let metric: Metric

    /// k × dimension; of length 1 for cosine.
    public let centroids: Matrix<Float>

    /// The cluster of each point, 0 ..< k.
    public let labels: [Int]

    /// Σᵢ wᵢ δ(xᵢ, c of its cluster).
    public let inertia: Double

    /// How many times the centroids were moved.
    public let iterations: Int

    /// Whether the inertia had settled; false when the run was ended by the limit of iterations.
    public let isConverged: Bool

    /// The number of points in each cluster.
    public let sizes: [Int]

    /// The total weight of the points in each cluster.
    public let weights: [Double]

    /// Σᵢ wᵢ δ(xᵢ, c) over the points of each cluster.
    public let inertias: [Double]

    /// How the number of clusters was chosen; nil when it was given.
    public internal(set) var choice: Choice?

    /// - Parameter inertias: Zeros when left out.
    init(
        metric: Metric, centroids: Matrix<Float>, labels: [Int], inertia: Double, iterations: Int, isConverged: Bool,
        sizes: [Int], weights: [Double], inertias: [Double]? = nil
    ) {
        self.metric = metric
        self.centroids = centroids
        self.labels = labels
        self.inertia = inertia
        self.iterations = iterations
        self.isConverged = isConverged
        self.sizes = sizes
        self.weights = weights
        self.inertias = inertias ?? Array(repeating: 0, count: centroids.rows)
    }

    /// The number of clusters.
    public var k: Int { centroids.rows }

    /// The number of dimensions.
    public var dimension: Int { centroids.columns }
}

extension Clustering {
    /// Finds the nearest centroid of each point, exactly; of equally near ones the lowest number.
    ///
    /// - Parameters:
    ///   - points: n × ``dimension``.
    ///   - threads: The most threads to use; the result does not depend on it.
    /// - Returns: n clusters, and the distances to their centroids in the metric's units.
    /// - Throws: `.dimensionMismatch`, `.notFinite` or `.zeroVector` (cosine), naming the row, and `.invalidArgument` when
    ///   `threads` is below 1.
    /// - Complexity: O(n k dimension), on 8-bit codes from 24 centroids on.
    public func assign(
        _ points: Matrix<Float>, threads: Int = 1
    ) throws(KinError) -> (labels: [Int], distances: [Double]) {
        guard points.columns == dimension else {
            throw KinError(
                .dimensionMismatch, "the points have \(points.columns) dimensions, but the centroids have \(dimension)")
        }
        guard threads >= 1 else {
            throw KinError(.invalidArgument, "threads is \(threads); it must be at least 1")
        }
        try points.checkVectors(for: metric)
        let search = CentroidSearch(centroids, metric: metric)
        let found = Assignment(count: points.rows)
        PointRows.withRows(of: points) { rows in
            let blocks = PointBlocks(count: rows.count, clusters: k)
            let threads = rows.threads(threads, work: rows.count * k * rows.dimension)
            blocks.forEach(threads: threads, memory: { CentroidSearch.Scratch(for: search) }) { block, scratch in
                let range = blocks.range(block)
                unsafe search.assign(
                    rows.row(range.lowerBound), count: range.count, labels: found.labels + range.lowerBound,
                    distances: found.distances + range.lowerBound, from: .unassigned, scratch: scratch)
            }
        }
        return (found.labelArray, found.distanceArray)
    }
}
