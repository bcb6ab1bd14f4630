/// Mini-batch k-means for a stream of points that is not stored.
///
/// Each point of a batch is assigned to its nearest centroid. A centroid is the (normalised) weighted mean of all
/// points ever assigned to it, so its steps become smaller. A centroid with hardly any weight is reassigned to a point
/// of the latest batch, sampled with a probability proportional to weight and distance. The inertia is slightly higher
/// than with ``KMeans``, but the stream needs only one pass and the memory of one batch.
///
///     var stream = MiniBatchKMeans(k: 64, seed: 7)
///     for batch in batches { try stream.partialFit(batch) }
///     let clustering = try stream.clustering(of: points)
///
/// It is a value type: a copy is independent, and ``encoded()`` returns its state for later use. The same batches in
/// the same order give the same centroids, bit for bit, with any number of threads.
///
/// Sculley, "Web-scale k-means clustering", WWW 2010, doi:10.1145/1772690.1772862.
public struct MiniBatchKMeans: Sendable {
    /// The number of clusters.
    public let k: Int

    /// The metric of the distances: `Metric.squaredL2` or `Metric.cosine`.
    public let metric: Metric

    /// The seed of the random numbers.
    public let seed: UInt64

    /// The share of the largest centroid's weight below which a centroid is reassigned; 0 for never. Default: 0.01.
    public var reassignmentRatio: Double

    /// The largest number of threads; the result does not depend on it. Default: 1.
    public var threads: Int

    /// The number of points received, including those held back.
    public internal(set) var pointCount = 0

    /// The number of dimensions; nil before the first batch.
    public internal(set) var dimension: Int?

    /// The mean distance of the latest batch's points from the centroids before its update; nil before the first
    /// update. It stops falling once the stream has converged.
    public internal(set) var latestInertia: Double?

    /// The accumulated weight of each centroid; empty before the initialisation.
    public internal(set) var weights: [Double] = []

    /// The means, k × dimension; for cosine, means of unit vectors.
    var means: [Double] = []
    var centroidRows = Matrix<Float>(rows: 0, columns: 0)
    /// The points held back until there are enough for the initialisation.
    var heldRows: [Float] = []
    var heldWeights: [Double] = []
    var generator: SeededGenerator
    var pointsSinceReassignment = 0

    /// Creates the parameters of a stream without points.
    ///
    /// - Parameters:
    ///   - k: The number of clusters, at least 1.
    ///   - metric: `Metric.squaredL2` or `Metric.cosine`.
    ///   - reassignmentRatio: The share of the largest centroid's weight below which a centroid is reassigned; 0 for
    ///     never.
    ///   - seed: The seed of the random numbers.
    ///   - threads: The largest number of threads.
    public init(
        k: Int, metric: Metric = .squaredL2, reassignmentRatio: Double = 0.01, seed: UInt64 = 0, threads: Int = 1
    ) {
        self.k = k
        self.metric = metric
        self.reassignmentRatio = reassignmentRatio
        self.seed = seed
        self.threads = threads
        generator = SeededGenerator(seed: seed)
    }

    /// The present centroids, k × dimension and of length 1 for cosine; nil before the initialisation.
    ///
    /// The first 3 k points are held back; ``KMeans`` finds the initial centroids among them.
    public var centroids: Matrix<Float>? { means.isEmpty ? nil : centroidRows }
}

extension MiniBatchKMeans {
    /// Updates the centroids by a batch. A failed call changes nothing.
    ///
    /// - Parameters:
    ///   - batch: n × dimension, with the same dimension each time; a few thousand points are a good size. An empty
    ///     batch only sets the dimension.
    ///   - list: One weight per point, as for ``KMeans/fit(_:weights:)``. Default: nil, which weights each point by 1.
    /// - Throws: `.invalidArgument` for a parameter or a weight out of range, `.dimensionMismatch`, `.notFinite` or
    ///   `.zeroVector` for the points, with the row; `.cancelled` from the batch that completes the points held back.
    /// - Complexity: O(n k dimension), on 8-bit codes with 24 or more clusters.
    public mutating func partialFit(_ batch: Matrix<Float>, weights list: [Double]? = nil) throws(KinError) {
        try check(batch, weights: list)
        let knownDimension = dimension
        dimension = batch.columns
        guard batch.rows > 0 else { return }
        guard means.isEmpty else {
            pointCount += batch.rows
            return move(by: batch, weights: list)
        }
        heldRows += batch.elements
        heldWeights += list ?? [Double](repeating: 1, count: batch.rows)
        pointCount += batch.rows
        guard heldWeights.count / 3 >= k else { return }
        do throws(KinError) { try start() } catch {
            heldRows.removeLast(batch.elements.count)
            heldWeights.removeLast(batch.rows)
            pointCount -= batch.rows
            dimension = knownDimension
            throw error
        }
    }

    /// Assigns any points to the present centroids.
    ///
    /// - Parameters:
    ///   - points: n × dimension.
    ///   - list: One weight per point, as for ``KMeans/fit(_:weights:)``. Default: nil, which weights each point by 1.
    /// - Throws: `.invalidArgument` if fewer than k points were learned or no points are passed, and for a parameter or
    ///   a weight out of range; `.dimensionMismatch`, `.notFinite` or `.zeroVector` for the points.
    /// - Complexity: O(n k dimension), on 8-bit codes with 24 or more clusters.
    public func clustering(of points: Matrix<Float>, weights list: [Double]? = nil) throws(KinError) -> Clustering {
        try check(points, weights: list)
        guard points.rows > 0 else { throw KinError(.invalidArgument, "there are no points to cluster") }
        guard !means.isEmpty else {
            var started = self
            try started.start()
            return try started.clustering(of: points, weights: list)
        }
        let (centroids, metric, k, threads) = (centroidRows, metric, k, threads)
        return try PointRows.withRows(of: points) { rows throws(KinError) in
            var lloyd = Lloyd(points: rows, weights: list, metric: metric, k: k, threads: threads)
            lloyd.work = LongWork(of: rows.count)
            return try lloyd.run { _ in Lloyd.InitialCentroids(centroids: centroids) }
        }
    }

    func check(_ batch: Matrix<Float>, weights list: [Double]?) throws(KinError) {
        try metric.checkCentroids()
        try KinError.requireCount(k, "k", from: 1)
        try requireThreads(threads)
        guard reassignmentRatio >= 0, reassignmentRatio < 1 else {
            throw KinError(
                .invalidArgument, "the reassignment ratio must be at least 0 and below 1, not \(reassignmentRatio)")
        }
        guard batch.columns == dimension ?? batch.columns, batch.columns > 0 else {
            throw KinError(
                .dimensionMismatch,
                "the points have \(batch.columns) dimensions; they need \(dimension.map(String.init) ?? "at least one")"
            )
        }
        try batch.checkVectors(for: metric)
        if let list { try KMeans.check(list, pointCount: batch.rows) }
    }
}
