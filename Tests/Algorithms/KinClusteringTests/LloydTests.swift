import KinClustering
import KinTestSupport
import Testing

@Suite("Lloyd's iteration equals its definition")
struct LloydTests {
    @Test(
        "labels, iterations and inertia equal plain loops, with and without screening",
        arguments: [Metric.squaredL2, .cosine], [1, 3, 16, 21])
    func matchesDefinition(metric: Metric, dimension: Int) throws {
        var random = TestSeed().generator
        // In one dimension there are only two directions.
        let dimension = metric == .cosine ? max(2, dimension) : dimension
        for (n, k) in [(40, 1), (40, 7), (200, 63), (200, 64), (400, 130)] {
            let data = ClusteredPoints(count: n, clouds: k, dimension: dimension, width: 0.2, from: &random)
            let weightings: [[Double]?] = [nil, (0..<n).map { _ in random.uniform() + 0.1 }]
            for weights in weightings {
                let start = data.points.picking(0..<k)
                let oracle = LloydOracle(
                    data.points, weights: weights, metric: metric, start: start, maximumIterations: 4)
                let found = try KMeans(
                    k: k, metric: metric, start: .centroids(start), maximumIterations: oracle.iterations, tolerance: 0
                ).fit(data.points, weights: weights)
                let note = "n \(n) k \(k) weighted \(weights != nil)"
                #expect(found.labels == oracle.labels, "\(note)")
                #expect(found.iterations == oracle.iterations, "\(note)")
                #expect(abs(found.inertia - oracle.inertia) <= 1e-9 * oracle.inertia, "\(note)")
                #expect(found.sizes == (0..<k).map { c in oracle.labels.count { $0 == c } }, "\(note)")
                #expect(found.centroids.elements.map(Double.init) == oracle.centroids.flatMap { $0 }, "\(note)")
            }
        }
    }

    @Test("results stay exact for uniform data, far offsets and outliers")
    func hardForTheScreen() throws {
        var random = TestSeed().generator
        for (offset, spread, outlier) in [(0.0, 1.0, 0.0), (1e6, 1.0, 0.0), (0, 1, 1e9), (-3e4, 1e-2, -1e7)] {
            var points: Matrix<Float> = random.matrix(rows: 400, columns: 16) { offset + spread * $0.uniform() }
            if outlier != 0 { for j in 0..<16 { points[5, j] = Float(outlier) } }
            let start = points.picking(0..<100)
            let oracle = LloydOracle(points, metric: .squaredL2, start: start, maximumIterations: 3)
            let found = try KMeans(k: 100, start: .centroids(start), maximumIterations: oracle.iterations, tolerance: 0)
                .fit(points)
            #expect(found.labels == oracle.labels, "offset \(offset) outlier \(outlier)")
            #expect(found.iterations == oracle.iterations, "offset \(offset) outlier \(outlier)")
        }
    }

    @Test("ties go to the centroid with the lowest number", arguments: [3, 64, 100])
    func ties(k: Int) throws {
        var random = TestSeed().generator
        // Integers: distances are exact, and many tie.
        let points: Matrix<Float> = random.integerMatrix(rows: 400, columns: 4, below: 3)
        let start: Matrix<Float> = random.integerMatrix(rows: k, columns: 4, below: 3)
        let clustering = try KMeans(k: k, start: .centroids(start), maximumIterations: 1).fit(points)
        let found = try clustering.assign(points)
        let centroids = (0..<k).map { clustering.centroids.row($0).map(Double.init) }
        for i in 0..<points.rows {
            let point = points.row(i).map(Double.init)
            let all = centroids.map { LloydOracle.distance(.squaredL2, $0, point) }
            #expect(found.labels[i] == all.firstIndex(of: all.min()!), "row \(i)")
            #expect(found.distances[i] == all.min(), "row \(i)")
        }
        #expect(clustering.labels == found.labels)
    }

    @Test(
        "few points are assigned as many, and centroids may be near each other or far from all points",
        arguments: [Metric.squaredL2, .cosine], [0.01, 1, 100])
    func anyNumberOfPoints(metric: Metric, spread: Double) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.gaussianMatrix(rows: 1_000, columns: 11)
        let centroids: Matrix<Float> = random.matrix(rows: 90, columns: 11) { spread * $0.gaussian() }
        let clustering = try Clustering(centroids: centroids, metric: metric)
        let all = try clustering.assign(points)
        for count in [1, 40, 247, 249] {
            let some = try clustering.assign(points.picking(0..<count))
            #expect(some.labels == Array(all.labels[..<count]), "\(count)")
            #expect(some.distances == Array(all.distances[..<count]), "\(count)")
        }
        for c in 0..<90 {
            #expect(
                try Clustering(centroids: centroids.picking([c]), metric: metric).assign(points).distances
                    .enumerated().allSatisfy {
                        all.distances[$0] <= $1 && (all.labels[$0] != c || all.distances[$0] == $1)
                    })
        }
    }

    @Test("a run reports convergence and stops at the tolerance")
    func convergence() throws {
        var random = TestSeed().generator
        let data = ClusteredPoints(count: 600, clouds: 5, dimension: 3, width: 0.2, from: &random)
        func run(_ iterations: Int, _ tolerance: Double) throws -> Clustering {
            try KMeans(
                k: 5, start: .centroids(data.points.picking(100..<105)), maximumIterations: iterations,
                tolerance: tolerance
            ).fit(data.points)
        }
        let whole = try run(1_000, 0)
        #expect(whole.isConverged && whole.iterations > 2)
        let short = try run(1, 0)
        #expect(!short.isConverged && short.iterations == 1)
        let rough = try run(1_000, 0.5)
        #expect(rough.isConverged && rough.iterations < whole.iterations)
        #expect(try run(1_000, 0) == whole)
        let again = try KMeans(k: 5, start: .centroids(whole.centroids)).fit(data.points)
        #expect(again.iterations == 1 && again.labels == whole.labels && again.isConverged)
    }

    @Test("the result does not depend on the number of threads", arguments: [Metric.squaredL2, .cosine], [10, 130])
    func threads(metric: Metric, k: Int) throws {
        var random = TestSeed().generator
        let data = ClusteredPoints(count: 10_000, clouds: 50, dimension: 12, width: 0.2, from: &random)
        let weights = (0..<10_000).map { _ in random.uniform() }
        var recipe = KMeans(k: k, metric: metric, restarts: 2, maximumIterations: 3, seed: 3)
        let one = try recipe.fit(data.points, weights: weights)
        #expect(try recipe.fit(data.points, weights: weights) == one)
        let assigned = try one.assign(data.points)
        #expect(assigned.labels == one.labels)
        for threads in [2, 5] {
            recipe.threads = threads
            #expect(try recipe.fit(data.points, weights: weights) == one, "threads \(threads)")
            let again = try one.assign(data.points, threads: threads)
            #expect(again.labels == assigned.labels && again.distances == assigned.distances)
        }
    }
}
