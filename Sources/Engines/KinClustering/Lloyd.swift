import KinLinearAlgebra

/// Lloyd's iteration over one set of weighted points.
struct Lloyd {
    let points: PointRows
    let masses: PointMasses
    let metric: Metric
    let k: Int
    let maximumIterations: Int
    let tolerance: Double
    let threads: Int
    let blocks: PointBlocks

    init(
        points: PointRows, weights: [Double], metric: Metric, k: Int, maximumIterations: Int, tolerance: Double,
        threads: Int
    ) {
        self.points = points
        masses = PointMasses(points, weights: weights, metric: metric)
        self.metric = metric
        self.k = k
        self.maximumIterations = maximumIterations
        self.tolerance = tolerance
        self.threads = threads
        blocks = PointBlocks(count: points.count, clusters: k)
    }
}

extension Lloyd {
    /// Where a run starts.
    struct Place {
        var centroids: Matrix<Float>
        /// What the start knows of the nearest centroids.
        var assignment: Assignment
    }

    /// Assigns and moves in turn until the inertia settles.
    ///
    /// The inertia cannot grow: the rounded mean is, of all floats, the nearest to the mean in each dimension, and
    /// Σ w ‖x − c‖² = Σ w ‖x − mean‖² + W ‖c − mean‖². (For cosine this holds up to the rounding of a unit vector to floats,
    /// some 10⁻⁷ of a cluster's weight.)
    func run(from place: Place) -> Clustering {
        var centroids = place.centroids
        let assignment = place.assignment
        var totals = assign(assignment, to: centroids)
        var iterations = 0
        var isConverged = false
        while iterations < maximumIterations && !isConverged {
            let emptyBefore = totals.emptyClusters
            let inertiaBefore = totals.inertia
            if !emptyBefore.isEmpty, repair(assignment, empty: emptyBefore) > 0 { totals = self.totals(of: assignment) }
            centroids = totals.centroids(metric: metric, keeping: centroids)
            totals = assign(assignment, to: centroids)
            iterations += 1
            let hasSettled = inertiaBefore - totals.inertia <= tolerance * inertiaBefore
            // Clusters that have just run empty may be repaired; those that stay empty cannot.
            let empty = totals.emptyClusters.count
            let isRepaired = empty == 0 || (!emptyBefore.isEmpty && empty >= emptyBefore.count)
            isConverged = totals.changes == 0 || (hasSettled && isRepaired)
        }
        return Clustering(
            metric: metric, centroids: centroids, labels: assignment.labelArray, inertia: totals.inertia,
            iterations: iterations, isConverged: isConverged, sizes: totals.sizes, weights: totals.weights)
    }

    /// Assigns every point to its nearest centroid and sums the clusters.
    private func assign(_ assignment: Assignment, to centroids: Matrix<Float>) -> ClusterTotals {
        let search = CentroidSearch(centroids, metric: metric)
        let parts = BlockTotals(blocks: blocks.count, clusters: k, dimension: points.dimension)
        let guessed = assignment.isGuess
        let threads = points.threads(threads, work: points.count * k * points.dimension)
        blocks.forEach(threads: threads, memory: { CentroidSearch.Scratch(for: search) }) { block, scratch in
            // Few points at a time, to be summed while they are in the cache.
            let whole = blocks.range(block)
            for first in stride(from: whole.lowerBound, to: whole.upperBound, by: 256) {
                let range = first..<min(first + 256, whole.upperBound)
                let changes = unsafe search.assign(
                    points.row(first), count: range.count, labels: assignment.labels + first,
                    distances: assignment.distances + first, guessed: guessed, scratch: scratch)
                parts.add(range, of: points, masses: masses, assignment: assignment, changes: changes, to: block)
            }
        }
        assignment.isGuess = true
        return parts.merged(threads: threads)
    }

    /// Sums the clusters as they are.
    private func totals(of assignment: Assignment) -> ClusterTotals {
        let parts = BlockTotals(blocks: blocks.count, clusters: k, dimension: points.dimension)
        let threads = points.threads(threads, work: points.count * points.dimension)
        blocks.forEach(threads: threads, memory: {}) { block, _ in
            parts.add(
                blocks.range(block), of: points, masses: masses, assignment: assignment, changes: 0, to: block)
        }
        return parts.merged(threads: threads)
    }
}

/// The nearest centroid of each point and the distance to it, as far as they are known.
@safe
final class Assignment {
    let count: Int
    let labels: UnsafeMutablePointer<UInt32>
    let distances: UnsafeMutablePointer<Double>
    /// Whether the labels are worth something as a first guess.
    var isGuess = false

    init(count: Int) {
        self.count = count
        unsafe labels = .allocate(capacity: count)
        unsafe labels.initialize(repeating: 0, count: count)
        unsafe distances = .allocate(capacity: count)
        unsafe distances.initialize(repeating: .infinity, count: count)
    }

    deinit {
        unsafe labels.deallocate()
        unsafe distances.deallocate()
    }

    var labelArray: [Int] { (0..<count).map { unsafe Int(labels[$0]) } }

    var distanceArray: [Double] { unsafe Array(UnsafeBufferPointer(start: distances, count: count)) }
}

/// What each point weighs.
@safe
final class PointMasses {
    let weights: UnsafeMutablePointer<Double>
    /// What a point is multiplied by in the sum of its cluster: its weight, for cosine divided by its length.
    let factors: UnsafeMutablePointer<Double>

    init(_ points: PointRows, weights list: [Double], metric: Metric) {
        unsafe weights = .allocate(capacity: points.count)
        unsafe factors = .allocate(capacity: points.count)
        for i in 0..<points.count {
            unsafe (weights + i).initialize(to: list[i])
            var squares = 1.0
            if metric == .cosine {
                let row = unsafe points.row(i)
                squares = 0
                for j in 0..<points.dimension { unsafe squares += Double(row[j]) * Double(row[j]) }
            }
            unsafe (factors + i).initialize(to: list[i] / squares.squareRoot())
        }
    }

    deinit {
        unsafe weights.deallocate()
        unsafe factors.deallocate()
    }
}
