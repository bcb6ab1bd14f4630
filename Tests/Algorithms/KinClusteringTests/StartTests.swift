import KinTestSupport
import Testing

@testable import KinClustering

@Suite("k-means initialisation")
struct StartTests {
    /// The probability that k-means++ leaves a point out when it draws all but one, computed over all orders.
    private func leftOut(_ points: [Double], weights: [Double]) -> [Double] {
        var result = [Double](repeating: 0, count: points.count)
        func go(_ sampled: [Int], _ probability: Double) {
            guard sampled.count < points.count - 1 else {
                result[points.indices.first { !sampled.contains($0) }!] += probability
                return
            }
            let masses = points.indices.map { i -> Double in
                let distances = sampled.map { (points[i] - points[$0]) * (points[i] - points[$0]) }
                return weights[i] * (distances.min() ?? 1)
            }
            let total = masses.reduce(0, +)
            for i in points.indices where masses[i] > 0 { go(sampled + [i], probability * masses[i] / total) }
        }
        go([], 1)
        return result
    }

    @Test("rejection sampling follows the k-means++ distribution")
    func rejection() throws {
        let points: [Double] = [0, 1, 1.5, 4, 4.5, 9, 10]
        let weights: [Double] = [1, 2, 1, 0.5, 3, 1, 2]
        let expected = leftOut(points, weights: weights)
        var counts = [Int](repeating: 0, count: points.count)
        let runs = 4_000
        let matrix = try Matrix(rows: points.map { [Float($0)] })
        PointRows.withRows(of: matrix) { rows in
            let lloyd = Lloyd(points: rows, weights: weights, metric: .squaredL2, k: 6, threads: 1)
            for seed in 0..<UInt64(runs) {
                var generator = SeededGenerator(seed: seed)
                let work = RunPoints(rows, pointWeights: lloyd.pointWeights, metric: .squaredL2)
                let sampled = lloyd.plusPlus(work, &generator).centroids.elements.map(Double.init)
                counts[points.firstIndex { !sampled.contains($0) }!] += 1
                for (i, x) in points.enumerated() {
                    let nearest = sampled.map { abs($0 - x) }.min()
                    #expect(abs(sampled[work.labels[i]] - x) == nearest, "seed \(seed)")
                }
            }
        }
        for (i, count) in counts.enumerated() {
            let deviation = (expected[i] * (1 - expected[i]) * Double(runs)).squareRoot()
            #expect(abs(Double(count) - expected[i] * Double(runs)) < 5 * deviation + 1, "point \(i): \(count)")
        }
    }

    @Test(
        "k-means++ assigns each point to its nearest start centroid", arguments: [Metric.squaredL2, .cosine], [5, 90])
    func startIsAssigned(metric: Metric, k: Int) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.uniformMatrix(rows: 700, columns: 6, in: -1...1)
        PointRows.withRows(of: points) { rows in
            let lloyd = Lloyd(points: rows, weights: nil, metric: metric, k: k, threads: 1)
            let work = RunPoints(rows, pointWeights: lloyd.pointWeights, metric: metric)
            var generator = random
            let initial = lloyd.plusPlus(work, &generator)
            #expect(initial.isAssigned)
            let centroids = (0..<k).map { initial.centroids.row($0).map(Double.init) }
            for i in 0..<points.rows {
                let all = centroids.map { LloydOracle.distance(metric, $0, points.row(i).map(Double.init)) }
                #expect(work.labels[i] == all.firstIndex(of: all.min()!), "row \(i)")
            }
        }
    }

    @Test("k-means|| finds planted clusters, with any number of threads", arguments: [Metric.squaredL2, .cosine])
    func scalable(metric: Metric) throws {
        var random = TestSeed().generator
        let data = ClusteredPoints(count: 9_000, clouds: 30, dimension: 8, width: 0.01, from: &random)
        let weights = (0..<9_000).map { _ in 0.5 + random.uniform() }
        var recipe = KMeans(k: 30, metric: metric, start: .kMeansParallel(), restarts: 2, seed: 3)
        let found = try recipe.fit(data.points, weights: weights)
        #expect(Set(zip(data.clouds, found.labels).map { [$0, $1] }).count == 30)
        #expect(found.iterations < 10)
        recipe.threads = 3
        #expect(try recipe.fit(data.points, weights: weights) == found)
    }

    @Test("k-means|| handles few candidates, few distinct points and k equal to n")
    func scalableExtremes() throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.uniformMatrix(rows: 200, columns: 3)
        let few = try KMeans(k: 40, start: .kMeansParallel(rounds: 1, oversampling: 0.1)).fit(points)
        #expect(few.sizes.allSatisfy { $0 > 0 })
        let all = try KMeans(k: 200, start: .kMeansParallel()).fit(points)
        #expect(all.inertia == 0)
        let integers: Matrix<Float> = random.integerMatrix(rows: 300, columns: 2, below: 2)
        let same = try KMeans(k: 50, start: .kMeansParallel()).fit(integers)
        #expect(same.inertia == 0 && same.sizes.count { $0 > 0 } == 4)
        #expect(errorCode { try KMeans(k: 2, start: .kMeansParallel(rounds: 0)).fit(points) } == .invalidArgument)
        for oversampling in [0, -1, 101, .nan] {
            let recipe = KMeans(k: 2, start: .kMeansParallel(oversampling: oversampling))
            #expect(errorCode { try recipe.fit(points) } == .invalidArgument)
        }
    }

    @Test(
        "sorting the points by cluster keeps labels, weights and inertias correct",
        arguments: [Metric.squaredL2, .cosine])
    func sorted(metric: Metric) throws {
        var random = TestSeed().generator
        // Enough points for a run to sort them, with weights, some of them 0.
        let data = ClusteredPoints(count: 1 << 14, clouds: 90, dimension: 5, width: 0.2, from: &random)
        let weights = (0..<1 << 14).map { _ in Double(random.below(3)) }
        var recipe = KMeans(k: 80, metric: metric, maximumIterations: 6, tolerance: 0, seed: 1)
        let found = try recipe.fit(data.points, weights: weights)
        recipe.threads = 3
        #expect(try recipe.fit(data.points, weights: weights) == found)
        let again = try found.assign(data.points)
        #expect(found.labels == again.labels)
        var totals = [Double](repeating: 0, count: 80)
        var inertias = totals
        for (i, label) in found.labels.enumerated() {
            totals[label] += weights[i]
            inertias[label] += weights[i] * again.distances[i]
        }
        #expect(totals == found.weights)
        for c in 0..<80 { #expect(abs(inertias[c] - found.inertias[c]) <= 1e-9 * inertias[c], "cluster \(c)") }
        #expect(abs(inertias.reduce(0, +) - found.inertia) <= 1e-9 * found.inertia)
    }
}
