/// The sums, weights, sizes and inertia of the clusters of an assignment.
struct ClusterTotals {
    /// The weighted sum of each cluster, k × dimension: Σ w x, for cosine Σ w x ∕ ‖x‖.
    let sums: [Double]
    /// The total weight Σ w of each cluster.
    let weights: [Double]
    /// The number of points in each cluster.
    let sizes: [Int]
    /// The inertia Σ w δ over all points.
    let inertia: Double
    /// The number of labels that changed.
    let changes: Int

    /// The clusters without weight, ascending; they have no mean.
    var emptyClusters: [Int] { weights.indices.filter { weights[$0] == 0 } }

    /// The (normalised) mean of each cluster, rounded to floats.
    ///
    /// - Parameter last: The centroids for clusters without a mean: for empty clusters and, for cosine, for clusters
    ///   whose points cancel out, so that all directions are equally far from them.
    func centroids(metric: Metric, keeping last: Matrix<Float>) -> Matrix<Float> {
        let d = last.columns
        var centroids = last
        for c in 0..<last.rows where weights[c] > 0 {
            let sum = sums[c * d..<(c + 1) * d]
            let divisor = metric.comparesDirections ? sum.reduce(0) { $0 + $1 * $1 }.squareRoot() : weights[c]
            guard divisor > 0 else { continue }
            for (j, x) in sum.enumerated() { centroids[c, j] = Float(x / divisor) }
        }
        return centroids
    }
}

/// The totals of each block of points. Threads write them concurrently without overlap.
@safe
final class BlockTotals {
    private let blocks: Int
    private let k: Int
    private let dimension: Int
    /// The number of doubles from one sum to the next, equal to the number of floats in a row.
    private let stride: Int
    /// The sums, blocks × k × stride.
    private let sums: UnsafeMutablePointer<Double>
    /// The weights, blocks × k; the sizes have the same layout.
    private let weights: UnsafeMutablePointer<Double>
    private let sizes: UnsafeMutablePointer<Int>
    /// The inertia of each block.
    private let inertia: UnsafeMutablePointer<Double>
    private let changes: UnsafeMutablePointer<Int>
    private let arena = Arena()

    /// Allocates memory for the totals of all blocks.
    init(blocks: Int, clusters k: Int, points: PointRows) {
        self.blocks = blocks
        self.k = k
        dimension = points.dimension
        stride = points.stride
        unsafe sums = arena.allocate(blocks * k * points.stride)
        unsafe weights = arena.allocate(blocks * k)
        unsafe sizes = arena.allocate(blocks * k)
        unsafe inertia = arena.allocate(blocks)
        unsafe changes = arena.allocate(blocks)
    }

    /// Sets the totals of a block to 0; called before the first addition.
    func reset(_ block: Int) {
        unsafe (sums + block * k * stride).initialize(repeating: 0, count: k * stride)
        unsafe (weights + block * k).initialize(repeating: 0, count: k)
        unsafe (sizes + block * k).initialize(repeating: 0, count: k)
        unsafe (inertia + block).initialize(to: 0)
        unsafe (changes + block).initialize(to: 0)
    }

    /// Adds points to the totals of their block, in ascending order.
    func add(_ range: Range<Int>, of points: RunPoints, changes changed: Int, to block: Int) {
        let (labels, distances) = unsafe (points.assignment.labels, points.assignment.distances)
        let pointWeights = points.pointWeights
        var first = range.lowerBound
        while first < range.upperBound {
            let label = unsafe labels[first]
            var end = first + 1
            while end < range.upperBound, unsafe labels[end] == label { end += 1 }
            let c = block * k + Int(label)
            let run = first..<end
            unsafe add(run, of: points.rows, factors: pointWeights.factors, to: sums + c * stride)
            unsafe sizes[c] += run.count
            if let list = unsafe pointWeights.weights {
                for i in run { unsafe weights[c] += list[i] }
            } else {
                unsafe weights[c] += Double(run.count)
            }
            first = end
        }
        var sum = 0.0
        if let list = unsafe pointWeights.weights {
            for i in range { sum += unsafe list[i] * distances[i] }
        } else {
            for i in range { sum += unsafe distances[i] }
        }
        unsafe inertia[block] += sum
        unsafe changes[block] += changed
    }

    /// Adds rows to the sum of one cluster, eight dimensions of all rows at a time.
    private func add(
        _ run: Range<Int>, of rows: PointRows, factors: UnsafeMutablePointer<Double>?,
        to total: UnsafeMutablePointer<Double>
    ) {
        for j in Swift.stride(from: 0, to: stride, by: 8) {
            let address = unsafe UnsafeMutableRawPointer(total + j)
            var sum = unsafe address.loadUnaligned(as: SIMD8<Double>.self)
            for i in run {
                let x = unsafe UnsafeRawPointer(rows.row(i) + j).loadUnaligned(as: SIMD8<Float>.self)
                if let factors = unsafe factors {
                    sum += unsafe SIMD8<Double>(x) * factors[i]
                } else {
                    sum += SIMD8<Double>(x)
                }
            }
            unsafe address.storeBytes(of: sum, as: SIMD8<Double>.self)
        }
    }

    /// The totals of all blocks, added in order, with changes that no block includes.
    func merged(threads: Int, moreChanges: Int) -> ClusterTotals {
        let stride = stride
        let shares = blocks * k * stride < 1 << 19 ? 1 : min(threads, k)
        concurrently(shares) { share in
            let clusters = k * share / shares..<k * (share + 1) / shares
            for block in 1..<max(blocks, 1) {
                for e in clusters.lowerBound * stride..<clusters.upperBound * stride {
                    unsafe sums[e] += sums[block * k * stride + e]
                }
                for c in clusters {
                    unsafe weights[c] += weights[block * k + c]
                    unsafe sizes[c] += sizes[block * k + c]
                }
            }
        }
        return unsafe ClusterTotals(
            sums: (0..<k * dimension).map { unsafe sums[$0 / dimension * stride + $0 % dimension] },
            weights: Array(UnsafeBufferPointer(start: weights, count: k)),
            sizes: Array(UnsafeBufferPointer(start: sizes, count: k)),
            inertia: UnsafeBufferPointer(start: inertia, count: blocks).reduce(0, +),
            changes: UnsafeBufferPointer(start: changes, count: blocks).reduce(moreChanges, +))
    }
}
