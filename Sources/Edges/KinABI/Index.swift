// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin
import KinCore
import KinIndex
import KinLinearAlgebra
import Synchronization

/// The object of a `kin_index` handle: a lock around an index, which is a value.
///
/// Readers copy the value under the lock, O(1), and search the copy, so they wait only for changes under the lock.
/// Writers make changes of some microseconds there; other changes go to a copy, which shares unchanged parts and
/// replaces the value at the end. A second lock serializes writers.
final class IndexHandle: Sendable {
    private let state: Mutex<any SharedIndex>
    private let writing = Mutex(())

    init(_ index: any SharedIndex) { state = Mutex(index) }

    /// The current value of the index.
    @inline(__always)
    var snapshot: any SharedIndex { state.withLock { $0 } }

    /// Changes the index, one writer at a time.
    ///
    /// - Parameter isShort: Whether the change takes at most some hundred microseconds for the current index.
    func update<Result: Sendable>(
        isShort: (any SharedIndex) -> Bool = { _ in false },
        _ change: (inout any SharedIndex) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        try writing.withLock { (_) throws(KinError) in
            if isShort(snapshot) {
                let done = try state.withLock { (index) throws(KinError) -> Result? in
                    // Where somebody reads, what changes has to be copied, which readers shall not wait for.
                    index.isUniquelyReferenced() ? try change(&index) : nil
                }
                if let done { return done }
            }
            var index = snapshot
            let result = try change(&index)
            // Memory without readers is freed here, outside the lock.
            state.withLock { swap(&$0, &index) }
            return result
        }
    }
}

/// The current value of a handle's index.
@inline(__always)
func snapshot(_ index: OpaquePointer?) throws(KinError) -> any SharedIndex {
    try unsafe object(IndexHandle.self, index, "index").snapshot
}

extension Metric {
    /// The metric of a constant of C.
    init(_ constant: kin_metric) throws(KinError) {
        switch Int(constant) {
        case KIN_METRIC_L2: self = .squaredL2
        case KIN_METRIC_IP: self = .innerProduct
        case KIN_METRIC_COSINE: self = .cosine
        default:
            throw KinError(
                .invalidArgument,
                "there is no metric \(constant); use KIN_METRIC_L2, KIN_METRIC_IP or KIN_METRIC_COSINE")
        }
    }

    /// The constant of C for the metric.
    var constant: kin_metric {
        switch self {
        case .squaredL2: kin_metric(KIN_METRIC_L2)
        case .innerProduct: kin_metric(KIN_METRIC_IP)
        case .cosine: kin_metric(KIN_METRIC_COSINE)
        }
    }
}

// MARK: - Making, copying, giving back

@c @implementation
public func kin_index_create_flat(
    _ dimension: Int, _ metric: kin_metric, _ index: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    attempt { () throws(KinError) in
        let output = try unsafe output(index, "index")
        let made = FlatIndex(dimension: try indexed(dimension), metric: try Metric(metric))
        unsafe output.pointee = handle(IndexHandle(made))
    }
}

@c @implementation
public func kin_index_create_ivf(
    _ dimension: Int, _ metric: kin_metric, _ lists: Int, _ index: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    attempt { () throws(KinError) in
        let output = try unsafe output(index, "index")
        let made = IVFIndex(
            dimension: try indexed(dimension), metric: try Metric(metric), partition: try Partitioning(lists: lists))
        unsafe output.pointee = handle(IndexHandle(made))
    }
}

extension Partitioning {
    /// The partitioning that a number of lists stands for; 0 for the automatic one.
    init(lists: Int) throws(KinError) {
        guard lists >= 0 else {
            throw KinError(.invalidArgument, "lists is \(UInt(bitPattern: lists)), more than any memory holds")
        }
        self = lists == 0 ? .automatic : .lists(lists)
    }
}

/// Requires a number of dimensions that an index supports.
func indexed(_ dimension: Int) throws(KinError) -> Int {
    guard (1...RowLayout.largestDimension).contains(dimension) else {
        throw KinError(
            .invalidArgument,
            "dimension is \(UInt(bitPattern: dimension)); it is 1 to \(RowLayout.largestDimension)")
    }
    return dimension
}

@c @implementation
public func kin_index_copy(_ index: OpaquePointer!, _ copy: UnsafeMutablePointer<OpaquePointer?>!) -> kin_status {
    attempt { () throws(KinError) in
        let snapshot = try unsafe snapshot(index)
        unsafe try output(copy, "copy").pointee = handle(IndexHandle(snapshot))
    }
}

@c @implementation
public func kin_index_free(_ index: OpaquePointer!) { unsafe release(IndexHandle.self, index) }

// MARK: - Facts

@c @implementation
public func kin_index_count(_ index: OpaquePointer!) -> Int {
    unsafe object(IndexHandle.self, index)?.snapshot.count ?? 0
}

@c @implementation
public func kin_index_dimension(_ index: OpaquePointer!) -> Int {
    unsafe object(IndexHandle.self, index)?.snapshot.dimension ?? 0
}

@c @implementation
public func kin_index_kind(_ index: OpaquePointer!) -> kin_index_type {
    switch unsafe object(IndexHandle.self, index)?.snapshot {
    case is FlatIndex: kin_index_type(KIN_INDEX_FLAT)
    case is IVFIndex: kin_index_type(KIN_INDEX_IVF)
    default: -1
    }
}

@c @implementation
public func kin_index_metric(_ index: OpaquePointer!) -> kin_metric {
    unsafe object(IndexHandle.self, index)?.snapshot.metric.constant ?? -1
}

@c @implementation
public func kin_index_bytes(_ index: OpaquePointer!) -> Int {
    unsafe object(IndexHandle.self, index)?.snapshot.byteCount ?? 0
}

// MARK: - Reading vectors back

@c @implementation
public func kin_index_contains(
    _ index: OpaquePointer!, _ ids: UnsafePointer<UInt64>!, _ count: Int, _ found: UnsafeMutablePointer<UInt8>!
) -> kin_status {
    attempt { () throws(KinError) in
        let index = try unsafe snapshot(index)
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
    attempt { () throws(KinError) in
        let index = try unsafe snapshot(index)
        let ids = try unsafe array(ids, count: count, "ids")
        let rows = try unsafe Rows(vectors, count: count, columns: index.dimension, stride: stride, "vectors")
        if let row = unsafe ids.firstIndex(where: { !index.contains(VectorID($0)) }) {
            throw unsafe KinError(.unknownID, "no vector has the id \(ids[row])").within("row", row)
        }
        for row in ids.indices { unsafe rows.write(index.vector(for: VectorID(ids[row]))!, at: row) }
    }
}

@c @implementation
public func kin_index_ids(
    _ index: OpaquePointer!, _ ids: UnsafeMutablePointer<UInt64>!, _ capacity: Int, _ count: UnsafeMutablePointer<Int>!
) -> kin_status {
    attempt { () throws(KinError) in
        let index = try unsafe snapshot(index)
        let room = try unsafe outputs(ids, count: capacity, "ids")
        let total = try unsafe output(count, "count")
        if unsafe ids != nil || capacity != 0 {
            guard capacity >= index.count else {
                throw KinError(
                    .invalidArgument, "ids has room for \(capacity), and the index holds \(index.count) vectors")
            }
            for (row, id) in index.ids.enumerated() { unsafe room[row] = id.rawValue }
        }
        unsafe total.pointee = index.count
    }
}
