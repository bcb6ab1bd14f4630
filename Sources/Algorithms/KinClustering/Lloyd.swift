import KinCore
import KinLinearAlgebra

/// Lloyd's iteration over one set of weighted points.
struct Lloyd {
    let points: PointRows
    let pointWeights: PointWeights
    let metric: Metric
    let k: Int
    let limit: Limit
    let threads: Int
    let blocks: PointBlocks
    /// The work that a run is a part of, in units of points assigned; nil for a run that is not cancelled.
    var work: LongWork?

    /// The rule that ends a run; by default there is no iteration, only an assignment.
    struct Limit {
        var maximumIterations = 0
        /// The relative decrease of the inertia at or below which a run ends.
        var tolerance = 0.0
    }

    /// Prepares the points of a run; `weights` has one weight per point, or is nil for 1 each.
    init(
        points: PointRows, weights: [Double]?, metric: Metric, k: Int, limit: Limit = Limit(), threads: Int
    ) {
        self.points = points
        pointWeights = PointWeights(points, weights: weights, metric: metric)
        self.metric = metric
        self.k = k
        self.limit = limit
        self.threads = threads
        blocks = PointBlocks(count: points.count, clusters: k)
    }
}

extension Lloyd {
    /// The centroids with which a run begins.
    struct InitialCentroids {
        var centroids: Matrix<Float>
        /// True when every point is already assigned to its nearest centroid.
        var isAssigned = false
    }

    /// Alternates assignments and updates of the centroids until the inertia converges.
    ///
    /// The inertia cannot grow: the rounded mean is, of all floats, the nearest to the mean in each dimension, and
    /// Σ w ‖x − c‖² = Σ w ‖x − mean‖² + W ‖c − mean‖². (For cosine this holds up to the rounding of a unit vector to floats,
    /// some 10⁻⁷ of a cluster's weight.)
    ///
    /// - Throws: `.cancelled`.
    func run(from start: (RunPoints) -> InitialCentroids) throws(KinError) -> Clustering {
        let work = RunPoints(points, pointWeights: pointWeights, metric: metric)
        let initial = start(work)
        try self.work?.check()
        var centroids = initial.centroids
        let parts = BlockTotals(blocks: blocks.count, clusters: k, points: points)
        var totals = initial.isAssigned ? self.totals(of: work, parts) : try assign(work, to: centroids, parts)
        var iterations = 0
        var isConverged = false
        var changesSinceSort = points.count
        while iterations < limit.maximumIterations && !isConverged {
            let emptyBefore = totals.emptyClusters
            let inertiaBefore = totals.inertia
            if !emptyBefore.isEmpty, repair(work, empty: emptyBefore) > 0 { totals = self.totals(of: work, parts) }
            centroids = totals.centroids(metric: metric, keeping: centroids)
            if changesSinceSort > points.count / 4, sortingPays(iterationsLeft: limit.maximumIterations - iterations) {
                work.sort(clusters: k, threads: threads)
                changesSinceSort = 0
            }
            totals = try assign(work, to: centroids, parts)
            iterations += 1
            changesSinceSort += totals.changes
            let hasSettled = inertiaBefore - totals.inertia <= limit.tolerance * inertiaBefore
            // Clusters that have just run empty may be repaired; those that stay empty cannot.
            let empty = totals.emptyClusters.count
            let isRepaired = empty == 0 || (!emptyBefore.isEmpty && empty >= emptyBefore.count)
            isConverged = totals.changes == 0 || (hasSettled && isRepaired)
        }
        return Clustering(
            metric: metric, centroids: centroids, labels: work.labels, inertia: totals.inertia,
            iterations: iterations, isConverged: isConverged, sizes: totals.sizes, weights: totals.weights,
            inertias: work.inertias(clusters: k))
    }

    /// True when sorting, which costs about as much as it saves in two iterations, is worth its time; where nothing is
    /// screened it saves little.
    private func sortingPays(iterationsLeft: Int) -> Bool {
        iterationsLeft > 2 && k >= Kernels.blockRows && points.count >= 1 << 14
            && points.stride <= RunPoints.longestRow && points.count <= Int(UInt32.max)
    }

    /// Assigns every point to its nearest centroid and sums the clusters.
    ///
    /// - Throws: `.cancelled`.
    func assign(
        _ work: RunPoints, to centroids: Matrix<Float>, _ parts: BlockTotals
    ) throws(KinError) -> ClusterTotals {
        let search = CentroidSearch(centroids, metric: metric, grid: work.grid.map { .preferably($0) } ?? .own)
        let codes = CentroidSearch.PointCodes(queries: work.codes, areStale: work.grid !== search.coding?.grid)
        let threads = points.threads(threads, work: points.count * k * points.dimension)
        blocks.forEach(threads: threads, memory: { CentroidSearch.Scratch(for: search) }) { block, scratch in
            parts.reset(block)
            // Few points at a time, to be summed while they are in the cache.
            let whole = blocks.range(block)
            for first in stride(from: whole.lowerBound, to: whole.upperBound, by: 1_024) {
                let range = first..<min(first + 1_024, whole.upperBound)
                var changes = search.assign(work, range, codes: codes, scratch: scratch)
                // Inertias are added by as many points whatever is assigned at once: that is part of the result.
                for part in stride(from: first, to: range.upperBound, by: 256) {
                    parts.add(part..<min(part + 256, range.upperBound), of: work, changes: changes, to: block)
                    changes = 0
                }
                guard self.work?.advance(by: range.count) ?? true else { return }
            }
        }
        try self.work?.check()
        work.state = .labelled
        work.grid = search.coding?.grid
        return parts.merged(threads: threads)
    }

    /// Sums the clusters of the present assignment.
    private func totals(of work: RunPoints, _ parts: BlockTotals) -> ClusterTotals {
        let threads = points.threads(threads, work: points.count * points.dimension)
        blocks.forEach(threads: threads, memory: {}) { block, _ in
            parts.reset(block)
            parts.add(blocks.range(block), of: work, changes: 0, to: block)
        }
        return parts.merged(threads: threads)
    }
}
