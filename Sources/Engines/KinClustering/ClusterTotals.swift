import KinCore
import KinLinearAlgebra

/// What the clusters of an assignment add up to.
struct ClusterTotals {
    /// k × dimension: Σ w x of each cluster, for cosine Σ w x ∕ ‖x‖.
    let sums: [Double]
    /// Σ w of each cluster.
    let weights: [Double]
    /// The number of points in each cluster.
    let sizes: [Int]
    /// Σ w δ over all points.
    let inertia: Double
    /// How many labels differ from what they were.
    let changes: Int

    /// Clusters without weight, ascending: they have no mean.
    var emptyClusters: [Int] { weights.indices.filter { weights[$0] == 0 } }

    /// The (normalised) mean of each cluster, rounded to floats.
    ///
    /// - Parameter last: The centroids of clusters that have none: of empty ones and, for cosine, of those whose points
    ///   cancel out, from which all directions are equally far.
    func centroids(metric: Metric, keeping last: Matrix<Float>) -> Matrix<Float> {
        let d = last.columns
        var centroids = last
        for c in 0..<last.rows where weights[c] > 0 {
            let sum = sums[c * d..<(c + 1) * d]
            let divisor = metric == .cosine ? sum.reduce(0) { $0 + $1 * $1 }.squareRoot() : weights[c]
            guard divisor > 0 else { continue }
            for (j, x) in sum.enumerated() { centroids[c, j] = Float(x / divisor) }
        }
        return centroids
    }
}

/// The totals of each block of points, which threads write side by side.
@safe
final class BlockTotals {
    private let blocks: Int
    private let k: Int
    private let dimension: Int
    /// blocks × k × dimension.
    private let sums: UnsafeMutablePointer<Double>
    /// blocks × k.
    private let weights: UnsafeMutablePointer<Double>
    private let sizes: UnsafeMutablePointer<Int>
    /// One a block.
    private let inertia: UnsafeMutablePointer<Double>
    private let changes: UnsafeMutablePointer<Int>

    init(blocks: Int, clusters k: Int, dimension: Int) {
        self.blocks = blocks
        self.k = k
        self.dimension = dimension
        unsafe sums = Self.zeros(blocks * k * dimension)
        unsafe weights = Self.zeros(blocks * k)
        unsafe sizes = Self.zeros(blocks * k)
        unsafe inertia = Self.zeros(blocks)
        unsafe changes = Self.zeros(blocks)
    }

    deinit {
        unsafe sums.deallocate()
        unsafe weights.deallocate()
        unsafe sizes.deallocate()
        unsafe inertia.deallocate()
        unsafe changes.deallocate()
    }

    private static func zeros<Number: Numeric>(_ count: Int) -> UnsafeMutablePointer<Number> {
        let memory = UnsafeMutablePointer<Number>.allocate(capacity: count)
        unsafe memory.initialize(repeating: 0, count: count)
        return unsafe memory
    }

    /// Adds points to the totals of their block, in ascending order.
    func add(
        _ range: Range<Int>, of points: PointRows, masses: PointMasses, assignment: Assignment, changes changed: Int,
        to block: Int
    ) {
        let d = dimension
        var sum = 0.0
        for i in range {
            let c = unsafe block * k + Int(assignment.labels[i])
            let weight = unsafe masses.weights[i]
            let factor = unsafe masses.factors[i]
            let (x, total) = unsafe (points.row(i), sums + c * d)
            for j in 0..<d { unsafe total[j] += factor * Double(x[j]) }
            unsafe weights[c] += weight
            unsafe sizes[c] += 1
            sum += unsafe weight * assignment.distances[i]
        }
        unsafe inertia[block] += sum
        unsafe changes[block] += changed
    }

    /// The totals of all blocks, added in order.
    func merged(threads: Int) -> ClusterTotals {
        let d = dimension
        let shares = blocks * k * d < 1 << 19 ? 1 : min(threads, k)
        concurrently(shares) { share in
            let clusters = k * share / shares..<k * (share + 1) / shares
            for block in 1..<max(blocks, 1) {
                for e in clusters.lowerBound * d..<clusters.upperBound * d {
                    unsafe sums[e] += sums[block * k * d + e]
                }
                for c in clusters {
                    unsafe weights[c] += weights[block * k + c]
                    unsafe sizes[c] += sizes[block * k + c]
                }
            }
        }
        return unsafe ClusterTotals(
            sums: Array(UnsafeBufferPointer(start: sums, count: k * d)),
            weights: Array(UnsafeBufferPointer(start: weights, count: k)),
            sizes: Array(UnsafeBufferPointer(start: sizes, count: k)),
            inertia: UnsafeBufferPointer(start: inertia, count: blocks).reduce(0, +),
            changes: UnsafeBufferPointer(start: changes, count: blocks).reduce(0, +))
    }
}
