import KinClustering
import KinTestSupport
import Testing

struct RestoreTests {
    @Test(arguments: [Metric.squaredL2, .cosine])
    func restoredCentroidsAssignAsBefore(metric: Metric) throws {
        var random = TestSeed().generator
        let points: Matrix<Float> = random.gaussianMatrix(rows: 700, columns: 5)
        let fitted = try KMeans(k: 9, metric: metric, seed: 3).fit(points)
        let restored = try Clustering(centroids: fitted.centroids, metric: metric)
        #expect(try restored.assign(points) == fitted.assign(points))
        #expect(restored.labels.isEmpty && restored.sizes == Array(repeating: 0, count: 9) && restored.k == 9)
    }

    @Test func invalidCentroidsAreRefused() {
        #expect(errorCode { try Clustering(centroids: Matrix(rows: 0, columns: 3)) } == .invalidArgument)
        #expect(errorCode { try Clustering(centroids: Matrix(rows: 3, columns: 0)) } == .invalidArgument)
        #expect(errorCode { try Clustering(centroids: Matrix(rows: [[1, .nan]])) } == .notFinite)
        #expect(errorCode { try Clustering(centroids: Matrix(rows: [[0, 0]]), metric: .cosine) } == .zeroVector)
        #expect(
            errorCode { try Clustering(centroids: Matrix(rows: [[1, 2]]), metric: .innerProduct) } == .invalidArgument)
    }
}
