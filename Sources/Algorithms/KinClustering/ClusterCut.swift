import KinLinearAlgebra

/// The best division of one cluster by a plane across its principal axis.
struct ClusterCut {
    private let metric: Metric
    private let dimension: Int
    /// The points minus their mean, row after row; for cosine, the unit vectors minus their mean.
    private var centred: [Double]
    private let weights: [Double]
    private let mean: [Double]
    /// The total weight Σ w.
    private let total: Double
    /// The points of the first half, as indices of the members.
    private var first: [Int] = []
    /// The decrease of the inertia by the cut.
    private var gain = 0.0

    /// Finds the best cut; nil if all points are equal.
    ///
    /// - Parameter members: The points of the cluster with positive weight.
    init?(_ members: [Int], of points: Matrix<Float>, weights list: [Double]?, metric: Metric) {
        guard members.count >= 2 else { return nil }
        self.metric = metric
        let d = points.columns
        dimension = d
        weights = members.map { list?[$0] ?? 1 }
        total = weights.reduce(0, +)
        var rows: [Double] = []
        rows.reserveCapacity(members.count * d)
        var sum = [Double](repeating: 0, count: d)
        for (r, i) in members.enumerated() {
            let row = points.row(i).map(Double.init)
            let length = metric.comparesDirections ? row.reduce(0) { $0 + $1 * $1 }.squareRoot() : 1
            for j in 0..<d {
                rows.append(row[j] / length)
                sum[j] += weights[r] * row[j] / length
            }
        }
        let total = total
        mean = sum.map { $0 / total }
        for r in members.indices {
            for j in 0..<d { rows[r * d + j] -= mean[j] }
        }
        centred = rows
        guard let axis = principalAxis() else { return nil }
        cut(along: axis)
        guard gain > 0 else { return nil }
    }

    private var count: Int { weights.count }

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
                variances[j] += weights[r] * x * x
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
                for j in 0..<dimension { turned[j] += weights[r] * projection * centred[r * dimension + j] }
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
        var sum = [Double](repeating: 0, count: dimension)
        var weight = 0.0
        var best = 0
        for (position, r) in order.dropLast().enumerated() {
            for j in 0..<dimension { sum[j] += weights[r] * centred[r * dimension + j] }
            weight += weights[r]
            guard positions[r] < positions[order[position + 1]] else { continue }
            let found = gain(ofHalf: sum, weight: weight)
            if found > gain {
                gain = found
                best = position + 1
            }
        }
        first = Array(order[..<best])
    }

    /// The decrease of the inertia if one half is separated.
    ///
    /// - Parameter sum: Σ w (x − mean) over the half.
    private func gain(ofHalf sum: [Double], weight: Double) -> Double {
        guard metric.comparesDirections else {
            return sum.reduce(0) { $0 + $1 * $1 } * (1 / weight + 1 / (total - weight))
        }
        func length(_ coordinate: (Int) -> Double) -> Double {
            (0..<dimension).reduce(0) { $0 + coordinate($1) * coordinate($1) }.squareRoot()
        }
        let one = length { sum[$0] + weight * mean[$0] }
        let other = length { (total - weight) * mean[$0] - sum[$0] }
        return one + other - length { total * mean[$0] }
    }

    /// The inertia around the (normalised) mean.
    private var inertia: Double {
        let squares = (0..<count).reduce(0.0) { sum, r in
            sum + weights[r]
                * (0..<dimension).reduce(0) { $0 + centred[r * dimension + $1] * centred[r * dimension + $1] }
        }
        guard metric.comparesDirections else { return squares }
        // W − R: with ‖x‖ = 1, Σ w ‖x − mean‖² = W − R² ∕ W.
        let length = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return squares / (1 + length)
    }

    /// The cut as a hint, with weights, centroids and the normality test along the line between the halves.
    func hint(cluster: Int) -> SplitHint {
        var isFirst = [Bool](repeating: false, count: count)
        for r in first { isFirst[r] = true }
        var sums = [[Double]](repeating: [Double](repeating: 0, count: dimension), count: 2)
        var halves = [0.0, 0.0]
        for r in 0..<count {
            let half = isFirst[r] ? 0 : 1
            halves[half] += weights[r]
            for j in 0..<dimension { sums[half][j] += weights[r] * centred[r * dimension + j] }
        }
        let means = (0..<2).map { (half: Int) -> [Double] in
            (0..<dimension).map { (j: Int) -> Double in mean[j] + sums[half][j] / halves[half] }
        }
        var centroids = Matrix<Float>(rows: 2, columns: dimension)
        for half in 0..<2 {
            let length = metric.comparesDirections ? means[half].reduce(0) { $0 + $1 * $1 }.squareRoot() : 1
            for j in 0..<dimension { centroids[half, j] = Float(length > 0 ? means[half][j] / length : 0) }
        }
        let between = (0..<dimension).map { means[1][$0] - means[0][$0] }
        return SplitHint(
            cluster: cluster, gain: gain, relativeGain: min(gain / inertia, 1), weights: halves, centroids: centroids,
            normalityStatistic: AndersonDarling.statistic(projections(on: between)))
    }
}
