// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The object of a `kin_index` handle: an index that threads can search while one changes it.
///
/// Changes of a few microseconds are made in place if no thread searches; other changes are made in a copy, which
/// shares unchanged parts.
final class IndexHandle: Sendable {
    private let index: Published<VectorIndex>

    init(_ index: VectorIndex) { self.index = Published(index) }

    var dimension: Int { read { $0.dimension } }

    /// Reads the current value of the index.
    @inline(__always)
    func read<Answer, Failure: Error>(
        _ body: (VectorIndex) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try index.read(body)
    }

    /// Changes the index, one writer at a time.
    ///
    /// - Parameter isShort: Whether the change takes at most a few hundred microseconds for the current index.
    func update<Answer: Sendable>(
        isShort: (VectorIndex) -> Bool = { _ in false },
        _ change: (inout VectorIndex) throws(KinError) -> Answer
    ) throws(KinError) -> Answer {
        try ProgressScope.requireNoHandler(of: self)
        return try index.update(isShort: isShort, isUnique: { $0.isUniquelyReferenced() }, change)
    }
}

/// Reads the current value of a handle's index, without counting a reference to it or to the handle.
///
/// - Throws: `.invalidArgument` for NULL.
@inline(__always)
func withIndex<Answer>(
    _ index: OpaquePointer?, _ body: (VectorIndex) throws(KinError) -> Answer
) throws(KinError) -> Answer {
    guard let index = unsafe index else { throw missing("index") }
    let handle = unsafe Unmanaged<IndexHandle>.fromOpaque(UnsafeRawPointer(index))
    let result = unsafe handle._withUnsafeGuaranteedRef { handle in
        Result { () throws(KinError) in try handle.read(body) }
    }
    return try result.get()
}

/// Runs the body of a C function that reads a handle's index.
@inline(__always)
func attempt(reading index: OpaquePointer?, _ body: (VectorIndex) throws(KinError) -> Void) -> kin_status {
    attempt { () throws(KinError) in try unsafe withIndex(index, body) }
}

/// Runs the body of a C function that reads a handle's index, and may take long.
func attemptLong(reading index: OpaquePointer?, _ body: (VectorIndex) throws(KinError) -> Void) -> kin_status {
    attemptLong { () throws(KinError) in try unsafe withIndex(index, body) }
}

/// A fact about a handle's index; `absent` for NULL.
func fact<Fact>(_ index: OpaquePointer?, or absent: Fact, _ read: (VectorIndex) -> Fact) -> Fact {
    (try? unsafe withIndex(index) { read($0) }) ?? absent
}

extension Metric {
    /// The metric of a constant of C.
    init(_ constant: kin_metric) throws(KinError) {
        guard let metric = Metric(number: Int(constant)) else {
            let names = Metric.allCases.map { "KIN_METRIC_\($0.rawValue.uppercased())" }
            throw KinError(
                .invalidArgument,
                "there is no metric \(constant); use \(names.dropLast().joined(separator: ", ")) or \(names.last!)")
        }
        self = metric
    }

    /// The constant of C for the metric.
    var constant: kin_metric { kin_metric(number) }
}

// MARK: - Making, copying, giving back

@c @implementation
public func kin_index_create_flat(
    _ dimension: Int, _ metric: kin_metric, _ index: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: index, "index") { () throws(KinError) in
        IndexHandle(VectorIndex(dimension: try indexed(dimension), metric: try Metric(metric), layout: .flat))
    }
}

@c @implementation
public func kin_index_create_ivf(
    _ dimension: Int, _ metric: kin_metric, _ lists: Int, _ index: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: index, "index") { () throws(KinError) in
        IndexHandle(
            VectorIndex(
                dimension: try indexed(dimension), metric: try Metric(metric), layout: try IndexLayout(lists: lists)))
    }
}

extension IndexLayout {
    /// The layout with a number of k-means lists; 0 for the default lists.
    init(lists: Int) throws(KinError) {
        guard lists >= 0 else {
            throw KinError(.invalidArgument, "lists is \(UInt(bitPattern: lists)), more than any memory holds")
        }
        self = lists == 0 ? .lists : .centroids(lists)
    }
}

/// Requires a number of dimensions that an index supports.
func indexed(_ dimension: Int) throws(KinError) -> Int {
    guard (1...RowLayout.largestDimension).contains(dimension) else {
        throw KinError(
            .invalidArgument,
            "dimension must be 1 to \(RowLayout.largestDimension), not \(UInt(bitPattern: dimension))")
    }
    return dimension
}

@c @implementation
public func kin_index_copy(_ index: OpaquePointer!, _ copy: UnsafeMutablePointer<OpaquePointer?>!) -> kin_status {
    unsafe attempt(making: copy, "copy") { () throws(KinError) in
        try unsafe IndexHandle(withIndex(index) { $0 })
    }
}

@c @implementation
public func kin_index_free(_ index: OpaquePointer!) { unsafe release(IndexHandle.self, index) }

// MARK: - Facts

@c @implementation
public func kin_index_count(_ index: OpaquePointer!) -> Int { unsafe fact(index, or: 0) { $0.count } }

@c @implementation
public func kin_index_dimension(_ index: OpaquePointer!) -> Int { unsafe fact(index, or: 0) { $0.dimension } }

@c @implementation
public func kin_index_kind(_ index: OpaquePointer!) -> kin_index_type {
    unsafe fact(index, or: -1) { kin_index_type($0.layout.isFlat ? KIN_INDEX_FLAT : KIN_INDEX_IVF) }
}

@c @implementation
public func kin_index_metric(_ index: OpaquePointer!) -> kin_metric {
    unsafe fact(index, or: -1) { $0.metric.constant }
}

@c @implementation
public func kin_index_bytes(_ index: OpaquePointer!) -> Int { unsafe fact(index, or: 0) { $0.byteCount } }

// MARK: - Reading vectors back

@c @implementation
public func kin_index_contains(
    _ index: OpaquePointer!, _ ids: UnsafePointer<UInt64>!, _ count: Int, _ found: UnsafeMutablePointer<UInt8>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let ids = try unsafe array(ids, count: count, "ids")
        let found = try unsafe outputs(found, count: count, "found")
        for row in ids.indices { unsafe found[row] = index.contains(VectorID(ids[row])) ? 1 : 0 }
    }
}

@c @implementation
public func kin_index_get(
    _ index: OpaquePointer!, _ ids: UnsafePointer<UInt64>!, _ count: Int, _ vectors: UnsafeMutablePointer<Float>!,
    _ stride: Int
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let ids = try unsafe array(ids, count: count, "ids")
        let rows = try unsafe Rows(vectors, count: count, columns: index.dimension, stride: stride, "vectors")
        if let row = unsafe ids.firstIndex(where: { !index.contains(VectorID($0)) }) {
            throw unsafe KinError(.unknownID, "no vector has the id \(ids[row])").within("row", row)
        }
        for row in ids.indices { unsafe rows.write(try index.foundVector(VectorID(ids[row])), at: row) }
    }
}

@c @implementation
public func kin_index_ids(
    _ index: OpaquePointer!, _ ids: UnsafeMutablePointer<UInt64>!, _ capacity: Int, _ count: UnsafeMutablePointer<Int>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        try unsafe list(index.ids, of: index.count, ids, capacity, count)
    }
}

@c @implementation
public func kin_index_ids_where(
    _ index: OpaquePointer!, _ filter: OpaquePointer!, _ ids: UnsafeMutablePointer<UInt64>!, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let filter = try unsafe boxed(SearchFilter.self, filter, "filter")
        let found = try index.ids(where: filter)
        try unsafe list(found, of: found.count, ids, capacity, count)
    }
}

/// Writes ids, or only their number if there is no array; the ids are then not computed.
private func list(
    _ found: @autoclosure () -> [VectorID], of number: Int, _ ids: UnsafeMutablePointer<UInt64>?, _ capacity: Int,
    _ count: UnsafeMutablePointer<Int>?
) throws(KinError) {
    let room = try unsafe outputs(ids, count: capacity, "ids")
    let total = try unsafe output(count, "count")
    if unsafe ids != nil || capacity != 0 {
        guard capacity >= number else {
            throw KinError(.invalidArgument, "ids has room for \(capacity) of \(number) vectors")
        }
        for (row, id) in found().enumerated() { unsafe room[row] = id.rawValue }
    }
    unsafe total.pointee = number
}
