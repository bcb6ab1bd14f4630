import CKin
import KinClustering
import KinTestSupport
import Testing

@testable import KinABI

/// k-means and principal components give the same results through the C interface as through the Swift interface.
struct ModelTests {
    private let points: Matrix<Float>

    init() {
        var random = TestSeed(test: "models").generator
        points = random.gaussianMatrix(rows: 900, columns: 6)
    }

    private var options: kin_kmeans_options {
        var options = unsafe kin_kmeans_options.defaults
        unsafe (options.metric, options.threads, options.restarts) = (kin_metric(KIN_METRIC_COSINE), 2, 2)
        unsafe (options.max_iterations, options.tolerance, options.seed) = (30, 0, 9)
        return unsafe options
    }

    @Test func clusteringsAgreeWithSwift() throws {
        let weights = (0..<900).map { Double($0 % 4) }
        let c = try unsafe weights.withUnsafeBufferPointer { weights in
            var options = unsafe options
            unsafe options.weights = weights.baseAddress
            return try unsafe Owned(kin_clustering_free) {
                unsafe kin_kmeans_fit(points.elements, 900, 6, 0, 7, &options, $0)
            }
        }
        let swift = try KMeans(
            k: 7, metric: .cosine, restarts: 2, maximumIterations: 30, tolerance: 0, seed: 9, threads: 1
        ).fit(points, weights: weights)
        #expect(unsafe kin_clustering_k(c.handle) == 7)
        #expect(unsafe kin_clustering_dimension(c.handle) == 6)
        #expect(unsafe kin_clustering_count(c.handle) == 900)
        #expect(unsafe kin_clustering_metric(c.handle) == kin_metric(KIN_METRIC_COSINE))
        #expect(unsafe kin_clustering_inertia(c.handle) == swift.inertia)
        #expect(unsafe kin_clustering_iterations(c.handle) == swift.iterations)
        #expect(unsafe kin_clustering_is_converged(c.handle) == (swift.isConverged ? 1 : 0))
        var (centroids, labels) = ([Float](repeating: 0, count: 42), [Int64](repeating: 0, count: 900))
        var (sizes, totals) = ([UInt64](repeating: 0, count: 7), [Double](repeating: 0, count: 7))
        #expect(unsafe kin_clustering_centroids(c.handle, &centroids, 0) == kin_status(KIN_OK))
        #expect(unsafe kin_clustering_labels(c.handle, &labels) == kin_status(KIN_OK))
        #expect(unsafe kin_clustering_sizes(c.handle, &sizes) == kin_status(KIN_OK))
        #expect(unsafe kin_clustering_weights(c.handle, &totals) == kin_status(KIN_OK))
        #expect(centroids == swift.centroids.elements)
        #expect(labels == swift.labels.map { Int64($0) })
        #expect(sizes == swift.sizes.map { UInt64($0) })
        #expect(totals == swift.weights)

        let restored = try unsafe Owned(kin_clustering_free) {
            unsafe kin_clustering_create(centroids, 7, 6, 0, kin_metric(KIN_METRIC_COSINE), $0)
        }
        var (again, distances) = ([Int64](repeating: -1, count: 900), [Double](repeating: -1, count: 900))
        #expect(
            unsafe kin_clustering_assign(restored.handle, points.elements, 900, 0, 1, &again, &distances)
                == kin_status(KIN_OK))
        #expect(again == labels)
        #expect(distances == (try swift.assign(points).distances))
    }

    @Test func streamsAgreeWithSwift() throws {
        let c = try unsafe Owned(kin_minibatch_kmeans_free) {
            var options = kin_minibatch_kmeans_options(
                size: MemoryLayout<kin_minibatch_kmeans_options>.size, metric: kin_metric(KIN_METRIC_COSINE),
                threads: 2, reassignment_ratio: 0.05, seed: 4)
            return unsafe kin_minibatch_kmeans_create(40, 6, &options, $0)
        }
        var swift = MiniBatchKMeans(k: 40, metric: .cosine, reassignmentRatio: 0.05, seed: 4)
        var centroids = [Float](repeating: 0, count: 240)
        for first in stride(from: 0, to: 900, by: 100) {
            #expect(unsafe kin_minibatch_kmeans_count(c.handle) == UInt64(first))
            // For 40 clusters, the first 120 points are held back.
            let isEarly = first < 120
            let status = unsafe kin_minibatch_kmeans_centroids(c.handle, &centroids, 0)
            #expect(status == kin_status(isEarly ? KIN_INVALID_ARGUMENT : KIN_OK))
            let batch = Array(points.elements[first * 6..<(first + 100) * 6])
            let weights = (0..<100).map { Double($0 % 3) }
            try swift.partialFit(Matrix(rows: 100, columns: 6, elements: batch), weights: weights)
            #expect(
                unsafe kin_minibatch_kmeans_partial_fit(c.handle, batch, 100, 0, weights) == kin_status(KIN_OK))
            #expect(unsafe kin_minibatch_kmeans_inertia(c.handle) == swift.latestInertia ?? 0)
        }
        #expect(unsafe kin_minibatch_kmeans_centroids(c.handle, &centroids, 0) == kin_status(KIN_OK))
        #expect(centroids == swift.centroids?.elements)
        let found = try unsafe Owned(kin_clustering_free) {
            unsafe kin_minibatch_kmeans_clustering(c.handle, points.elements, 900, 0, nil, $0)
        }
        var labels = [Int64](repeating: 0, count: 900)
        #expect(unsafe kin_clustering_labels(found.handle, &labels) == kin_status(KIN_OK))
        let expected = try swift.clustering(of: points)
        #expect(labels == expected.labels.map { Int64($0) })
        #expect(unsafe kin_clustering_inertia(found.handle) == expected.inertia)
        #expect(unsafe kin_minibatch_kmeans_count(c.handle) == 900)
    }

    @Test func streamsSurviveCopyingAndEncoding() throws {
        let ok = kin_status(KIN_OK)
        for before in [0, 5, 200] {
            let first = try unsafe Owned(kin_minibatch_kmeans_free) {
                unsafe kin_minibatch_kmeans_create(4, 6, nil, $0)
            }
            unsafe #expect(kin_minibatch_kmeans_partial_fit(first.handle, points.elements, before, 0, nil) == ok)
            let copy = try unsafe Owned(kin_minibatch_kmeans_free) {
                unsafe kin_minibatch_kmeans_copy(first.handle, $0)
            }
            let bytes = try unsafe streamState(first.handle)
            let kept = try unsafe Owned(kin_minibatch_kmeans_free) {
                unsafe kin_minibatch_kmeans_decode(bytes, bytes.count, 2, $0)
            }
            for stream in [copy, kept] {
                unsafe #expect(kin_minibatch_kmeans_k(stream.handle) == 4)
                unsafe #expect(kin_minibatch_kmeans_dimension(stream.handle) == 6)
                unsafe #expect(kin_minibatch_kmeans_metric(stream.handle) == kin_metric(KIN_METRIC_L2))
                unsafe #expect(kin_minibatch_kmeans_count(stream.handle) == UInt64(before))
            }
            // A copy continues independently.
            unsafe #expect(kin_minibatch_kmeans_partial_fit(copy.handle, points.elements, 300, 0, nil) == ok)
            #expect(try unsafe streamState(first.handle) == bytes)
            for stream in [first, kept] {
                unsafe #expect(kin_minibatch_kmeans_partial_fit(stream.handle, points.elements, 300, 0, nil) == ok)
                #expect(try unsafe streamState(stream.handle) == streamState(copy.handle), "\(before)")
            }
            // If the buffer is too small, the call returns the needed size.
            var (room, count) = ([UInt8](repeating: 77, count: 4), 0)
            unsafe #expect(kin_minibatch_kmeans_encode(first.handle, &room, 4, &count) == ok)
            #expect(room == [77, 77, 77, 77])
            #expect(try unsafe count == streamState(first.handle).count)
        }
        var made: OpaquePointer?
        unsafe #expect(kin_minibatch_kmeans_decode([1, 2, 3], 3, 1, &made) == kin_status(KIN_CORRUPT_FILE))
        let nameless = MiniBatchKMeans(k: 3).encoded()
        unsafe #expect(
            kin_minibatch_kmeans_decode(nameless, nameless.count, 1, &made) == kin_status(KIN_INVALID_ARGUMENT))
        #expect(unsafe made == nil)
    }

    /// The complete learned state of a stream, in bytes.
    private func streamState(_ stream: OpaquePointer) throws -> [UInt8] {
        try unsafe encoded { unsafe kin_minibatch_kmeans_encode(stream, $0, $1, $2) }
    }

    @Test func startCentroidsAreUsed() throws {
        let start = Array(points.elements.prefix(3 * 6))
        let c = try unsafe start.withUnsafeBufferPointer { start in
            var options = unsafe options
            unsafe (options.start, options.restarts, options.metric) = (start.baseAddress, 1, kin_metric(KIN_METRIC_L2))
            return try unsafe Owned(kin_clustering_free) {
                unsafe kin_kmeans_fit(points.elements, 900, 6, 0, 3, &options, $0)
            }
        }
        let swift = try KMeans(
            k: 3, start: .centroids(Matrix(rows: 3, columns: 6, elements: start)), maximumIterations: 30, tolerance: 0
        ).fit(points)
        #expect(unsafe kin_clustering_inertia(c.handle) == swift.inertia)
    }

    @Test func aParallelStartWithoutSwapsIsUsed() throws {
        var options = unsafe options
        unsafe (options.parallel, options.swaps) = (1, 0)
        let c = try unsafe Owned(kin_clustering_free) {
            unsafe kin_kmeans_fit(points.elements, 900, 6, 0, 40, &options, $0)
        }
        let swift = try KMeans(
            k: 40, metric: .cosine, start: .kMeansParallel(), swaps: false, restarts: 2, maximumIterations: 30,
            tolerance: 0, seed: 9
        ).fit(points)
        #expect(unsafe kin_clustering_inertia(c.handle) == swift.inertia)
        #expect(unsafe kin_clustering_distinct(c.handle) == 40)
        var none: OpaquePointer?
        unsafe (options.parallel, options.swaps) = (0, 2)
        #expect(
            unsafe kin_kmeans_fit(points.elements, 900, 6, 0, 3, &options, &none) == kin_status(KIN_INVALID_ARGUMENT))
        unsafe points.elements.withUnsafeBufferPointer { start in
            unsafe (options.start, options.restarts, options.parallel, options.swaps) = (start.baseAddress, 1, 1, 1)
            #expect(
                unsafe kin_kmeans_fit(points.elements, 900, 6, 0, 3, &options, &none)
                    == kin_status(KIN_INVALID_ARGUMENT))
        }
    }

    @Test func componentsAgreeWithSwift() throws {
        let c = try unsafe Owned(kin_pca_free) { unsafe kin_pca_fit(points.elements, 900, 6, 0, 2, 2, $0) }
        let swift = try PCA(fitting: points, components: 2)
        #expect(unsafe kin_pca_dimension(c.handle) == 6)
        #expect(unsafe kin_pca_count(c.handle) == 2)
        #expect(unsafe kin_pca_total_variance(c.handle) == swift.totalVariance)
        var (mean, components) = ([Double](repeating: 0, count: 6), [Double](repeating: 0, count: 12))
        var variance = [Double](repeating: 0, count: 2)
        #expect(unsafe kin_pca_mean(c.handle, &mean) == kin_status(KIN_OK))
        #expect(unsafe kin_pca_components(c.handle, &components) == kin_status(KIN_OK))
        #expect(unsafe kin_pca_explained_variance(c.handle, &variance) == kin_status(KIN_OK))
        #expect(mean == swift.mean && components == swift.components.elements && variance == swift.explainedVariance)

        let restored = try unsafe Owned(kin_pca_free) {
            unsafe kin_pca_create(mean, components, variance, swift.totalVariance, 2, 6, $0)
        }
        var plane = [Float](repeating: 5, count: 900 * 3)
        #expect(
            unsafe kin_pca_transform(restored.handle, points.elements, 900, 0, &plane, 12) == kin_status(KIN_OK))
        let expected = try swift.transform(points)
        for row in 0..<900 { #expect(plane[row * 3..<row * 3 + 3] == [expected[row, 0], expected[row, 1], 5]) }
        var back = [Float](repeating: 0, count: 900 * 6)
        #expect(
            unsafe kin_pca_inverse_transform(restored.handle, plane, 900, 12, &back, 0) == kin_status(KIN_OK))
        #expect(back == (try swift.inverseTransform(expected).elements))
        let all = try unsafe Owned(kin_pca_free) { unsafe kin_pca_fit(points.elements, 900, 6, 0, 0, 1, $0) }
        #expect(unsafe kin_pca_count(all.handle) == 6)
    }
}
