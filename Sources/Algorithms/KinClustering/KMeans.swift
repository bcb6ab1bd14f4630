/// k-means clustering by Lloyd's iteration, exact and reproducible.
///
/// It searches for k centroids c that make the inertia
///
///     Σᵢ wᵢ minⱼ δ(xᵢ, cⱼ)
///
/// small, where δ is the squared Euclidean distance or, for spherical k-means, the cosine distance to centroids of
/// length 1. An iteration moves every centroid to the (normalised) weighted mean of its points, and assigns every point
/// to its nearest centroid, ties to the lowest number. The inertia never grows, but its final value depends on the
/// start. So swaps follow: a centroid moves to a cluster that gains more by a division than its own cluster loses, as
/// long as this lowers the inertia.
///
/// The nearest centroid is the one that a scan in double precision finds. With 24 or more centroids, their 8-bit codes
/// first exclude most of them, by a proven bound. The result depends neither on the number of threads nor on the
/// instruction set: points are summed in fixed blocks, and blocks are added in order.
///
///     let clustering = try KMeans(k: 256, restarts: 3, seed: 7, threads: 2).fit(points)
///     clustering.labels[0]        // the cluster of the first point
///     clustering.centroids.row(3) // where cluster 3 is
///
///     let chosen = try KMeans(k: .chosen(2...40), seed: 7).fit(points)
///     chosen.k                    // the number with the best silhouette
///     chosen.choice?.candidates   // inertia and silhouette of every number from 2 to 40
///
/// Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28(2), 1982,
/// doi:10.1109/TIT.1982.1056489; Dhillon and Modha, "Concept decompositions for large sparse text data using
/// clustering", Machine Learning 42, 2001, doi:10.1023/A:1007612920971 (spherical).
public struct KMeans: Sendable {
    /// The method for the initial centroids.
    public enum Start: Sendable, Equatable {
        /// The k-means++ method: points are sampled one after another, each with a probability proportional to its
        /// weight and its distance δ from the points sampled before (Arthur and Vassilvitskii, SODA 2007). The expected
        /// inertia is within a factor of 8 (ln k + 2) of the optimum.
        case plusPlus

        /// The k-means|| method: each of several rounds samples about `oversampling` · k points at once, with
        /// probabilities proportional to their weights and distances. The sampled points are then clustered, weighted
        /// by the points nearest to them (Bahmani et al., PVLDB 5(7), 2012). It makes fewer passes over the points than
        /// k-means++ and often finds a better start, but computes more distances.
        case kMeansParallel(rounds: Int = 5, oversampling: Double = 0.5)

        /// The rows of a given matrix, k × dimension. For cosine their lengths do not matter.
        case centroids(Matrix<Float>)
    }

    /// The number of clusters, given or chosen by a criterion.
    public var k: ClusterCount

    /// The metric of the distances: `Metric.squaredL2` or `Metric.cosine`.
    public var metric: Metric

    /// The method for the initial centroids. Default: k-means++.
    public var start: Start

    /// Whether swaps follow the iteration. Default: true. Runs from given centroids have no swaps. Without swaps, the
    /// result depends on the samples of k-means++, above all if k is near the number of points.
    public var swaps: Bool

    /// The number of runs, at least 1, each from a start to the end of the swaps. The run with the lowest inertia is
    /// returned; of equal ones, the first. On 18 tables of heavy-tailed, one-hot, uniform and clustered points, the mean
    /// excess over the lowest known inertia was 2.1 % with one run, 1.1 % with two and 0.9 % with three.
    public var restarts: Int

    /// The largest number of iterations of one run. Default: 100.
    public var maximumIterations: Int

    /// The relative decrease of the inertia at or below which a run ends. Default: 1e-4. With 0, a run ends when the
    /// inertia no longer falls.
    public var tolerance: Double

    /// The seed of the random numbers: the same seed gives the same clustering, bit for bit.
    public var seed: UInt64

    /// The largest number of threads; the result does not depend on it. Default: 1.
    public var threads: Int

    /// Creates the parameters of a clustering; ``fit(_:weights:)`` validates them.
    public init(
        k: ClusterCount, metric: Metric = .squaredL2, start: Start = .plusPlus, swaps: Bool = true, restarts: Int = 1,
        maximumIterations: Int = 100, tolerance: Double = 1e-4, seed: UInt64 = 0, threads: Int = 1
    ) {
        self.k = k
        self.metric = metric
        self.start = start
        self.swaps = swaps
        self.restarts = restarts
        self.maximumIterations = maximumIterations
        self.tolerance = tolerance
        self.seed = seed
        self.threads = threads
    }

    /// Creates the parameters of a clustering into exactly k clusters; ``fit(_:weights:)`` validates them.
    public init(
        k: Int, metric: Metric = .squaredL2, start: Start = .plusPlus, swaps: Bool = true, restarts: Int = 1,
        maximumIterations: Int = 100, tolerance: Double = 1e-4, seed: UInt64 = 0, threads: Int = 1
    ) {
        self.init(
            k: .exactly(k), metric: metric, start: start, swaps: swaps, restarts: restarts,
            maximumIterations: maximumIterations,
            tolerance: tolerance, seed: seed, threads: threads)
    }
}

extension KMeans {
    /// Clusters the rows of a matrix.
    ///
    /// A cluster that loses all its points receives the point with the largest weighted distance wᵢ δ(xᵢ, c) to its own
    /// centroid (the first of equal ones), from a cluster that still has a different point. If fewer than k different
    /// points have a positive weight, the remaining clusters stay empty.
    ///
    /// - Parameters:
    ///   - points: n × dimension.
    ///   - weights: One weight per point: 0, or between 1e-100 and 1e100. A point of weight 2 counts as two points; a
    ///     point of weight 0 is assigned but moves no centroid. Default: nil, which weights each point by 1.
    /// - Throws: `.invalidArgument` for a parameter or a weight out of range, `.notFinite` for a NaN or infinity,
    ///   `.zeroVector` for a row without direction (cosine), `.dimensionMismatch` if given centroids are not k ×
    ///   dimension; each with the parameter or the row. `.cancelled` as described in `withProgressHandler`, with points
    ///   assigned as units.
    /// - Complexity: k-means++ takes O(n k dimension), and swaps take about as long as the iterations. An iteration
    ///   takes O(n k dimension) steps on 8-bit codes, plus O(n dimension) for sums.
    public func fit(_ points: Matrix<Float>, weights: [Double]? = nil) throws(KinError) -> Clustering {
        try check(points, weights: weights)
        switch k {
        case .exactly(let k):
            return try cluster(points, weights: weights, k: k)
        case .chosen(let range, let criterion, let sample):
            let choice = try choose(range, by: criterion, sample: sample, from: points, weights: weights)
            var found = try cluster(points, weights: weights, k: choice.k)
            found.choice = choice
            return found
        }
    }

    /// Clusters points into k clusters; all arguments are already validated.
    func cluster(_ points: Matrix<Float>, weights: [Double]?, k: Int) throws(KinError) -> Clustering {
        try PointRows.withRows(of: points) { rows throws(KinError) in
            var lloyd = Lloyd(
                points: rows, weights: weights, metric: metric, k: k,
                limit: Lloyd.Limit(maximumIterations: maximumIterations, tolerance: tolerance), threads: threads)
            // The largest number of assignments in a run, including one after swaps, and in all runs.
            let (assignments, isVast) = rows.count.multipliedReportingOverflow(by: min(maximumIterations, .max - 2) + 2)
            let (all, isVaster) = assignments.multipliedReportingOverflow(by: restarts)
            let work = LongWork(of: isVast || isVaster ? nil : all)
            lloyd.work = work
            var best: Clustering?
            for restart in 0..<restarts {
                let found = try lloyd.run(swapping: swapSeed(restart)) {
                    initialCentroids(restart, lloyd: lloyd, work: $0)
                }
                if best.map({ found.inertia < $0.inertia }) ?? true { best = found }
                if !isVast, !isVaster { try work.step(to: (restart + 1) * assignments) }
            }
            return best!
        }
    }

    /// The seed of a run's swaps; nil if it has none.
    private func swapSeed(_ restart: Int) -> UInt64? {
        if case .centroids = start { return nil }
        var generator = SeededGenerator.stream(UInt64(restart), of: ~seed)
        return swaps ? generator.next() : nil
    }

    private func initialCentroids(_ restart: Int, lloyd: Lloyd, work: RunPoints) -> Lloyd.InitialCentroids {
        switch start {
        case .plusPlus:
            var generator = SeededGenerator.stream(UInt64(restart), of: seed)
            return lloyd.plusPlus(work, &generator)
        case .kMeansParallel(let rounds, let oversampling):
            var generator = SeededGenerator.stream(UInt64(restart), of: seed)
            return lloyd.kMeansParallel(work, rounds: rounds, oversampling: oversampling, &generator)
        case .centroids(let centroids):
            return Lloyd.InitialCentroids(centroids: metric.comparesDirections ? centroids.normalizedRows() : centroids)
        }
    }
}
