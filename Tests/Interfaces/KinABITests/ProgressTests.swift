import CKin
import KinLinearAlgebra
import KinTestSupport
import Testing

@testable import KinABI

/// Long C calls report to their thread's progress function, and end if it requests this.
@Suite struct ProgressTests {
    /// The reports that a progress function received.
    private final class Told {
        var reports: [(done: UInt64, total: UInt64)] = []
        var answer: Int32 = 0
    }

    /// Runs a body while this thread has a progress function.
    private func told(answering answer: Int32, _ body: () throws -> Void) rethrows -> Told {
        let told = Told()
        told.answer = answer
        unsafe kin_set_progress(
            { done, total, context in
                let told = unsafe Unmanaged<Told>.fromOpaque(context!).takeUnretainedValue()
                told.reports.append((done, total))
                return told.answer
            }, Unmanaged.passUnretained(told).toOpaque())
        defer { kin_set_progress(nil, nil) }
        try body()
        return told
    }

    private let points: Matrix<Float> = {
        var random = TestSeed(test: "progress").generator
        return random.gaussianMatrix(rows: 20_000, columns: 16)
    }()

    private func fit(restarts: Int) -> kin_status {
        var clustering: OpaquePointer?
        var options = unsafe kin_kmeans_options.defaults
        unsafe (options.restarts, options.max_iterations, options.seed) = (restarts, 30, 9)
        let status = unsafe kin_kmeans_fit(points.elements, 20_000, 16, 0, 40, &options, &clustering)
        unsafe kin_clustering_free(clustering)
        return status
    }

    @Test func reportsArriveOnTheCallingThread() {
        let told = told(answering: 0) { #expect(fit(restarts: 3) == kin_status(KIN_OK)) }
        #expect(!told.reports.isEmpty)
        #expect(told.reports.allSatisfy { $0.done <= $0.total })
        let before = told.reports.count
        #expect(fit(restarts: 1) == kin_status(KIN_OK))
        #expect(told.reports.count == before)
    }

    @Test func anythingElseThanZeroCancels() throws {
        let cancelled = told(answering: 1) { #expect(fit(restarts: 1_000_000) == kin_status(KIN_CANCELLED)) }
        #expect(cancelled.reports.count == 1)
        #expect(lastError().contains("cancelled"))
        #expect(unsafe String(cString: kin_status_name(kin_status(KIN_CANCELLED))) == "cancelled")
    }

    @Test func longCallsInsideTheHandlerAreNotReported() {
        let depths = Told()
        unsafe kin_set_progress(
            { depth, _, context in
                let depths = unsafe Unmanaged<Told>.fromOpaque(context!).takeUnretainedValue()
                depths.reports.append((depth, 0))
                let made = ProgressTests().fit(restarts: 1)
                return made == kin_status(KIN_OK) && depths.reports.count < 3 ? 0 : 1
            }, Unmanaged.passUnretained(depths).toOpaque())
        defer { kin_set_progress(nil, nil) }
        #expect(fit(restarts: 1_000_000) == kin_status(KIN_CANCELLED))
        #expect(depths.reports.count == 3)
    }

    @Test func aCancelledLoadChangesNothing() throws {
        let index = try unsafe Owned(kin_index_free) {
            unsafe kin_index_create_ivf(16, kin_metric(KIN_METRIC_L2), 64, $0)
        }
        let told = told(answering: 7) {
            let status = unsafe kin_index_append(index.handle, points.elements, 20_000, 0, 1, nil)
            #expect(status == kin_status(KIN_CANCELLED))
        }
        #expect(told.reports.count == 1)
        #expect(unsafe kin_index_count(index.handle) == 0)
    }

    /// Each long call ends if the function requests this, with unchanged outputs.
    @Test func everyLongCallIsCancelled() throws {
        let wide = Matrix<Float>(rows: 2000, columns: 4096, repeating: 0.5)
        let folder = TemporaryFolder()
        let (index, wideIndex) = (try index(points), try KinABITests.index(wide))
        let clustering = try unsafe Owned(kin_clustering_free) {
            unsafe kin_clustering_create(points.elements, 20_000, 16, 0, kin_metric(KIN_METRIC_L2), $0)
        }
        var (ids, labels) = ([UInt64](repeating: 77, count: 20_000), [Int64](repeating: 77, count: 20_000))
        var made: OpaquePointer?
        let calls: KeyValuePairs<String, () -> kin_status> = [
            "assign": {
                unsafe kin_clustering_assign(clustering.handle, points.elements, 20_000, 0, 1, &labels, nil)
            },
            "pca": { unsafe kin_pca_fit(wide.elements, 2000, 4096, 0, 1, 1, &made) },
            "search": {
                unsafe kin_index_search(index.handle, points.elements, 20_000, 0, 1, nil, &ids, nil, nil)
            },
            "range search": {
                unsafe kin_index_range_search(index.handle, points.elements, 20_000, 0, 0, nil, &made)
            },
            "recommend": {
                unsafe points.elements.withUnsafeBufferPointer { row in
                    var wanted = unsafe kin_recommendation.defaults
                    unsafe (wanted.positive, wanted.positive_count) = (row.baseAddress, 1)
                    unsafe wanted.diversity = 0.3
                    return unsafe kin_index_recommend(index.handle, &wanted, 20_000, nil, &ids, nil, nil)
                }
            },
            "save": { unsafe kin_index_save(wideIndex.handle, folder.path("wide.kin")) },
        ]
        for (name, call) in calls {
            let told = told(answering: 1) { #expect(call() == kin_status(KIN_CANCELLED), "\(name): \(lastError())") }
            #expect(told.reports.count == 1, "\(name)")
        }
        #expect(unsafe made == nil)
        #expect(ids.allSatisfy { $0 == 77 } && labels.allSatisfy { $0 == 77 })
        #expect(folder.names.isEmpty, "a cancelled save leaves nothing")
    }
}
