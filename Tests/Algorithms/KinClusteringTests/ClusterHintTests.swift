import KinTestSupport
import Testing

@testable import KinClustering

@Suite("Hints to merge and split clusters")
struct ClusterHintTests {
    /// The inertia of points around their (normalised) mean, in double precision.
    private func inertia(_ points: [[Double]], _ weights: [Double], _ metric: Metric) -> Double {
        let rows = points.map { x in
            let length = metric == .cosine ? x.reduce(0) { $0 + $1 * $1 }.squareRoot() : 1
            return x.map { $0 / length }
        }
        let d = points[0].count
        var sum = [Double](repeating: 0, count: d)
        for (row, weight) in zip(rows, weights) {
            for j in 0..<d { sum[j] += weight * row[j] }
        }
        let total = weights.reduce(0, +)
        if metric == .cosine { return total - sum.reduce(0) { $0 + $1 * $1 }.squareRoot() }
        return zip(rows, weights).reduce(0) { result, row in
            result + row.1 * (0..<d).reduce(0) { $0 + (row.0[$1] - sum[$1] / total) * (row.0[$1] - sum[$1] / total) }
        }
    }

    @Test("the cost of a merge equals the inertia it adds", arguments: [Metric.squaredL2, .cosine])
    func merges(metric: Metric) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.uniformMatrix(rows: 200, columns: 4, in: -1...1)
        let weights = (0..<200).map { _ in 0.5 + random.uniform() }
        let found = try KMeans(k: 7, metric: metric, maximumIterations: 1_000, tolerance: 0, seed: 1)
            .fit(points, weights: weights)
        #expect(found.isConverged)
        func union(_ clusters: [Int]) -> Double {
            let members = (0..<200).filter { clusters.contains(found.labels[$0]) }
            return inertia(members.map { points.row($0).map(Double.init) }, members.map { weights[$0] }, metric)
        }
        let hints = try found.mergeHints(count: 100)
        #expect(hints.count == 21)
        for hint in hints {
            let (a, b) = (hint.clusters[0], hint.clusters[1])
            let expected = union([a, b]) - union([a]) - union([b])
            #expect(a < b && abs(hint.increase - expected) < 1e-5, "\(a) \(b)")
            #expect(abs(hint.relativeIncrease - hint.increase / found.inertia) < 1e-12)
        }
        #expect(zip(hints, hints.dropFirst()).allSatisfy { $0.increase <= $1.increase })
        #expect(try found.mergeHints(count: 3) == Array(hints.prefix(3)))
    }

    @Test("empty clusters and a single cluster have no merge hints")
    func noMerges() throws {
        let points = try Matrix<Float>(rows: [[0], [0], [1], [1]])
        let found = try KMeans(k: 4).fit(points)
        let hints = try found.mergeHints()
        #expect(hints.count == 1 && hints[0].relativeIncrease == .infinity && hints[0].increase == 1)
        #expect(try KMeans(k: 1).fit(points).mergeHints().isEmpty)
        #expect(try found.mergeHints(count: 0).isEmpty)
        #expect(errorCode { try found.mergeHints(count: -1) } == .invalidArgument)
    }

    @Test(
        "a split's gain equals the inertia it removes, and merged clouds come first",
        arguments: [Metric.squaredL2, .cosine])
    func splits(metric: Metric) throws {
        var random = TestSeed().generator
        // Four clouds; the start gives one centroid to the first two of them.
        let centres: [[Double]] = [[5, 1, 0], [5, -1, 0], [-5, 0, 8], [-5, 0, -8]]
        var points = Matrix<Float>(rows: 400, columns: 3)
        for i in 0..<400 {
            for j in 0..<3 { points[i, j] = Float(centres[i % 4][j] + 0.1 * random.gaussian()) }
        }
        let weights = (0..<400).map { _ in 0.5 + random.uniform() }
        let start = try Matrix<Float>(rows: [[5, 0, 0], [-5, 0, 8], [-5, 0, -8]])
        let found = try KMeans(k: 3, metric: metric, start: .centroids(start)).fit(points, weights: weights)
        let hints = try found.splitHints(of: points, weights: weights)
        #expect(hints.count == 3 && hints[0].cluster == 0)
        #expect(hints[0].isUnlikelyOneCloud && hints[0].relativeGain > 0.7)
        for hint in hints.dropFirst() { #expect(!hint.isUnlikelyOneCloud && hint.relativeGain < 0.5) }
        func total(_ residues: [Int]) -> Double {
            let members = (0..<400).filter { residues.contains($0 % 4) }
            return inertia(members.map { points.row($0).map(Double.init) }, members.map { weights[$0] }, metric)
        }
        #expect(abs(hints[0].gain - (total([0, 1]) - total([0]) - total([1]))) < 1e-9 * Double(400))
        let halves = try KMeans(k: 2, metric: metric, start: .centroids(hints[0].centroids), maximumIterations: 1)
            .fit(points.picking((0..<400).filter { $0 % 4 < 2 }))
        #expect(halves.sizes == [100, 100])
        #expect(try found.splitHints(of: points, weights: weights, count: 1, threads: 3) == Array(hints.prefix(1)))
    }

    @Test("in one dimension the split is optimal")
    func bestCut() throws {
        var random = TestSeed().generator
        for n in [2, 3, 10, 30] {
            let points: Matrix<Float> = random.integerMatrix(rows: n, columns: 1, below: 20)
            let weights = (0..<n).map { _ in 0.5 + random.uniform() }
            let order = (0..<n).sorted { points[$0, 0] < points[$1, 0] }
            func part(_ members: some Collection<Int>) -> Double {
                inertia(members.map { [Double(points[$0, 0])] }, members.map { weights[$0] }, .squaredL2)
            }
            let best = (1..<n).map { part(order) - part(order[..<$0]) - part(order[$0...]) }.max()!
            let found = try KMeans(k: 1).fit(points, weights: weights)
            let hints = try found.splitHints(of: points, weights: weights)
            #expect(abs((hints.first?.gain ?? 0) - best) < 1e-9, "n \(n)")
            #expect(hints.isEmpty == (best == 0), "n \(n)")
        }
    }

    @Test("clusters of equal points have no split hints, and invalid arguments are refused")
    func splitErrors() throws {
        let points = try Matrix<Float>(rows: [[1, 0], [1, 0], [0, 1]])
        let found = try KMeans(k: 2).fit(points)
        #expect(try found.splitHints(of: points).isEmpty)
        #expect(errorCode { try found.splitHints(of: points.picking([0, 1])) } == .dimensionMismatch)
        #expect(errorCode { try found.splitHints(of: Matrix(rows: 3, columns: 1)) } == .dimensionMismatch)
        #expect(errorCode { try found.splitHints(of: points, count: -1) } == .invalidArgument)
        #expect(errorCode { try found.splitHints(of: points, threads: 0) } == .invalidArgument)
        #expect(errorCode { try found.splitHints(of: points, weights: [1]) } == .invalidArgument)
    }

    @Test("the Anderson–Darling statistic equals SciPy's with the small-sample correction")
    func andersonDarling() throws {
        // scipy.stats.anderson(x).statistic · (1 + 4 ∕ n − 25 ∕ n²)
        let one = try #require(
            AndersonDarling.statistic([2.1, -0.4, 0.3, 1.9, 3.3, -1.2, 0.8, 0.1, 2.6, -0.9, 4, 1.1]))
        #expect(abs(one - 0.1888774080060329) < 1e-12)
        let two = try #require(AndersonDarling.statistic([0, 0.1, 0.2, 0.3, 10, 10.1, 10.2, 10.3, 10.4, 10.5]))
        #expect(abs(two - 1.8261435674186273) < 1e-12)
        #expect(AndersonDarling.statistic([1, 2, 3, 4, 5, 6, 7]) == nil)
        #expect(AndersonDarling.statistic([Double](repeating: 3, count: 9)) == nil)
        // One number so far away that its tail probability underflows.
        let far = try #require(AndersonDarling.statistic([Double](repeating: 0, count: 5_000) + [1] + [1e9]))
        #expect(far.isFinite && far > 1_000)
    }
}
