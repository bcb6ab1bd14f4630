import CKin
import Foundation
import KinLinearAlgebra
import Testing

@testable import KinABI

/// The refused arguments and their messages. The fuzzer tries the combinations.
struct ArgumentTests {
    private let c: Owned
    private let row: [Float] = [1, 2, 3, 4]

    init() throws { c = try index(Matrix(rows: [[1, 2, 3, 4], [5, 6, 7, 8]])) }

    @Test func flagsAreZeroOrOne() {
        var (clustering, policy) = (unsafe kin_kmeans_options.defaults, unsafe policyOptions())
        var file = kin_file_options.defaults
        var made: OpaquePointer?
        for value in [Int32.min, -1, 2, 256] {
            file.overwrite = value
            unsafe refused(kin_index_save_with(c.handle, "x", &file), "overwrite must be 0 or 1, not \(value)")
            unsafe refused(
                kin_index_builder_create_with("x", 4, 0, 0, 0, &file, &made), "overwrite must be 0 or 1, not \(value)")
            (file.overwrite, file.unmapped) = (0, value)
            unsafe refused(kin_index_open("x", &file, &made), "unmapped must be 0 or 1, not \(value)")
            unsafe clustering.parallel = value
            unsafe refused(
                kin_kmeans_fit(row, 1, 4, 0, 1, &clustering, &made), "parallel must be 0 or 1, not \(value)")
            unsafe (clustering.parallel, clustering.swaps) = (0, value)
            unsafe refused(kin_kmeans_fit(row, 1, 4, 0, 1, &clustering, &made), "swaps must be 0 or 1, not \(value)")
            unsafe policy.pairs = value
            unsafe refused(kin_policy_create(0, 2, &policy, &made), "pairs must be 0 or 1, not \(value)")
        }
    }

    /// Every function that takes options with a reserved field.
    @Test func reservedFieldsAreZero() {
        var file = kin_file_options.defaults
        file.reserved = 7
        var made: OpaquePointer?
        unsafe refused(kin_index_save_with(c.handle, "x", &file), "reserved must be 0, not 7")
        unsafe refused(kin_index_builder_create_with("x", 4, 0, 0, 0, &file, &made), "reserved must be 0, not 7")
        unsafe refused(kin_index_open("x", &file, &made), "reserved must be 0, not 7")
    }

    @Test func invalidSizesAreRefused() throws {
        var (id, made) = unsafe (UInt64(0), OpaquePointer?.none)
        unsafe refused(kin_index_create_flat(0, 0, &made), "dimension must be 1 to 65536, not 0")
        unsafe refused(kin_index_create_flat(65_537, 0, &made), "not 65537")
        unsafe refused(kin_index_create_ivf(0, 0, 0, &made), "dimension must be 1 to 65536, not 0")
        unsafe refused(kin_index_create_ivf(4, 0, -1, &made), "lists is")
        unsafe refused(kin_index_append(c.handle, row, .max, 0, 1, nil), "vectors", KIN_CAPACITY_EXCEEDED)
        unsafe refused(kin_index_append(c.handle, row, 1, 12, 1, nil), "stride of vectors is 12")
        unsafe refused(kin_index_append(c.handle, row, 1, 18, 1, nil), "stride of vectors is 18")
        unsafe refused(kin_index_append(c.handle, row, 1 << 40, 1 << 40, 1, nil), "vectors", KIN_CAPACITY_EXCEEDED)
        unsafe refused(kin_index_search(c.handle, row, 1, 0, .max, nil, &id, nil, nil), "ids", KIN_CAPACITY_EXCEEDED)
        unsafe refused(kin_index_reserve(c.handle, -5), "count is", KIN_CAPACITY_EXCEEDED)
        unsafe refused(kin_kmeans_fit(row, 1, 0, 0, 1, nil, &made), "dimension must be 1 or more, not 0")
        unsafe refused(kin_kmeans_fit(row, 1, 4, 0, 2, nil, &made), "k must be 1 to 1, the number of points, not 2")
        unsafe refused(kin_pca_fit(row, 2, 2, 0, 3, 1, &made), "3")
        #expect(unsafe made == nil)
    }

    @Test func invalidConstantsAreRefused() {
        var made: OpaquePointer?
        unsafe refused(kin_index_create_flat(4, 3, &made), "no metric 3")
        unsafe refused(kin_minibatch_kmeans_create(0, 4, nil, &made), "k must be 1 or more, not 0")
        unsafe refused(kin_minibatch_kmeans_create(1, 0, nil, &made), "dimension must be 1 or more, not 0")
        unsafe refused(kin_clustering_create(row, 1, 4, 0, -1, &made), "no metric -1")
        unsafe refused(kin_clustering_create(row, 1, 4, 0, kin_metric(KIN_METRIC_IP), &made), "use l2 or cosine")
        unsafe refused(kin_pca_fit(row, 2, 2, 0, 1, 0, &made), "threads must be 1 to 65536, not 0")
        unsafe refused(kin_pca_fit(row, 2, 2, 0, 1, 1 << 20, &made), "not 1048576")
        #expect(unsafe made == nil)
    }

    @Test func misalignedAddressesAreRefused() throws {
        unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { memory in
            unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
            let odd = unsafe memory.baseAddress! + 2
            unsafe refused(
                kin_index_append(c.handle, odd.assumingMemoryBound(to: Float.self), 1, 0, 1, nil),
                "vectors is not aligned"
            )
            unsafe refused(
                kin_index_remove(c.handle, odd.assumingMemoryBound(to: UInt64.self), 1, nil), "ids is not aligned")
            unsafe refused(
                kin_index_copy(c.handle, odd.assumingMemoryBound(to: OpaquePointer?.self)), "copy is not aligned")
        }
    }

    @Test func optionsAreVersionedBySize() throws {
        var id: UInt64 = 7
        var options = unsafe searchOptions()
        for size in [0, 8, 39, 41, 43, 47, 49, 5000, -1] {
            unsafe options.size = size
            unsafe refused(kin_index_search(c.handle, row, 1, 0, 1, &options, &id, nil, nil), "initialize them with")
        }
        #expect(id == 7)
        // A program with a newer header has a longer structure, and does not use the fields that are unknown here.
        let size = unsafe MemoryLayout<kin_search_options>.size + 8
        unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { memory in
            unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe options.size = size
            unsafe memory.storeBytes(of: options, as: kin_search_options.self)
            let newer = unsafe memory.baseAddress!.assumingMemoryBound(to: kin_search_options.self)
            #expect(unsafe kin_index_search(c.handle, row, 1, 0, 1, newer, &id, nil, nil) == kin_status(KIN_OK))
            #expect(id == 0)
            unsafe memory[size - 4] = 1
            unsafe refused(kin_index_search(c.handle, row, 1, 0, 1, newer, &id, nil, nil), "use a newer one")
        }
    }

    @Test func optionsOfTheFirstReleaseHaveNoRadii() throws {
        var id: UInt64 = 7
        // The structure of a program with an older header ends earlier, followed by unrelated data.
        var options = unsafe searchOptions(radii: UnsafePointer(bitPattern: 1))
        unsafe options.size = kin_search_options.smallestSize
        #expect(unsafe kin_index_search(c.handle, row, 1, 0, 1, &options, &id, nil, nil) == kin_status(KIN_OK))
        #expect(id == 0)
    }

    @Test func radiiAreChecked() throws {
        var id: UInt64 = 7
        var made: OpaquePointer?
        var text: UnsafeMutablePointer<CChar>?
        unsafe [0, Double.nan].withUnsafeBufferPointer { radii in
            var options = unsafe searchOptions(radii: radii.baseAddress! + 1)
            unsafe refused(kin_index_search(c.handle, row, 1, 0, 1, &options, &id, nil, nil), "radius", KIN_NOT_FINITE)
            unsafe refused(kin_index_explain(c.handle, row, 1, &options, &text), "radius", KIN_NOT_FINITE)
            unsafe options.threads = 2
            unsafe refused(kin_index_search(c.handle, row, 1, 0, 1, &options, &id, nil, nil), "row 0", KIN_NOT_FINITE)
            unsafe options.radii = radii.baseAddress!
            unsafe refused(kin_index_range_search(c.handle, row, 1, 0, 1, &options, &made), "leave radii NULL")
            unsafe options.radii = UnsafePointer(bitPattern: 1)
            unsafe refused(kin_index_search(c.handle, row, 1, 0, 1, &options, &id, nil, nil), "radii is not aligned")
        }
        #expect(id == 7)
    }

    @Test func onlyOneSearchModeIsAccepted() throws {
        let cells = try unsafe Owned(kin_index_free) { unsafe kin_index_create_ivf(4, 0, 0, $0) }
        var id: UInt64 = 7
        func search(_ index: OpaquePointer, recall: Double = 0, probes: Int = 0) -> kin_status {
            var options = unsafe searchOptions(recall: recall, probes: probes)
            return unsafe kin_index_search(index, row, 1, 0, 1, &options, &id, nil, nil)
        }
        unsafe refused(search(cells.handle, recall: 0.5, probes: 1), "two ways")
        for recall in [-0.1, 1.1, .nan, .infinity] {
            unsafe refused(search(cells.handle, recall: recall), "recall must be")
        }
        #expect(unsafe search(cells.handle, probes: -1) == kin_status(KIN_OK), "all cells there are")
        unsafe refused(search(c.handle, probes: 3), "a flat index has none")
        #expect(unsafe search(c.handle, recall: 0.9) == kin_status(KIN_OK))
    }

    @Test func textsAreUTF8() {
        let bytes: [CChar] = [0x61, -1, -2, 0]
        unsafe refused(kin_index_save(c.handle, bytes), "path is not UTF-8")
        unsafe refused(kin_index_save(c.handle, ""), "path")
    }

    @Test func longMessagesAreCutBetweenCharacters() throws {
        let path = "/" + String(repeating: "ü", count: 3000)
        var none: OpaquePointer?
        #expect(unsafe kin_index_map(path, &none) == kin_status(KIN_INPUT_OUTPUT))
        let kept = try #require(unsafe String(validatingCString: kin_last_error()))
        #expect((2046...2047).contains(kept.utf8.count))
    }

    @Test func theLastErrorBelongsToItsThread() throws {
        refused(kin_index_compact(nil), "index must not be NULL")
        let other = Box(), written = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            unsafe other.text = lastError()
            written.signal()
        }
        written.wait()
        unsafe #expect(other.text == "")
        #expect(lastError().contains("index must not be NULL"))
    }

    private final class Box: @unchecked Sendable {
        nonisolated(unsafe) var text = "untouched"
    }
}
