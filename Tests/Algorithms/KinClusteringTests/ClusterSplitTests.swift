import KinTestSupport
import Testing

@testable import KinClustering

struct ClusterSplitTests {
    /// The inertia of points around their mean.
    private func inertia(_ points: [[Double]]) -> Double {
        points[0].indices.reduce(0.0) { sum, j in
            let numbers: [Double] = points.map { $0[j] }
            let mean = numbers.reduce(0, +) / Double(numbers.count)
            return sum + numbers.reduce(0.0) { $0 + ($1 - mean) * ($1 - mean) }
        }
    }

    @Test("a split's gain equals the inertia it removes, and the merged clouds are split")
    func splits() throws {
        var random = TestSeed().generator
        // Four clouds; the start gives one centroid to the first two of them.
        let centres: [[Double]] = [[5, 1, 0], [5, -1, 0], [-5, 0, 8], [-5, 0, -8]]
        var points = Matrix<Float>(rows: 400, columns: 3)
        for i in 0..<400 {
            for j in 0..<3 { points[i, j] = Float(centres[i % 4][j] + 0.1 * random.gaussian()) }
        }
        let start = try Matrix<Float>(rows: [[-5, 0, 8], [5, 0, 0], [-5, 0, -8]])
        let found = try KMeans(k: 3, start: .centroids(start)).fit(points)
        let split = try #require(found.bestSplit(of: points, threads: 1))
        #expect(split.cluster == 1)
        func total(_ residues: [Int]) -> Double {
            inertia((0..<400).filter { residues.contains($0 % 4) }.map { points.row($0).map(Double.init) })
        }
        #expect(abs(split.gain - (total([0, 1]) - total([0]) - total([1]))) < 1e-9 * Double(400))
        let halves = try KMeans(k: 2, start: .centroids(split.centroids), maximumIterations: 1)
            .fit(points.picking((0..<400).filter { $0 % 4 < 2 }))
        #expect(halves.sizes == [100, 100])
        let again = try #require(found.bestSplit(of: points, threads: 3))
        #expect(again.cluster == 1 && again.gain == split.gain && again.centroids == split.centroids)
    }

    @Test("in one dimension the split is optimal, and equal points have none")
    func bestCut() throws {
        var random = TestSeed().generator
        for n in [2, 3, 10, 30] {
            let points: Matrix<Float> = random.integerMatrix(rows: n, columns: 1, below: 20)
            let order = (0..<n).map { Double(points[$0, 0]) }.sorted()
            func part(_ members: some Collection<Double>) -> Double { inertia(members.map { [$0] }) }
            let best = (1..<n).map { part(order) - part(order[..<$0]) - part(order[$0...]) }.max()!
            let split = try KMeans(k: 1).fit(points).bestSplit(of: points, threads: 1)
            #expect(abs((split?.gain ?? 0) - best) < 1e-9, "n \(n)")
            #expect((split == nil) == (order[0] == order[n - 1]), "n \(n)")
        }
        let points = try Matrix<Float>(rows: [[1, 0], [1, 0], [0, 1]])
        #expect(try KMeans(k: 2).fit(points).bestSplit(of: points, threads: 1) == nil)
    }
}
