import KinClustering
import KinTestSupport
import Testing

@Suite("k-means")
struct KMeansTests {
    @Test("finds planted clusters", arguments: [Metric.squaredL2, .cosine])
    func plantedClusters(metric: Metric) throws {
        var random = TestSeed().generator
        let data = ClusteredPoints(count: 4_000, clouds: 12, dimension: 8, width: 0.01, from: &random)
        let found = try KMeans(k: 12, metric: metric, restarts: 8, seed: 5).fit(data.points)
        let pairs = Set(zip(data.clouds, found.labels).map { [$0, $1] })
        #expect(pairs.count == 12, "one cluster for each cloud and one cloud for each cluster")
        #expect(Set(found.labels).count == 12)
        #expect(found.isConverged)
        #expect(found.sizes.reduce(0, +) == 4_000)
        for c in 0..<12 where metric == .cosine {
            let square = found.centroids.row(c).reduce(0.0) { $0 + Double($1) * Double($1) }
            #expect(abs(square - 1) < 1e-6)
        }
    }

    @Test("k-means++ draws by weight and squared distance")
    func plusPlusProbabilities() throws {
        // The first point is so heavy that it is drawn first in all but one of 500,000 runs. The next one is then 1
        // with probability 1 ∕ 7.25, and 2.5 with probability 6.25 ∕ 7.25, by the squared distances.
        let points = try Matrix<Float>(rows: [[0], [1], [2.5]])
        let weights = [1e6, 1, 1]
        var far = 0
        let runs = 2_000
        for seed in 0..<UInt64(runs) {
            let found = try KMeans(k: 2, swaps: false, maximumIterations: 1, seed: seed)
                .fit(points, weights: weights)
            // Started at {0, 2.5} the clusters end as {0, 1} and {2.5}; started at {0, 1}, as {0} and {1, 2.5}.
            if found.labels[0] == found.labels[1] { far += 1 }
            #expect(found.labels[0] != found.labels[2])
        }
        let share = 6.25 / 7.25
        let deviation = (share * (1 - share) * Double(runs)).squareRoot()
        #expect(abs(Double(far) - share * Double(runs)) < 5 * deviation, "\(far) of \(runs)")
    }

    @Test("different seeds start differently, and more restarts never raise the inertia")
    func restarts() throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.uniformMatrix(rows: 500, columns: 2)
        let inertias = try (0..<6).map { try KMeans(k: 9, swaps: false, seed: $0).fit(points).inertia }
        #expect(Set(inertias).count > 1)
        var last = Double.infinity
        for restarts in 1...6 {
            let inertia = try KMeans(k: 9, restarts: restarts, seed: 1).fit(points).inertia
            #expect(inertia <= last)
            last = inertia
        }
    }

    @Test("one cluster is the mean, and one cluster per point is that point")
    func extremes() throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.integerMatrix(rows: 64, columns: 3, below: 1_000)
        let one = try KMeans(k: 1).fit(points)
        for j in 0..<3 {
            let mean = (0..<64).reduce(0.0) { $0 + Double(points[$1, j]) } / 64
            #expect(one.centroids[0, j] == Float(mean))
        }
        #expect(one.sizes == [64] && one.weights == [64])
        let all = try KMeans(k: 64).fit(points)
        #expect(all.inertia == 0 && Set(all.labels).count == 64)
        let single = try KMeans(k: 1).fit(points.picking([7]))
        #expect(single.centroids.elements == Array(points.row(7)) && single.inertia == 0)
    }

    @Test("an integer weight counts as that number of equal points")
    func weights() throws {
        var random = TestSeed().generator
        // Integers: every sum is exact in any order.
        let points: Matrix<Float> = random.integerMatrix(rows: 300, columns: 3, below: 50)
        let weights = (0..<300).map { $0 < 8 ? 1 : random.below(4) }
        let start = KMeans.Start.centroids(points.picking(0..<8))
        let weighted = try KMeans(k: 8, start: start, tolerance: 0).fit(points, weights: weights.map(Double.init))
        let repeated = try KMeans(k: 8, start: start, tolerance: 0)
            .fit(points.picking(weights.indices.flatMap { Array(repeating: $0, count: weights[$0]) }))
        #expect(weighted.centroids == repeated.centroids)
        #expect(weighted.weights == repeated.sizes.map(Double.init))
        // A run continues while labels change, including those of points without weight: at most one more iteration.
        #expect((0...1).contains(weighted.iterations - repeated.iterations))
        #expect(abs(weighted.inertia - repeated.inertia) <= 1e-9 * repeated.inertia)
    }

    @Test("empty clusters receive the points with the highest cost")
    func repair() throws {
        // Centroids 1 to 3 have no points. The points farthest from cluster 0 are 90, then 50. The second 90 is skipped
        // because 90 already has a centroid, so 10 comes third.
        let points = try Matrix<Float>(rows: [[0], [0], [10], [50], [90], [90]])
        let start = try Matrix<Float>(rows: [[0], [-500], [-600], [-700]])
        let found = try KMeans(k: 4, start: .centroids(start), maximumIterations: 100).fit(points)
        #expect(found.labels == [0, 0, 3, 2, 1, 1])
        #expect(found.centroids.elements == [0, 90, 50, 10])
        #expect(found.inertia == 0 && found.isConverged)

        // With its weight, 10 is worse off than 50 and 90.
        let heavy = try KMeans(k: 2, start: .centroids(start.picking(0..<2)), maximumIterations: 1)
            .fit(points, weights: [1, 1, 1e6, 1, 1, 1])
        #expect(heavy.centroids[1, 0] == 10)
    }

    @Test("equal start centroids all receive points, with and without screening", arguments: [5, 90])
    func equalStart(k: Int) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.uniformMatrix(rows: 1_000, columns: 4)
        let start = Matrix<Float>(rows: k, columns: 4, repeating: 0.5)
        for metric in [Metric.squaredL2, .cosine] {
            let found = try KMeans(k: k, metric: metric, start: .centroids(start)).fit(points)
            #expect(found.sizes.allSatisfy { $0 > 0 }, "\(metric)")
            #expect(found.isConverged, "\(metric)")
        }
    }

    /// Starts with every distinct point, with drawn points, and with one position (thousands of points are then equally
    /// bad). The 20,000 points are sorted by cluster along the way.
    @Test("with fewer distinct points than clusters, the other clusters are empty", arguments: 0..<3, [500, 20_000])
    func duplicates(start: Int, rows: Int) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.integerMatrix(rows: rows, columns: 2, below: 2)
        let starts: [KMeans.Start] = [
            .centroids(points.picking(0..<100)), .plusPlus, .centroids(Matrix(rows: 100, columns: 2, repeating: 0.5)),
        ]
        let found = try KMeans(k: 100, start: starts[start], maximumIterations: 50).fit(points)
        #expect(found.sizes.count { $0 > 0 } == 4)
        #expect(found.inertia == 0 && found.isConverged)
        #expect(found.iterations < 10)
    }

    @Test("points with cancelling directions leave the centroid unchanged")
    func oppositeDirections() throws {
        let points = try Matrix<Float>(rows: [[2, 0], [-4, 0]])
        let start = try Matrix<Float>(rows: [[0, 5]])
        let found = try KMeans(k: 1, metric: .cosine, start: .centroids(start)).fit(points)
        #expect(found.centroids.elements == [0, 1])
        #expect(found.inertia == 2 && found.isConverged)
    }
}
