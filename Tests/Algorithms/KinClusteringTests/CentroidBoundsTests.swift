import KinClustering
import KinTestSupport
import Testing

/// Runs with too few centroids for codes, which therefore use bounds.
@Suite("A point whose bound excludes all other centroids keeps its label")
struct CentroidBoundsTests {
    private func check(
        _ points: Matrix<Float>, k: Int, metric: Metric = .squaredL2, start: KMeans.Start? = nil, _ note: String = ""
    ) throws {
        try expectExactLabels(points, k: k, metric: metric, start: start, after: [1, 2, 5, 12], note)
    }

    @Test(
        "labels are exact for clustered and uniform data", arguments: [Metric.squaredL2, .cosine], [1, 2, 7, 23])
    func data(metric: Metric, k: Int) throws {
        var random = TestSeed().generator
        for dimension in [2, 16, 21] {
            let data = ClusteredPoints(count: 3_000, clouds: 12, dimension: dimension, width: 0.1, from: &random)
            try check(data.points, k: k, metric: metric, "clouds")
            try check(data.points, k: k, metric: metric, start: .plusPlus, "clouds and swaps")
            let uniform: Matrix<Float> = random.uniformMatrix(rows: 3_000, columns: dimension)
            try check(uniform, k: k, metric: metric, "uniform")
        }
    }

    @Test("labels are exact for tiny and huge squared distances", arguments: [1e-24, 1e24])
    func extremes(scale: Double) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.matrix(rows: 3_000, columns: 4) { scale * $0.uniform() }
        try check(points, k: 9)
    }

    @Test("labels are exact for integers with tied distances, also when clusters become empty", arguments: [2, 6])
    func ties(below: Int) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.integerMatrix(rows: 3_000, columns: 3, below: below)
        try check(points, k: 20)
    }
}

/// Runs some numbers of iterations and expects every label and the inertia to match a search among all centroids.
func expectExactLabels(
    _ points: Matrix<Float>, k: Int, metric: Metric, start: KMeans.Start? = nil, after iterations: [Int], _ note: String
) throws {
    let start = start ?? .centroids(points.picking(0..<k))
    for count in iterations {
        let found = try KMeans(k: k, metric: metric, start: start, maximumIterations: count, tolerance: 0).fit(points)
        let assigned = try found.assign(points)
        #expect(found.labels == assigned.labels, "\(note) k \(k) iterations \(count)")
        let inertia = assigned.distances.reduce(0, +)
        #expect(abs(found.inertia - inertia) <= 1e-12 * inertia, "\(note) k \(k) iterations \(count)")
    }
}
