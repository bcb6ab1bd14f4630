import CKin
import KinLinearAlgebra
import Testing

@testable import KinABI

/// Impossible counts, strides and sizes: each function refuses them before it allocates or reads anything, and writes
/// nothing.
struct HostileCountTests {
    private let flat: Owned
    private let lists: Owned
    private let clustering: Owned
    private let pca: Owned
    private let arms: Owned
    private let actions: Owned
    private let row: [Float] = [1, 2, 3, 4]
    private let wide: [Double] = [1, 2, 3, 4]

    init() throws {
        let rows = try Matrix<Float>(rows: [[1, 2, 3, 4], [5, 6, 7, 8], [2, 1, 4, 3]])
        let flat = try index(rows)
        self.flat = flat
        lists = try unsafe Owned(kin_index_free) { unsafe kin_index_create_ivf(4, 0, 0, $0) }
        clustering = try unsafe Owned(kin_clustering_free) {
            unsafe kin_clustering_create(rows.elements, 3, 4, 0, 0, $0)
        }
        pca = try unsafe Owned(kin_pca_free) { unsafe kin_pca_fit(rows.elements, 3, 4, 0, 1, 1, $0) }
        arms = try policy(arms: 3)
        actions = try policy(arms: 0)
        unsafe try #require(kin_index_declare_attribute(flat.handle, "score", 0) == kin_status(KIN_OK))
    }

    /// SIZE_MAX and its neighbours, halves and quarters of it, and sizes that overflow only when multiplied.
    private static let sizes: [Int] = [-1, -2, .min, .max, .max / 2 + 1, 1 << 62, 1 << 61, 1 << 60, 1 << 59, 1 << 47]

    /// Expects a call to be refused because of a size, with some message.
    private func denied(_ status: kin_status, _ size: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        let codes = [KIN_INVALID_ARGUMENT, KIN_CAPACITY_EXCEEDED].map { kin_status($0) }
        let size = UInt(bitPattern: size)
        #expect(codes.contains(status), "\(size): \(status) \(lastError())", sourceLocation: sourceLocation)
        #expect(!lastError().isEmpty)
    }

    @Test(arguments: sizes) func hostileCountsOfIndexesAndFiltersAreRefused(_ n: Int) {
        var (id, number, size, flag) = (UInt64(77), 77.0, 77, UInt8(77))
        var (float, made) = unsafe (Float(77), OpaquePointer?.none)
        unsafe denied(kin_filter_create_ids(&id, n, &made), n)
        unsafe denied(kin_filter_create_bitmap(&id, n, &made), n)
        unsafe denied(kin_index_create_flat(n, 0, &made), n)
        unsafe denied(kin_index_create_ivf(n, 0, 0, &made), n)
        unsafe denied(kin_index_builder_create("x", n, 0, 0, 0, &made), n)
        for owned in [flat, lists] {
            let index = unsafe owned.handle
            unsafe denied(kin_index_upsert(index, row, n, 0, &id, 1), n)
            unsafe denied(kin_index_upsert(index, row, 2, n, &id, 1), n)
            unsafe denied(kin_index_upsert(index, row, 1, 0, &id, n), n)
            unsafe denied(kin_index_append(index, row, n, 0, 1, &id), n)
            unsafe denied(kin_index_append(index, row, 1, 0, n, &id), n)
            unsafe denied(kin_index_remove(index, &id, n, &size), n)
            unsafe denied(kin_index_reserve(index, n), n)
            unsafe denied(kin_index_contains(index, &id, n, &flag), n)
            unsafe denied(kin_index_get(index, &id, n, &float, 0), n)
            unsafe denied(kin_index_ids(index, &id, n, &size), n)
            unsafe denied(kin_index_set_attribute(index, "score", 0, &id, n, &id, nil), n)
            unsafe denied(kin_index_search(index, row, n, 0, 1, nil, &id, &number, &size), n)
            unsafe denied(kin_index_search(index, row, 1, 0, n, nil, &id, &number, &size), n)
            unsafe denied(kin_index_range_search(index, row, n, 0, 1, nil, &made), n)
            var options = unsafe searchOptions(threads: n)
            unsafe denied(kin_index_search(index, row, 1, 0, 1, &options, &id, &number, &size), n)
            unsafe denied(kin_index_prepare(index, nil, n, &made), n)
        }
        #expect(id == 77 && number == 77 && size == 77 && flag == 77 && float == 77)
        #expect(unsafe made == nil && kin_index_count(flat.handle) == 3)
        // Empty lists take no memory, and a k above the count returns all vectors.
        if n > 0 {
            unsafe #expect(kin_index_create_ivf(4, 0, n, &made) == kin_status(KIN_OK))
            unsafe #expect(kin_index_append(made, row, 1, 0, 1, nil) == kin_status(KIN_OK), "\(lastError())")
            unsafe kin_index_free(made)
            for owned in [flat, lists] {
                let index = unsafe owned.handle
                var json: UnsafeMutablePointer<CChar>?
                unsafe #expect(kin_index_explain(index, row, n, nil, &json) == kin_status(KIN_OK), "\(lastError())")
                unsafe kin_string_free(json)
            }
        }
    }

    @Test(arguments: sizes) func hostileCountsOfModelsAreRefused(_ n: Int) {
        var (id, number, label, float) = (UInt64(77), 77.0, Int64(77), Float(77))
        var made: OpaquePointer?
        unsafe denied(kin_kmeans_fit(row, n, 4, 0, 1, nil, &made), n)
        unsafe denied(kin_kmeans_fit(row, 1, n, 0, 1, nil, &made), n)
        unsafe denied(kin_kmeans_fit(row, 1, 4, 0, n, nil, &made), n)
        for change in 0..<4 {
            var options = unsafe kin_kmeans_options.defaults
            switch change {
            case 0: unsafe options.threads = n
            case 1: unsafe options.restarts = n
            case 2: unsafe options.size = n
            default: unsafe (options.start, options.start_stride) = unsafe (UnsafePointer(bitPattern: 16), n)
            }
            unsafe denied(kin_kmeans_fit(row, 2, 2, 0, 2, &options, &made), n)
        }
        var stream: OpaquePointer?
        unsafe #expect(kin_minibatch_kmeans_create(.max, 4, nil, &stream) == kin_status(KIN_OK))
        unsafe denied(kin_minibatch_kmeans_partial_fit(stream, row, n, 0, nil), n)
        unsafe denied(kin_minibatch_kmeans_clustering(stream, row, n, 0, nil, &made), n)
        unsafe #expect(kin_minibatch_kmeans_partial_fit(stream, row, 1, 0, nil) == kin_status(KIN_OK))
        unsafe denied(kin_minibatch_kmeans_centroids(stream, &float, n), n)
        unsafe denied(kin_minibatch_kmeans_decode([1], n, 1, &made), n)
        unsafe denied(kin_minibatch_kmeans_decode([1], 1, n, &made), n)
        var size = 77
        var byte = UInt8(77)
        unsafe denied(kin_minibatch_kmeans_encode(stream, &byte, n, &size), n)
        unsafe denied(kin_minibatch_kmeans_encode(stream, nil, 5, &size), 5)
        unsafe denied(kin_minibatch_kmeans_copy(stream, nil), 0)
        #expect(size == 77 && byte == 77)
        unsafe kin_minibatch_kmeans_free(stream)
        unsafe denied(kin_clustering_create(row, n, 4, 0, 0, &made), n)
        unsafe denied(kin_clustering_create(row, 1, n, 0, 0, &made), n)
        unsafe denied(kin_clustering_assign(clustering.handle, row, n, 0, 1, &label, &number), n)
        unsafe denied(kin_clustering_centroids(clustering.handle, &float, n), n)
        unsafe denied(kin_pca_fit(row, n, 2, 0, 1, 1, &made), n)
        unsafe denied(kin_pca_fit(row, 2, n, 0, 1, 1, &made), n)
        unsafe denied(kin_pca_fit(row, 2, 2, 0, n, 1, &made), n)
        unsafe denied(kin_pca_create(wide, wide, wide, 1, n, 2, &made), n)
        unsafe denied(kin_pca_create(wide, wide, wide, 1, 1, n, &made), n)
        unsafe denied(kin_pca_transform(pca.handle, row, n, 0, &float, 0), n)
        unsafe denied(kin_pca_transform(pca.handle, row, 1, 0, &float, n), n)
        unsafe denied(kin_pca_inverse_transform(pca.handle, row, n, 0, &float, 0), n)
        #expect(id == 77 && number == 77 && label == 77 && float == 77)
        #expect(unsafe made == nil)
        id = 0
    }

    @Test(arguments: sizes) func hostileCountsOfPoliciesAreRefused(_ n: Int) throws {
        var (label, number, size) = (Int64(77), 77.0, 77)
        let allowed: [Int64] = [0, 1]
        var (byte, made) = unsafe (UInt8(77), OpaquePointer?.none)
        let before = try (state(arms), state(actions))
        unsafe denied(kin_policy_create(0, n, nil, &made), n)
        var options = unsafe policyOptions(arms: n)
        unsafe denied(kin_policy_create(0, 2, &options, &made), n)
        unsafe denied(kin_policy_decode(&byte, n, &made), n)
        for owned in [arms, actions] {
            let policy = unsafe owned.handle
            unsafe denied(kin_policy_encode(policy, &byte, n, &size), n)
            unsafe denied(kin_policy_choose(policy, wide, n, 0, &label, &number), n)
            unsafe denied(kin_policy_choose(policy, wide, 2, n, &label, &number), n)
            unsafe denied(kin_policy_learn(policy, wide, n, 0, &label, &number, nil), n)
            unsafe denied(kin_policy_expected_rewards(policy, wide, n, 0, &number), n)
            unsafe denied(kin_policy_probabilities(policy, wide, n, 0, 1, 0, &number), n)
            unsafe denied(kin_policy_probabilities(policy, wide, 1, 0, n, 0, &number), n)
        }
        unsafe denied(kin_policy_choose_among(arms.handle, wide, allowed, n, &label, &number), n)
        unsafe denied(kin_policy_play(arms.handle, wide, n, 0, allowed, &label, &number), n)
        var second = 77.0
        unsafe denied(kin_off_policy_propensities(allowed, wide, n, 1, 0, nil, 0, 0, 0, &number, &second), n)
        unsafe denied(kin_off_policy_propensities(allowed, wide, 1, n, 0, nil, 0, 0, 0, &number, &second), n)
        for estimator in 0..<4 {
            unsafe denied(
                kin_slate_estimate(
                    kin_slate_estimator(estimator), 2, wide, wide, wide, wide, wide, n, 0.9, 10, 0, &number), n)
            unsafe denied(
                kin_slate_estimate(
                    kin_slate_estimator(estimator), n, wide, wide, wide, wide, wide, 2, 0.9, 10, 0, &number), n)
            unsafe denied(
                kin_off_policy_estimate(
                    kin_estimator(estimator), wide, wide, wide, wide, wide, n, 0.9, 10, 0, &number), n)
            var result = [77.0, 77, 77]
            unsafe denied(
                kin_off_policy_estimate(
                    kin_estimator(estimator), wide, wide, wide, wide, wide, 4, 0.9, n, 0, &result), n)
            #expect(result == [77, 77, 77])
        }
        #expect(label == 77 && number == 77 && second == 77 && size == 77 && byte == 77)
        #expect(unsafe made == nil)
        #expect(try (state(arms), state(actions)) == before)
    }
}

/// Counts that fit the address space but no memory. Functions that copy the data refuse such counts before reading
/// anything.
struct UnaffordableCountTests {
    private func refused(_ status: kin_status, _ call: String) {
        #expect(status == kin_status(KIN_CAPACITY_EXCEEDED), "\(call): \(status) \(lastError())")
    }

    @Test func hostileCountsOfLogsAndExamplesAreRefused() throws {
        let count = 1 << 42
        let (one, row, id) = ([0.5], [Float](repeating: 1, count: 4), [UInt64(0)])
        var result = [77.0, 77, 77]
        for estimator in 0..<7 {
            unsafe refused(
                kin_off_policy_estimate(
                    kin_estimator(estimator), one, one, one, one, one, count, 0.9, 0, 0, &result), "rounds")
        }
        for estimator in 0..<4 {
            unsafe refused(
                kin_slate_estimate(
                    kin_slate_estimator(estimator), 2, one, one, one, one, one, count / 2, 0.9, 0, 0, &result), "slates"
            )
        }
        let index = try index(Matrix(rows: [row]))
        for place in 0..<3 {
            var wanted = unsafe kin_recommendation()
            unsafe wanted.size = MemoryLayout<kin_recommendation>.size
            unsafe id.withUnsafeBufferPointer { ids in
                let ids = ids.baseAddress
                switch place {
                case 0: unsafe (wanted.positive_ids, wanted.positive_id_count) = unsafe (ids, count)
                case 1: unsafe (wanted.negative_ids, wanted.negative_id_count) = unsafe (ids, count)
                default: unsafe (wanted.excluded, wanted.excluded_count) = unsafe (ids, count)
                }
                var (found, total) = (UInt64(77), 77)
                unsafe refused(kin_index_recommend(index.handle, &wanted, 1, nil, &found, nil, &total), "ids \(place)")
                #expect(found == 77 && total == 77)
            }
        }
        #expect(result == [77, 77, 77])
    }

    @Test func draws() throws {
        let policy = try policy(arms: 0)
        var probability = 77.0
        let features = [Double](repeating: 0.5, count: 2 * 100)
        unsafe refused(kin_policy_probabilities(policy.handle, features, 100, 0, 1 << 24, 0, &probability), "draws")
        #expect(probability == 77)
    }

    @Test func columns() throws {
        var pca: OpaquePointer?
        let rows = [Float](repeating: 1, count: 2 * 33_000)
        unsafe refused(kin_pca_fit(rows, 2, 33_000, 0, 1, 1, &pca), "columns")
        #expect(unsafe pca == nil)
    }
}

/// A policy over two features that draws at random: every choice advances its generator.
func policy(arms: Int) throws -> Owned {
    var options = unsafe policyOptions(arms: arms)
    return try unsafe Owned(kin_policy_free) {
        unsafe kin_policy_create(kin_policy_kind(KIN_POLICY_THOMPSON), 2, &options, $0)
    }
}
