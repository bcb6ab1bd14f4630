/// Lloyd's iteration over one set of weighted points.
struct Lloyd {
    let points: PointRows
    let pointWeights: PointWeights
    let metric: Metric
    let k: Int
    let limit: Limit
    let threads: Int
    let blocks: PointBlocks
    /// The progress of the work that includes a run, in points assigned; nil for a run that cannot be cancelled.
    var work: LongWork?
    /// Whether the points that a run assigns count towards the progress.
    var countsWork = true

    /// The rule that ends a run. By default there is no iteration, only an assignment.
    struct Limit {
        var maximumIterations = 0
        /// The relative decrease of the inertia at or below which a run ends.
        var tolerance = 0.0
        /// A target for the inertia. A run ends when the target is out of reach, which is when three times the latest
        /// decrease would not suffice.
        var goal = Double.infinity
    }

    /// Prepares the points of a run. `weights` has one weight per point; nil weights each point by 1.
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
    /// The initial centroids of a run.
    struct InitialCentroids {
        var centroids: Matrix<Float>
        /// Whether every point is already assigned to its nearest centroid.
        var isAssigned = false
    }

    /// Alternates assignments and updates of the centroids until the inertia converges.
    ///
    /// The inertia cannot grow. In each dimension, the rounded mean is the float nearest to the mean, and Σ w ‖x − c‖²
    /// = Σ w ‖x − mean‖² + W ‖c − mean‖². (For cosine this holds up to the rounding of a unit vector to floats, about
    /// 10⁻⁷ of a cluster's weight.)
    ///
    /// - Parameters:
    ///   - seed: The seed of the swaps (``ClusterSwaps``), which begin when the iteration slows down; nil for no swaps.
    ///   - start: Finds the initial centroids.
    /// - Throws: `.cancelled`.
    func run(
        swapping seed: UInt64? = nil, from start: (RunPoints) -> InitialCentroids
    ) throws(KinError) -> Clustering {
        let work = RunPoints(points, pointWeights: pointWeights, metric: metric)
        let initial = start(work)
        try self.work?.check()
        let parts = BlockTotals(blocks: blocks.count, clusters: k, points: points)
        let totals =
            initial.isAssigned ? self.totals(of: work, parts) : try assign(work, to: initial.centroids, parts)
        var progress = Progress(centroids: initial.centroids, totals: totals, changesSinceSort: points.count)
        if let seed, k > 1 {
            try iterate(work, &progress, parts, tolerance: max(limit.tolerance, ClusterSwaps.tolerance))
            var swaps = ClusterSwaps(self, work, centroids: progress.centroids, totals: progress.totals, seed: seed)
            if try swaps.run() {
                progress.centroids = swaps.centroids
                progress.totals = try assign(work, to: progress.centroids, parts)
                progress.changesSinceSort = points.count
            }
        }
        try iterate(work, &progress, parts, tolerance: limit.tolerance)
        return Clustering(
            metric: metric, centroids: progress.centroids, labels: work.labels, inertia: progress.totals.inertia,
            iterations: progress.iterations, isConverged: progress.isConverged, sizes: progress.totals.sizes,
            weights: progress.totals.weights, inertias: work.inertias(clusters: k))
    }

    /// The state between two iterations.
    private struct Progress {
        var centroids: Matrix<Float>
        var totals: ClusterTotals
        var iterations = 0
        var isConverged = false
        var changesSinceSort: Int
    }

    /// Iterates until the inertia converges or the limit is reached.
    private func iterate(
        _ work: RunPoints, _ progress: inout Progress, _ parts: BlockTotals, tolerance: Double
    ) throws(KinError) {
        progress.isConverged = false
        while progress.iterations < limit.maximumIterations && !progress.isConverged {
            let emptyBefore = progress.totals.emptyClusters
            let inertiaBefore = progress.totals.inertia
            if !emptyBefore.isEmpty, repair(work, empty: emptyBefore) > 0 {
                progress.totals = self.totals(of: work, parts)
            }
            progress.centroids = progress.totals.centroids(metric: metric, keeping: progress.centroids)
            if progress.changesSinceSort > points.count / 4,
                sortingPays(iterationsLeft: limit.maximumIterations - progress.iterations)
            {
                work.sort(clusters: k, threads: threads)
                progress.changesSinceSort = 0
            }
            let totals = try assign(work, to: progress.centroids, parts)
            progress.totals = totals
            progress.iterations += 1
            progress.changesSinceSort += totals.changes
            guard totals.inertia - 3 * (inertiaBefore - totals.inertia) <= limit.goal else { return }
            let hasSettled = totals.inertia < limit.goal && inertiaBefore - totals.inertia <= tolerance * inertiaBefore
            // Clusters that have just become empty may be repaired; clusters that stay empty cannot.
            let empty = totals.emptyClusters.count
            let isRepaired = empty == 0 || (!emptyBefore.isEmpty && empty >= emptyBefore.count)
            progress.isConverged = totals.changes == 0 || (hasSettled && isRepaired)
        }
    }

    /// Whether sorting is worth its time. Sorting costs about as much as it saves in two iterations, and saves little
    /// without a screen.
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
        let search = CentroidSearch(centroids, metric: metric, grid: work.commonGrid)
        let bounds = work.bounds(for: search)
        let codes = CentroidSearch.PointCodes(queries: work.codes, areStale: work.grid !== search.coding?.grid)
        let threads = points.threads(threads, work: points.count * k * points.dimension)
        func assign(_ range: Range<Int>, _ scratch: CentroidSearch.Scratch) -> Int? {
            guard self.work?.advance(by: countsWork ? range.count : 0) ?? true else { return nil }
            if let bounds { return search.assign(work, range, bounds: bounds, scratch: scratch) }
            return search.assign(work, range, codes: codes, scratch: scratch)
        }
        // With few blocks, threads assign smaller ranges first.
        let isAssigned = threads > 1 && blocks.count / 4 < threads
        let changes =
            !isAssigned
            ? []
            : concurrentMap(
                threads, rangesOf: points.count, atLeast: 512, memory: { CentroidSearch.Scratch(for: search) }
            ) { range, scratch in assign(range, scratch) ?? 0 }
        blocks.forEach(
            threads: threads, memory: { isAssigned ? nil : CentroidSearch.Scratch(for: search) }
        ) { block, scratch in
            parts.reset(block)
            // A few points at a time, so that they are summed while they are in the cache.
            let whole = blocks.range(block)
            for first in stride(from: whole.lowerBound, to: whole.upperBound, by: 1_024) {
                let range = first..<min(first + 1_024, whole.upperBound)
                guard var changes = scratch.map({ assign(range, $0) }) ?? 0 else { return }
                // Inertias are added over a fixed number of points, regardless of how many are assigned at once, since
                // the order affects the result.
                for part in stride(from: first, to: range.upperBound, by: 256) {
                    parts.add(part..<min(part + 256, range.upperBound), of: work, changes: changes, to: block)
                    changes = 0
                }
            }
        }
        try self.work?.check()
        work.state = .labelled
        work.grid = search.coding?.grid
        return parts.merged(threads: threads, moreChanges: changes.reduce(0, +))
    }

    /// Sums the clusters of the present assignment.
    private func totals(of work: RunPoints, _ parts: BlockTotals) -> ClusterTotals {
        let threads = points.threads(threads, work: points.count * points.dimension)
        blocks.forEach(threads: threads, memory: {}) { block, _ in
            parts.reset(block)
            parts.add(blocks.range(block), of: work, changes: 0, to: block)
        }
        return parts.merged(threads: threads, moreChanges: 0)
    }
}
