import CKin
import KinLinearAlgebra
import Testing

@testable import KinABI

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
        unsafe refused(kin_pca_fit(rows, 33_000, 33_000, 0, 1, 1, &pca), "columns")
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
