import KinClustering
import KinTestSupport
import Testing

@Suite("k-means errors")
struct KMeansErrorTests {
    private let points = Matrix<Float>(rows: 5, columns: 3, repeating: 1)

    private func refusal(
        _ recipe: KMeans, _ points: Matrix<Float>? = nil, weights: [Double]? = nil
    ) -> KinError? {
        kinError { try recipe.fit(points ?? self.points, weights: weights) }
    }

    @Test("out-of-range parameters are refused by name")
    func parameters() {
        let cases: [(KMeans, String)] = [
            (KMeans(k: 0), "k must be from 1 to 5"), (KMeans(k: 6), "not 6"), (KMeans(k: -1), "not -1"),
            (KMeans(k: 1, metric: .innerProduct), "l2 or cosine"),
            (KMeans(k: 1, restarts: 0), "restarts must be from 1 to 1000000, not 0"),
            (KMeans(k: 1, maximumIterations: 0), "the largest number of iterations must be 1 or more, not 0"),
            (KMeans(k: 1, tolerance: -0.1), "below 1, not -0.1"), (KMeans(k: 1, tolerance: .nan), "below 1, not nan"),
            (KMeans(k: 1, threads: 0), "threads must be 1 or more, not 0"),
            (KMeans(k: 1, start: .centroids(points.picking([0])), restarts: 2), "restarts is 2"),
        ]
        for (recipe, name) in cases {
            let error = refusal(recipe)
            #expect(error?.code == .invalidArgument && error?.description.contains(name) == true, "\(name)")
        }
        #expect(refusal(KMeans(k: 1), Matrix(rows: 5, columns: 0))?.code == .invalidArgument)
        #expect(refusal(KMeans(k: 1), Matrix(rows: 0, columns: 3))?.code == .invalidArgument)
    }

    @Test("rows with NaN or infinity are refused by number", arguments: [Float.nan, .infinity, -.infinity])
    func rows(value: Float) {
        var broken = points
        broken[3, 1] = value
        let error = refusal(KMeans(k: 2), broken)
        #expect(error?.code == .notFinite && error?.description.contains("row 3") == true)
        let start = refusal(KMeans(k: 5, start: .centroids(broken)))
        #expect(start?.code == .notFinite)
        #expect(start?.description.contains("start") == true && start?.description.contains("row 3") == true)
    }

    @Test("zero vectors are refused under cosine")
    func zeroVectors() {
        var broken = points
        for j in 0..<3 { broken[2, j] = 0 }
        let error = refusal(KMeans(k: 2, metric: .cosine), broken)
        #expect(error?.code == .zeroVector && error?.description.contains("row 2") == true)
        #expect(refusal(KMeans(k: 5, metric: .cosine, start: .centroids(broken)))?.code == .zeroVector)
        #expect(refusal(KMeans(k: 2), broken) == nil)
    }

    @Test("invalid weights are refused")
    func weights() {
        for weight in [-1, 1e101, 1e-101] {
            let error = refusal(KMeans(k: 2), weights: [1, 1, 1, 1, weight])
            #expect(error?.code == .invalidArgument && error?.description.contains("row 4") == true)
        }
        for weight in [Double.nan, .infinity] {
            let error = refusal(KMeans(k: 2), weights: [1, weight, 1, 1, 1])
            #expect(error?.code == .notFinite && error?.description.contains("row 1") == true)
        }
        #expect(refusal(KMeans(k: 2), weights: [0, 0, 0, 0, 0])?.code == .invalidArgument)
        #expect(refusal(KMeans(k: 2), weights: [1, 1])?.code == .invalidArgument)
        #expect(refusal(KMeans(k: 2), weights: [0, 0, 1, 0, 0]) == nil)
    }

    @Test("start centroids and points of the wrong shape are refused")
    func shapes() throws {
        #expect(refusal(KMeans(k: 2, start: .centroids(points)))?.code == .dimensionMismatch)
        let narrow = Matrix<Float>(rows: 2, columns: 2, repeating: 1)
        #expect(refusal(KMeans(k: 2, start: .centroids(narrow)))?.code == .dimensionMismatch)
        let clustering = try KMeans(k: 1, metric: .cosine).fit(points)
        #expect(errorCode { try clustering.assign(narrow) } == .dimensionMismatch)
        #expect(errorCode { try clustering.assign(points, threads: 0) } == .invalidArgument)
        #expect(errorCode { try clustering.assign(Matrix(rows: 1, columns: 3)) } == .zeroVector)
        #expect(errorCode { try clustering.assign(Matrix(rows: 1, columns: 3, repeating: .nan)) } == .notFinite)
        let none = try clustering.assign(Matrix(rows: 0, columns: 3))
        #expect(none.labels.isEmpty && none.distances.isEmpty)
    }
}
