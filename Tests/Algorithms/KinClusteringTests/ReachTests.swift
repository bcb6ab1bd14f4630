import KinClustering
import KinTestSupport
import Testing

/// Runs with enough points and centroids to sort points by cluster and skip centroids out of reach.
@Suite("Centroids out of reach of a cluster are never the nearest")
struct ReachTests {
    private static let pointCount = 1 << 14
    private static let k = 600

    private func check(
        _ points: Matrix<Float>, metric: Metric = .squaredL2, iterations: Int = 4, _ note: String = ""
    ) throws {
        try expectExactLabels(points, k: Self.k, metric: metric, after: Array(3...iterations), note)
    }

    @Test("labels are exact for clustered and uniform data", arguments: [Metric.squaredL2, .cosine], [3, 16, 21])
    func data(metric: Metric, dimension: Int) throws {
        var random = TestSeed().generator
        let data = ClusteredPoints(
            count: Self.pointCount, clouds: 200, dimension: dimension, width: 0.1, from: &random)
        try check(data.points, metric: metric, "clouds")
        let uniform: Matrix<Float> = random.uniformMatrix(rows: Self.pointCount, columns: dimension)
        try check(uniform, metric: metric, "uniform")
    }

    @Test("labels are exact for squared distances beyond the range of floats", arguments: [1e-24, 1e24])
    func extremes(scale: Double) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.matrix(rows: Self.pointCount, columns: 4) { scale * $0.uniform() }
        try check(points, iterations: 3)
    }

    @Test("labels are exact for integers with tied distances")
    func ties() throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.integerMatrix(rows: Self.pointCount, columns: 5, below: 6)
        try check(points)
    }

    @Test("labels are exact for two centroids outside the grid that share points")
    func outliers() throws {
        var random = TestSeed().generator
        var points: Matrix<Float> = random.uniformMatrix(rows: Self.pointCount, columns: 3)
        // The first two of them are centroids at first.
        for i in 0..<60 {
            for j in 0..<3 { points[i < 2 ? i : i + 1_000, j] = Float(1e5 + 1e3 * random.uniform()) }
        }
        try check(points, iterations: 8)
    }
}
