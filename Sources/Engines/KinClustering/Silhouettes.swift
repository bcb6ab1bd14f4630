import KinCore
import KinLinearAlgebra

/// Silhouettes of some points, for any number of ways to cluster them, from one pass over their distances to each other.
struct Silhouettes {
    private let points: Matrix<Float>
    private let weights: [Double]
    private let metric: Metric
    private let threads: Int

    /// Distances between so many points take a few milliseconds.
    static let defaultSample = 2_000

    init(_ sample: PointSample, metric: Metric, threads: Int) {
        points = sample.points
        weights = sample.weights ?? [Double](repeating: 1, count: sample.points.rows)
        self.metric = metric
        self.threads = threads
    }

    /// The mean silhouette of each labelling.
    ///
    /// - Parameters:
    ///   - labelings: One label a point, 0 ..< k.
    ///   - clusters: The k of each labelling.
    /// - Complexity: O(n² (dimension + labelings)).
    func means(of labelings: [[Int]], clusters: [Int]) -> [Double] {
        let n = points.rows
        let groups = zip(labelings, clusters).map { Groups(labels: $0, clusters: $1, weights: weights) }
        let shares = min(threads, n)
        let values = unsafe [Double](unsafeUninitializedCapacity: n * groups.count) { values, initialized in
            let base = values.baseAddress!
            PointRows.withRows(of: points) { rows in
                concurrently(shares) { share in
                    var distances = [Double](repeating: 0, count: n)
                    for i in n * share / shares..<n * (share + 1) / shares {
                        measure(from: i, in: rows, &distances)
                        for (g, group) in groups.enumerated() {
                            let value = group.silhouette(of: i, distances: distances, weights: weights)
                            unsafe (base + g * n + i).initialize(to: weights[i] * value)
                        }
                    }
                }
            }
            initialized = n * groups.count
        }
        let total = weights.reduce(0, +)
        return groups.indices.map { values[$0 * n..<($0 + 1) * n].reduce(0, +) / total }
    }

    /// Distances from one point to all.
    private func measure(from i: Int, in rows: PointRows, _ distances: inout [Double]) {
        unsafe distances.withUnsafeMutableBufferPointer { distances in
            unsafe Kernels.active.distances(
                metric, from: rows.row(i), to: rows.row(0), stride: rows.stride, count: rows.count,
                into: distances.baseAddress!)
            guard metric == .squaredL2 else { return }
            for j in 0..<rows.count { unsafe distances[j] = distances[j].squareRoot() }
        }
    }
}

/// The clusters of one labelling.
private struct Groups {
    let labels: [Int]
    /// Of each cluster.
    private var sizes: [Int]
    private var totals: [Double]

    init(labels: [Int], clusters k: Int, weights: [Double]) {
        self.labels = labels
        sizes = Array(repeating: 0, count: k)
        totals = Array(repeating: 0, count: k)
        for (i, label) in labels.enumerated() {
            sizes[label] += 1
            totals[label] += weights[i]
        }
    }

    func silhouette(of i: Int, distances: [Double], weights: [Double]) -> Double {
        let own = labels[i]
        guard sizes[own] > 1 else { return 0 }
        var sums = [Double](repeating: 0, count: sizes.count)
        for (j, label) in labels.enumerated() { sums[label] += weights[j] * distances[j] }
        let within = sums[own] / (totals[own] - weights[i])
        var between = Double.infinity
        for c in sizes.indices where c != own && sizes[c] > 0 { between = min(between, sums[c] / totals[c]) }
        return Clustering.silhouette(within: within, between: between)
    }
}

extension Clustering {
    /// (b − a) ∕ max(a, b), 0 when both are 0 or there is no other cluster.
    static func silhouette(within a: Double, between b: Double) -> Double {
        let larger = max(a, b)
        return larger > 0 && larger < .infinity ? (b - a) / larger : 0
    }
}
