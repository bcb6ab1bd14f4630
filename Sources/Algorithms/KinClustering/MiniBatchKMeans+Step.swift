extension MiniBatchKMeans {
    /// Initialises the centroids from the points held back, which then count as learned.
    mutating func start() throws(KinError) {
        guard heldWeights.count >= k, let dimension else {
            throw KinError(
                .invalidArgument, "\(heldWeights.count) points were learned, but \(k) clusters need at least as many")
        }
        let points = try Matrix(rows: heldWeights.count, columns: dimension, elements: heldRows)
        let found = try KMeans(k: k, metric: metric, maximumIterations: 10, seed: seed, threads: threads)
            .fit(points, weights: heldWeights)
        // The clusters are numbered in the order of their first points.
        var seen = Set<Int>()
        let order = (found.labels + (0..<k)).filter { seen.insert($0).inserted }
        weights = order.map { found.weights[$0] }
        let rows = order.flatMap { Array(found.centroids.row($0)) }
        centroidRows = try Matrix(rows: k, columns: dimension, elements: rows)
        means = rows.map(Double.init)
        if metric.comparesDirections {
            // For unit vectors the length of the mean is R ∕ W, and W − R is their inertia.
            for c in 0..<k where weights[c] > 0 {
                let length = max(1 - found.inertias[order[c]] / weights[c], 0)
                for j in 0..<dimension { means[c * dimension + j] *= length }
            }
        }
        latestInertia = found.inertia / heldWeights.reduce(0, +)
        heldRows = []
        heldWeights = []
    }

    /// Updates the centroids by a batch.
    ///
    /// Let W be the accumulated weight of a centroid, and S and V the sum and the weight that the batch adds. The mean
    /// m moves by (S − V m) ∕ (W + V), which equals one step of rate w ∕ (W + w) for each point.
    mutating func move(by batch: Matrix<Float>, weights list: [Double]?) {
        let (k, metric, centroids) = (k, metric, centroidRows)
        let d = batch.columns
        let (totals, replacements) = PointRows.withRows(of: batch) { rows in
            let lloyd = Lloyd(points: rows, weights: list, metric: metric, k: k, threads: threads)
            let work = RunPoints(rows, pointWeights: lloyd.pointWeights, metric: metric)
            let parts = BlockTotals(blocks: lloyd.blocks.count, clusters: k, points: rows)
            let totals = infallible("what is not cancelled ends") { () throws(KinError) in
                try lloyd.assign(work, to: centroids, parts)
            }
            let starved = starvedClusters(adding: totals.weights, points: rows.count)
            return (totals, starved.isEmpty ? [] : draw(starved, from: work))
        }
        for c in 0..<k where totals.weights[c] > 0 {
            weights[c] += totals.weights[c]
            for j in 0..<d {
                let added = totals.sums[c * d + j] - totals.weights[c] * means[c * d + j]
                means[c * d + j] += added / weights[c]
            }
        }
        pointsSinceReassignment += batch.rows
        latestInertia = totals.inertia / totals.weights.reduce(0, +)
        if !replacements.isEmpty { replace(replacements, by: batch) }
        for c in 0..<k { updateRow(c) }
    }

    /// The clusters whose weight is below the reassignment ratio, lightest first, at most half the number of points in
    /// the batch; none until ten points per cluster have arrived since the last reassignment.
    private func starvedClusters(adding added: [Double], points n: Int) -> [Int] {
        guard pointsSinceReassignment + n >= 10 * k else { return [] }
        let new = zip(weights, added).map { $0 + $1 }
        let limit = reassignmentRatio * (new.max() ?? 0)
        let starved = new.indices.filter { new[$0] < limit }.sorted { (new[$0], $0) < (new[$1], $1) }
        return Array(starved.prefix(n / 2))
    }

    /// A point of the batch for each cluster to reassign, sampled without replacement by w δ.
    private mutating func draw(_ starved: [Int], from work: RunPoints) -> [(cluster: Int, point: Int)] {
        let blocks = PointBlocks(count: work.rows.count, clusters: 1)
        var mass = (0..<work.rows.count).map { unsafe work.pointWeights.weight($0) * work.assignment.distances[$0] }
        func blockMass(_ block: Int) -> Double { blocks.range(block).reduce(0) { $0 + mass[$1] } }
        var draws = PointDraws(blocks: blocks, blockMasses: (0..<blocks.count).map(blockMass))
        var sampled: [(cluster: Int, point: Int)] = []
        for cluster in starved {
            guard let point = draws.draw(&generator, mass: { mass[$0] }) else { break }
            mass[point] = 0
            let block = point / blocks.blockRows
            draws.blockMasses[block] = blockMass(block)
            sampled.append((cluster, point))
        }
        return sampled
    }

    /// Moves centroids to points. Each receives the smallest weight of the other centroids, so that it neither follows
    /// the next few points nor is reassigned again at once.
    private mutating func replace(_ replacements: [(cluster: Int, point: Int)], by batch: Matrix<Float>) {
        pointsSinceReassignment = 0
        let starved = Set(replacements.map(\.cluster))
        let lightest = weights.indices.filter { !starved.contains($0) }.map { weights[$0] }.min() ?? 1
        for (cluster, point) in replacements {
            let row = batch.row(point).map(Double.init)
            let length = metric.comparesDirections ? row.reduce(0) { $0 + $1 * $1 }.squareRoot() : 1
            for (j, x) in row.enumerated() { means[cluster * row.count + j] = x / length }
            weights[cluster] = lightest
        }
    }

    /// Rounds a mean to its centroid. For cosine, a mean of 0 leaves the centroid unchanged.
    private mutating func updateRow(_ c: Int) {
        let d = centroidRows.columns
        let mean = means[c * d..<(c + 1) * d]
        let length = metric.comparesDirections ? mean.reduce(0) { $0 + $1 * $1 }.squareRoot() : 1
        guard length > 0 else { return }
        for (j, x) in mean.enumerated() { centroidRows[c, j] = Float(x / length) }
    }
}
