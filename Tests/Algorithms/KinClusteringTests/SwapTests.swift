import KinClustering
import KinTestSupport
import Synchronization
import Testing

@Suite("Cluster swaps")
struct SwapTests {
    @Test(
        "swaps find the optimum of separated clouds from nearly every start",
        arguments: [Metric.squaredL2, .cosine], [8, 20, 50])
    func separatedClouds(metric: Metric, k: Int) throws {
        var random = TestSeed().generator
        // Swaps use samples of clusters with more than 256 points.
        let data = ClusteredPoints(count: (k == 20 ? 600 : 60) * k, clouds: k, dimension: 8, width: 0.1, from: &random)
        let best = try KMeans(k: k, metric: metric, start: .centroids(data.centres)).fit(data.points).inertia
        func ratios(swaps: Bool) throws -> [Double] {
            try (0..<20).map { run in
                try KMeans(k: k, metric: metric, swaps: swaps, seed: run).fit(data.points).inertia / best
            }
        }
        let (found, without) = (try ratios(swaps: true), try ratios(swaps: false))
        #expect(found.count { $0 <= 1.0005 } >= 18, "\(found)")
        #expect(found.reduce(0, +) / 20 <= 1.005, "\(found)")
        #expect(without.count { $0 <= 1.0005 } < 18, "too easy, \(without)")
    }

    @Test("swaps lower the mean inertia of uniform points", arguments: [6, 40])
    func uniformPoints(k: Int) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.uniformMatrix(rows: 3_000, columns: 2)
        let weights = (0..<3_000).map { _ in Double(random.below(4)) }
        func mean(swaps: Bool) throws -> Double {
            try (0..<12).reduce(0.0) { sum, run in
                let found = try KMeans(k: k, swaps: swaps, seed: UInt64(run)).fit(points, weights: weights)
                let again = try found.assign(points)
                #expect(found.labels == again.labels)
                let inertia = zip(again.distances, weights).reduce(0) { $0 + $1.0 * $1.1 }
                #expect(abs(inertia - found.inertia) <= 1e-9 * inertia)
                return sum + found.inertia / 12
            }
        }
        #expect(try mean(swaps: true) < mean(swaps: false))
    }

    /// Only iterations count as units of work, so several reports of equal progress come from swaps.
    @Test("swaps report progress and can be cancelled")
    func cancellation() throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.uniformMatrix(rows: 3_000, columns: 2)
        let recipe = KMeans(k: 30, seed: 5, threads: 2)
        let expected = try recipe.fit(points)
        let calls = Mutex((done: 0, equal: 0))
        func fit(cancelling: Bool) throws -> Clustering {
            try withProgressHandler { () throws(KinError) in
                try recipe.fit(points)
            } onProgress: { done, _ in
                calls.withLock { calls in
                    calls.equal = done > 0 && done == calls.done ? calls.equal + 1 : 0
                    calls.done = done
                    return !(cancelling && calls.equal >= 3)
                }
            }
        }
        #expect(try fit(cancelling: false) == expected)
        #expect(errorCode { try fit(cancelling: true) } == .cancelled)
    }

    @Test("given centroids disable swaps")
    func givenCentroids() throws {
        var random = TestSeed().generator
        let data = ClusteredPoints(count: 900, clouds: 9, dimension: 3, width: 0.01, from: &random)
        // Two centroids in the first cloud and none in the last: only a swap would repair that.
        let start = data.points.picking(data.clouds.indices.filter { data.clouds[$0] == 0 }.prefix(2) + Array(1..<8))
        let recipe = KMeans(k: 9, start: .centroids(start))
        var without = recipe
        without.swaps = false
        #expect(try recipe.fit(data.points) == without.fit(data.points))
    }

    @Test("the distinct count excludes empty clusters", arguments: [true, false])
    func distinct(swaps: Bool) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.integerMatrix(rows: 300, columns: 2, below: 2)
        let found = try KMeans(k: 7, swaps: swaps).fit(points)
        #expect(found.distinctCount == 4 && found.k == 7 && found.inertia == 0)
        #expect(try KMeans(k: 3, swaps: swaps).fit(points).distinctCount == 3)
        // A different point of weight 0 does not justify a cluster.
        let weights = (0..<300).map { points[$0, 0] == 0 ? 0.0 : 1 }
        #expect(try KMeans(k: 3, swaps: swaps).fit(points, weights: weights).distinctCount == 2)
    }
}
