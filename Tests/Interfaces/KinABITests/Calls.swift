import CKin
import KinCore
import KinLinearAlgebra
import Testing

@testable import KinABI

/// The message of this thread's last error.
func lastError() -> String { unsafe String(cString: kin_last_error()) }

/// A handle that is freed at the end of the test.
@safe
final class Owned {
    let handle: OpaquePointer
    private let free: (OpaquePointer?) -> Void

    init(_ free: @escaping (OpaquePointer?) -> Void, _ make: (UnsafeMutablePointer<OpaquePointer?>) -> kin_status)
        throws
    {
        var made: OpaquePointer?
        let status = unsafe make(&made)
        try #require(status == kin_status(KIN_OK), "\(lastError())")
        unsafe handle = try #require(unsafe made)
        unsafe self.free = free
    }

    deinit { unsafe free(handle) }
}

/// An index created through the C interface, with the rows of a matrix under ids 0, 1, 2 ….
func index(_ rows: Matrix<Float>, metric: Int = KIN_METRIC_L2) throws -> Owned {
    let index = try unsafe Owned(kin_index_free) {
        unsafe kin_index_create_flat(rows.columns, kin_metric(metric), $0)
    }
    let status = unsafe kin_index_append(index.handle, rows.elements, rows.rows, 0, 1, nil)
    try #require(status == kin_status(KIN_OK), "\(lastError())")
    return index
}

/// The output of a search through the C interface, with the ids and distances of each query in a row.
struct Found: Equatable {
    var ids: [UInt64]
    var distances: [Double]
    var counts: [Int]

    init(queries: Int, k: Int) {
        ids = Array(repeating: 77, count: queries * k)
        distances = Array(repeating: 77, count: queries * k)
        counts = Array(repeating: 77, count: queries)
    }

    /// The result of the Swift interface, in the form of the C interface.
    init(_ table: some Collection<some Collection<Neighbor>>, k: Int) {
        self.init(queries: 0, k: k)
        for neighbors in table {
            ids += neighbors.map(\.id.rawValue) + Array(repeating: .max, count: k - neighbors.count)
            distances += neighbors.map(\.distance) + Array(repeating: .infinity, count: k - neighbors.count)
            counts.append(neighbors.count)
        }
    }
}

/// Searches through the C interface.
func search(
    _ index: OpaquePointer, _ queries: [Float], count: Int, stride: Int = 0, k: Int, options: kin_search_options? = nil
) throws -> Found {
    var found = Found(queries: count, k: k)
    let status =
        if var options = unsafe options {
            unsafe kin_index_search(
                index, queries, count, stride, k, &options, &found.ids, &found.distances, &found.counts)
        } else {
            unsafe kin_index_search(
                index, queries, count, stride, k, nil, &found.ids, &found.distances, &found.counts)
        }
    try #require(status == kin_status(KIN_OK), "\(lastError())")
    return found
}

/// The defaults of a search.
func searchOptions(
    filter: OpaquePointer? = nil, threads: Int = 1, recall: Double = 0, probes: Int = 0,
    radii: UnsafePointer<Double>? = nil, filters: UnsafePointer<OpaquePointer?>? = nil
) -> kin_search_options {
    var options = unsafe kin_search_options.defaults
    unsafe (options.filter, options.filters) = (filter, filters)
    unsafe (options.threads, options.recall, options.probes) = (threads, recall, probes)
    unsafe options.radii = radii
    return unsafe options
}

/// Expects a call to be refused with a message that names the problem.
func refused(_ status: kin_status, _ words: String, _ code: Int = KIN_INVALID_ARGUMENT, line: Int = #line) {
    #expect(status == kin_status(code), "line \(line)")
    #expect(lastError().contains(words), "line \(line): \(lastError())")
}

/// The text that a call returns.
func text(_ call: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> kin_status) throws -> String {
    var text: UnsafeMutablePointer<CChar>?
    try #require(unsafe call(&text) == kin_status(KIN_OK), "\(lastError())")
    defer { unsafe kin_string_free(text) }
    return unsafe String(cString: try #require(unsafe text))
}

/// Calls a function with texts in the form of C; nil becomes NULL.
func with<Result>(
    _ texts: [String?], _ body: (UnsafePointer<UnsafePointer<CChar>?>) throws -> Result
) rethrows -> Result {
    let owned = unsafe texts.map { text in unsafe text.map { unsafe ownedText($0) } }
    defer { unsafe owned.forEach { unsafe kin_string_free($0) } }
    let places = unsafe owned.map { unsafe UnsafePointer($0) } + [nil]
    return try unsafe places.withUnsafeBufferPointer { try unsafe body($0.baseAddress!) }
}

/// Default options of a policy with the given number of arms.
func policyOptions(arms: Int = 0) -> kin_policy_options {
    var options = unsafe kin_policy_options.defaults
    unsafe (options.arms, options.seed) = (arms, 3)
    return unsafe options
}

/// The complete learned state of a policy, in bytes.
func state(_ policy: Owned) throws -> [UInt8] {
    try unsafe encoded { unsafe kin_policy_encode(policy.handle, $0, $1, $2) }
}

/// The bytes that a call returns: first their number, and then the bytes.
func encoded(
    _ call: (_ bytes: UnsafeMutablePointer<UInt8>?, _ capacity: Int, _ count: UnsafeMutablePointer<Int>) -> kin_status
) throws -> [UInt8] {
    var count = 0
    try #require(unsafe call(nil, 0, &count) == kin_status(KIN_OK))
    var bytes = [UInt8](repeating: 0, count: count)
    try #require(unsafe call(&bytes, count, &count) == kin_status(KIN_OK))
    return bytes
}
