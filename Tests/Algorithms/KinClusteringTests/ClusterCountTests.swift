import KinTestSupport
import Testing

@testable import KinClustering

@Suite("Choosing the number of clusters")
struct ClusterCountTests {
    /// Silhouettes by definition.
    private func silhouette(_ points: Matrix<Float>, _ labels: [Int], _ weights: [Double], _ metric: Metric) -> Double {
        let rows = (0..<points.rows).map { points.row($0).map(Double.init) }
        func distance(_ i: Int, _ j: Int) -> Double {
            let distance = plainDistance(metric, rows[i], rows[j])
            return metric == .squaredL2 ? distance.squareRoot() : distance
        }
        var sum = 0.0
        for i in rows.indices {
            func mean(_ c: Int) -> Double? {
                let others = rows.indices.filter { labels[$0] == c && $0 != i }
                let total = others.reduce(0) { $0 + weights[$1] }
                return total > 0 ? others.reduce(0) { $0 + weights[$1] * distance(i, $1) } / total : nil
            }
            guard let a = mean(labels[i]) else { continue }
            let b = Set(labels).subtracting([labels[i]]).compactMap(mean).min()!
            sum += weights[i] * (b - a) / max(a, b)
        }
        return sum / weights.reduce(0, +)
    }

    @Test("silhouettes equal a direct computation", arguments: [Metric.squaredL2, .cosine], [1, 3])
    func silhouettes(metric: Metric, threads: Int) throws {
        var random = TestSeed().generator
        let data = ClusteredPoints(count: 120, clouds: 4, dimension: 3, width: 0.3, from: &random)
        let weights = (0..<120).map { _ in 0.1 + random.uniform() }
        let found = try KMeans(k: 5, metric: metric, seed: 1).fit(data.points, weights: weights)
        let exact = try found.silhouette(of: data.points, weights: weights, threads: threads)
        #expect(abs(exact - silhouette(data.points, found.labels, weights, metric)) < 1e-9)

        let sampled = try found.silhouette(of: data.points, weights: weights, sample: 60, seed: 4)
        #expect(abs(sampled - exact) < 0.2 && sampled != exact)
        #expect(sampled == (try found.silhouette(of: data.points, weights: weights, sample: 60, seed: 4, threads: 2)))
    }

    static let criteria = [KMeans.Criterion.silhouette, .gap(references: 3)]

    @Test("every criterion finds well-separated clusters", arguments: criteria)
    func planted(criterion: KMeans.Criterion) throws {
        var random = TestSeed().generator
        // Four clouds at corners of a square, and a fifth in its middle.
        let centres = [[-1.0, -1], [-1, 1], [1, -1], [1, 1], [0, 0]]
        var points = Matrix<Float>(rows: 400, columns: 2)
        for i in 0..<400 {
            for j in 0..<2 { points[i, j] = Float(centres[i % 5][j] + 0.05 * random.gaussian()) }
        }
        let recipe = KMeans(k: .chosen(2...8, by: criterion), restarts: 3, seed: 1)
        let found = try recipe.fit(points)
        let choice = try #require(found.choice)
        #expect(found.k == 5 && choice.k == 5 && choice.criterion == criterion)
        #expect(choice.candidates.map(\.k) == Array(2...8) && choice.pointCount == 400)
        for candidate in choice.candidates {
            let alone = try KMeans(k: candidate.k, restarts: 3, seed: 1).fit(points)
            #expect(alone.inertia == candidate.inertia && alone.choice == nil, "k \(candidate.k)")
            if criterion == .silhouette { #expect(try alone.silhouette(of: points) == candidate.score) }
            #expect((candidate.standardError != nil) == (criterion == .gap(references: 3)))
        }
        #expect(try recipe.fit(points) == found)
    }

    @Test("the gap statistic finds one cluster in uniform data and follows its rule")
    func gap() throws {
        var random = TestSeed().generator
        let uniform: Matrix<Float> = random.uniformMatrix(rows: 300, columns: 3)
        let found = try KMeans(k: .chosen(1...4, by: .gap(references: 8)), restarts: 2, seed: 1).fit(uniform)
        #expect(found.k == 1)
        let equal = Matrix<Float>(rows: 20, columns: 2, repeating: 3)
        #expect(try KMeans(k: .chosen(1...3, by: .gap(references: 2))).fit(equal).k == 1)
        let choice = try #require(found.choice)
        let (first, second) = (choice.candidates[0], choice.candidates[1])
        #expect(first.score >= second.score - (try #require(second.standardError)))
    }

    @Test("large data are sampled, without the points of weight 0")
    func sample() throws {
        var random = TestSeed().generator
        let data = ClusteredPoints(count: 2_000, clouds: 6, dimension: 4, width: 0.02, from: &random)
        var weights = [Double](repeating: 1, count: 2_000)
        for i in stride(from: 1, to: 2_000, by: 2) { weights[i] = 0 }
        let recipe = KMeans(k: .chosen(2...9, sample: 500), restarts: 4, seed: 2)
        let found = try recipe.fit(data.points, weights: weights)
        #expect(found.k == 6 && found.labels.count == 2_000)
        #expect(found.choice?.pointCount == 500)
        var generator = TestSeed().generator
        let sample = PointSample(data.points, weights: weights, size: 990, &generator)
        #expect(Set(sample.picks).count == 990 && sample.picks == sample.picks.sorted())
        #expect(sample.picks.allSatisfy { weights[$0] > 0 })
        #expect(sample.points == data.points.picking(sample.picks))
    }

    @Test("ranges of k that the criterion cannot judge are refused")
    func errors() {
        let points = Matrix<Float>(rows: 10, columns: 2, repeating: 1)
        let cases: [KMeans] = [
            KMeans(k: .chosen(1...4)), KMeans(k: .chosen(0...4, by: .gap())),
            KMeans(k: .chosen(2...11)), KMeans(k: .chosen(2...6, sample: 5)),
            KMeans(k: .chosen(1...1, by: .gap())), KMeans(k: .chosen(1...4, by: .gap(references: 0))),
            KMeans(k: .chosen(1...4, by: .gap()), metric: .cosine),
            KMeans(k: .chosen(2...4), start: .centroids(points.picking([0, 1]))),
        ]
        for recipe in cases { #expect(errorCode { try recipe.fit(points) } == .invalidArgument, "\(recipe.k)") }
        let weights = [Double](repeating: 0, count: 7) + [1, 1, 1]
        #expect(errorCode { try KMeans(k: .chosen(2...4)).fit(points, weights: weights) } == .invalidArgument)
    }

    @Test("silhouettes of one cluster, of no points or of one sampled point are refused")
    func silhouetteErrors() throws {
        let points = try Matrix<Float>(rows: [[0], [1], [5]])
        let (one, two) = (try KMeans(k: 1).fit(points), try KMeans(k: 2).fit(points))
        #expect(errorCode { try one.silhouette(of: points) } == .invalidArgument)
        #expect(errorCode { try two.silhouette(of: points, sample: 1) } == .invalidArgument)
        #expect(errorCode { try two.silhouette(of: points, threads: 0) } == .invalidArgument)
        #expect(errorCode { try two.silhouette(of: points, weights: [1]) } == .invalidArgument)
        #expect(errorCode { try two.silhouette(of: Matrix(rows: 0, columns: 1)) } == .invalidArgument)
        #expect(errorCode { try two.silhouette(of: Matrix(rows: 1, columns: 2)) } == .dimensionMismatch)
    }
}
