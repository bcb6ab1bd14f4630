import KinClustering
import KinTestSupport
import Testing

@Suite("Mini-batch k-means")
struct MiniBatchKMeansTests {
    /// The means after Sculley's steps, point by point: m += (x − m) w ∕ W.
    private func stepped(
        _ centroids: Matrix<Float>, weights: [Double], batch: Matrix<Float>, batchWeights: [Double], metric: Metric
    ) -> [[Double]] {
        let start = (0..<centroids.rows).map { centroids.row($0).map(Double.init) }
        var means = start
        var totals = weights
        for i in 0..<batch.rows {
            let point = batch.row(i).map(Double.init)
            let all = start.map { LloydOracle.distance(metric, $0, point) }
            let c = all.firstIndex(of: all.min()!)!
            totals[c] += batchWeights[i]
            for j in point.indices { means[c][j] += (point[j] - means[c][j]) * batchWeights[i] / totals[c] }
        }
        return means
    }

    @Test("a batch moves centroids like one step per point", arguments: [3, 40])
    func steps(k: Int) throws {
        var random = TestSeed().generator
        var stream = MiniBatchKMeans(k: k, reassignmentRatio: 0)
        try stream.partialFit(random.uniformMatrix(rows: 3 * k, columns: 5))
        for _ in 0..<3 {
            let batch: Matrix<Float> = random.uniformMatrix(rows: 150, columns: 5)
            let batchWeights = (0..<150).map { _ in Double(random.below(3)) }
            let (before, weights) = (try #require(stream.centroids), stream.weights)
            try stream.partialFit(batch, weights: batchWeights)
            let expected = stepped(
                before, weights: weights, batch: batch, batchWeights: batchWeights, metric: .squaredL2)
            let found = try #require(stream.centroids)
            for c in 0..<k {
                for j in 0..<5 { #expect(abs(Double(found[c, j]) - expected[c][j]) < 1e-6, "centroid \(c)") }
            }
            let total: Double = weights.reduce(0, +) + batchWeights.reduce(0, +)
            let learned: Double = stream.weights.reduce(0, +)
            #expect(abs(learned - total) < 1e-9)
        }
    }

    @Test("the first clusters are numbered in the order of their points", arguments: [Metric.squaredL2, .cosine])
    func order(metric: Metric) throws {
        for seed in 0..<20 {
            var random = TestSeed().generator
            var stream = MiniBatchKMeans(k: 12, metric: metric, seed: UInt64(seed))
            let points: Matrix<Float> = random.uniformMatrix(rows: 12, columns: 5)
            try stream.partialFit(points.picking((0..<36).map { $0 / 3 }))
            let found = try stream.clustering(of: points)
            #expect(found.labels == Array(0..<12) && stream.weights == Array(repeating: 3, count: 12))
        }
    }

    @Test(
        "planted clusters are learned from a stream, with any number of threads",
        arguments: [Metric.squaredL2, .cosine])
    func planted(metric: Metric) throws {
        var random = TestSeed().generator
        let data = ClusteredPoints(count: 8_000, clouds: 12, dimension: 6, width: 0.02, from: &random)
        var one = MiniBatchKMeans(k: 12, metric: metric, reassignmentRatio: 0.1, seed: 2)
        var three = MiniBatchKMeans(k: 12, metric: metric, reassignmentRatio: 0.1, seed: 2, threads: 3)
        for first in stride(from: 0, to: 8_000, by: 500) {
            let batch = data.points.picking(first..<first + 500)
            try one.partialFit(batch)
            try three.partialFit(batch)
        }
        #expect(one.centroids == three.centroids && one.weights == three.weights)
        #expect(one.pointCount == 8_000)
        let found = try one.clustering(of: data.points)
        let whole = try KMeans(k: 12, metric: metric, restarts: 8, seed: 1).fit(data.points)
        #expect(found.inertia <= 1.1 * whole.inertia)
        #expect(Set(zip(data.clouds, found.labels).map { [$0, $1] }).count == 12)
        #expect(found.labels == (try found.assign(data.points).labels))
        #expect(found.centroids == one.centroids && found.sizes.reduce(0, +) == 8_000)
        let latest = try #require(one.latestInertia)
        #expect(abs(latest - found.inertia / 8_000) < 0.2 * latest)
    }

    @Test("starved centroids move to the region of later points")
    func reassignment() throws {
        var random = TestSeed().generator
        func cloud(_ x: Double, _ n: Int) -> Matrix<Float> {
            random.matrix(rows: n, columns: 2) { x + 0.01 * $0.gaussian() }
        }
        // All six start in one cloud. Later points come only from a different cloud, far away.
        let first = cloud(0, 18)
        let later = (0..<40).map { _ in cloud(50, 60) }
        var fed = MiniBatchKMeans(k: 6, reassignmentRatio: 0.05, seed: 1)
        var unfed = MiniBatchKMeans(k: 6, reassignmentRatio: 0, seed: 1)
        try fed.partialFit(first)
        try unfed.partialFit(first)
        for batch in later {
            try fed.partialFit(batch)
            try unfed.partialFit(batch)
        }
        let near = { (stream: MiniBatchKMeans) in (0..<6).count { stream.centroids![$0, 0] > 45 } }
        #expect(near(unfed) == 1)
        #expect(near(fed) >= 4)
    }

    @Test("points are buffered until clustering can start, and copies are independent")
    func start() throws {
        let points = try Matrix<Float>(rows: [[0, 0], [0, 1], [9, 9], [9, 8], [0, 0.5]])
        var stream = MiniBatchKMeans(k: 2)
        #expect(stream.centroids == nil && stream.weights.isEmpty && stream.latestInertia == nil)
        try stream.partialFit(points.picking([0]))
        #expect(errorCode { try stream.clustering(of: points) } == .invalidArgument)
        try stream.partialFit(points.picking([1, 2, 3]))
        #expect(stream.centroids == nil && stream.pointCount == 4)
        let early = try stream.clustering(of: points)
        #expect(early.labels[0] == early.labels[1] && early.labels[0] != early.labels[2])
        let copy = stream
        try stream.partialFit(points.picking([0, 1]))
        #expect(stream.centroids != nil && copy.centroids == nil)
        try stream.partialFit(Matrix(rows: 0, columns: 2))
        #expect(stream.pointCount == 6)
    }

    @Test("an empty batch sets the dimension")
    func dimension() throws {
        var stream = MiniBatchKMeans(k: 2)
        #expect(stream.dimension == nil)
        try stream.partialFit(Matrix(rows: 0, columns: 3))
        #expect(stream.dimension == 3 && stream.pointCount == 0)
        #expect(errorCode { try stream.partialFit(Matrix(rows: 9, columns: 2, repeating: 1)) } == .dimensionMismatch)
    }

    @Test("invalid batches are refused and change nothing")
    func errors() throws {
        let points = Matrix<Float>(rows: 6, columns: 2, repeating: 1)
        var stream = MiniBatchKMeans(k: 2)
        try stream.partialFit(points)
        #expect(errorCode { try stream.partialFit(Matrix(rows: 2, columns: 3)) } == .dimensionMismatch)
        #expect(errorCode { try stream.clustering(of: Matrix(rows: 2, columns: 3)) } == .dimensionMismatch)
        #expect(errorCode { try stream.clustering(of: Matrix(rows: 0, columns: 2)) } == .invalidArgument)
        #expect(errorCode { try stream.partialFit(Matrix(rows: 2, columns: 2, repeating: .nan)) } == .notFinite)
        #expect(errorCode { try stream.partialFit(points, weights: [1]) } == .invalidArgument)
        #expect(stream.pointCount == 6)
        for broken in [
            MiniBatchKMeans(k: 0), MiniBatchKMeans(k: 2, metric: .innerProduct), MiniBatchKMeans(k: 2, threads: 0),
            MiniBatchKMeans(k: 2, reassignmentRatio: 1), MiniBatchKMeans(k: 2, reassignmentRatio: .nan),
        ] {
            var broken = broken
            #expect(errorCode { try broken.partialFit(points) } == .invalidArgument)
        }
        var directions = MiniBatchKMeans(k: 2, metric: .cosine)
        #expect(errorCode { try directions.partialFit(Matrix(rows: 2, columns: 2)) } == .zeroVector)
        var empty = MiniBatchKMeans(k: 2)
        #expect(errorCode { try empty.partialFit(Matrix(rows: 2, columns: 0)) } == .dimensionMismatch)
    }
}
