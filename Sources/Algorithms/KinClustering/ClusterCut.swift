/// The best division of one cluster by a plane across its principal axis.
struct ClusterCut {
    private let dimension: Int
    private let count: Int
    /// The points minus their mean, row after row.
    private var centred: [Double]
    private let mean: [Double]
    /// Whether each point is in the first half.
    private var isFirst: [Bool]
    /// The decrease of the inertia by the cut.
    private var gain = 0.0

    /// Finds the best cut; nil if all points are equal.
    ///
    /// - Parameter members: The points of the cluster.
    init?(_ members: [Int], of points: Matrix<Float>) {
        guard members.count >= 2 else { return nil }
        let (d, n) = (points.columns, members.count)
        (dimension, count) = (d, n)
        var rows = members.flatMap { points.row($0).map(Double.init) }
        var sum = [Double](repeating: 0, count: d)
        for r in 0..<n {
            for j in 0..<d { sum[j] += rows[r * d + j] }
        }
        let mean = sum.map { $0 / Double(n) }
        for r in 0..<n {
            for j in 0..<d { rows[r * d + j] -= mean[j] }
        }
        (self.mean, centred) = (mean, rows)
        isFirst = [Bool](repeating: false, count: n)
        guard let axis = principalAxis() else { return nil }
        cut(along: axis)
        guard gain > 0 else { return nil }
    }

    private func projections(on axis: [Double]) -> [Double] {
        (0..<count).map { r in
            var sum = 0.0
            for j in 0..<dimension { sum += centred[r * dimension + j] * axis[j] }
            return sum
        }
    }

    /// The direction of the largest variance, by the power method; nil if there is no variance.
    ///
    /// The iteration starts at the coordinate of largest variance. It ends when a step adds less than a thousandth to
    /// the variance, or after 32 steps. Any direction gives a cut, and directions of nearly equal variance give nearly
    /// equal cuts.
    private func principalAxis() -> [Double]? {
        var variances = [Double](repeating: 0, count: dimension)
        for r in 0..<count {
            for j in 0..<dimension {
                let x = centred[r * dimension + j]
                variances[j] += x * x
            }
        }
        guard let widest = variances.indices.max(by: { (variances[$0], $1) < (variances[$1], $0) }),
            variances[widest] > 0
        else { return nil }
        var axis = [Double](repeating: 0, count: dimension)
        axis[widest] = 1
        var last = variances[widest]
        for _ in 0..<32 {
            var turned = [Double](repeating: 0, count: dimension)
            for (r, projection) in projections(on: axis).enumerated() {
                for j in 0..<dimension { turned[j] += projection * centred[r * dimension + j] }
            }
            // ‖C v‖ is at least vᵀ C v, the variance along v, and at most the largest variance.
            let length = turned.reduce(0) { $0 + $1 * $1 }.squareRoot()
            guard length > 0 else { break }
            axis = turned.map { $0 / length }
            if length < last * 1.001 { break }
            last = length
        }
        return axis
    }

    /// Finds the best cut of the points ordered along an axis. O(n (dimension + log n)).
    private mutating func cut(along axis: [Double]) {
        let positions = projections(on: axis)
        let order = positions.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        // Σ (x − mean) over the first half.
        var sum = [Double](repeating: 0, count: dimension)
        var best = 0
        for (position, r) in order.dropLast().enumerated() {
            for j in 0..<dimension { sum[j] += centred[r * dimension + j] }
            guard positions[r] < positions[order[position + 1]] else { continue }
            let size = Double(position + 1)
            let found = sum.reduce(0) { $0 + $1 * $1 } * (1 / size + 1 / (Double(count) - size))
            if found > gain {
                gain = found
                best = position + 1
            }
        }
        for r in order[..<best] { isFirst[r] = true }
    }

    /// The cut of a cluster with a number.
    func split(of cluster: Int) -> ClusterSplit {
        var sums = [[Double]](repeating: [Double](repeating: 0, count: dimension), count: 2)
        for r in 0..<count {
            for j in 0..<dimension { sums[isFirst[r] ? 0 : 1][j] += centred[r * dimension + j] }
        }
        let first = isFirst.count(where: \.self)
        var centroids = Matrix<Float>(rows: 2, columns: dimension)
        for (half, size) in [first, count - first].enumerated() {
            for j in 0..<dimension { centroids[half, j] = Float(mean[j] + sums[half][j] / Double(size)) }
        }
        return ClusterSplit(cluster: cluster, gain: gain, centroids: centroids)
    }
}
