// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

@c @implementation
public func kin_index_upsert(
    _ index: OpaquePointer!, _ vectors: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ ids: UnsafePointer<UInt64>!, _ threads: Int
) -> kin_status {
    unsafe attemptLong(on: index) { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        let rows = try unsafe Rows(
            vectors, count: count, columns: handle.dimension, stride: stride, "vectors")
        let threads = try KinABI.threads(threads)
        let ids = try unsafe vectorIDs(ids, count: count, threads: threads)
        let matrix = try rows.matrix(threads: threads)
        try handle.update(isShort: { $0.isShort(upserting: matrix, ids: ids) }) { (index) throws(KinError) in
            try index.upsert(matrix, ids: ids, threads: threads)
        }
    }
}

@c @implementation
public func kin_index_append(
    _ index: OpaquePointer!, _ vectors: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ threads: Int, _ first: UnsafeMutablePointer<UInt64>!
) -> kin_status {
    unsafe attemptLong(on: index) { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        let rows = try unsafe Rows(
            vectors, count: count, columns: handle.dimension, stride: stride, "vectors")
        let first = unsafe first == nil ? nil : try output(first, "first")
        let threads = try KinABI.threads(threads)
        let matrix = try rows.matrix(threads: threads)
        let id = try handle.update(isShort: { $0.isShort(upserting: matrix, ids: []) }) { (index) throws(KinError) in
            try index.append(matrix, threads: threads)
        }
        unsafe first?.pointee = id.rawValue
    }
}

@c @implementation
public func kin_index_remove(
    _ index: OpaquePointer!, _ ids: UnsafePointer<UInt64>!, _ count: Int, _ removed: UnsafeMutablePointer<Int>!
) -> kin_status {
    attempt { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        let ids = try unsafe vectorIDs(ids, count: count)
        let removed = unsafe removed == nil ? nil : try output(removed, "removed")
        let found = try handle.update(isShort: { $0.isShort(removing: ids) }) { (index) throws(KinError) in
            index.remove(ids)
        }
        unsafe removed?.pointee = found
    }
}

@c @implementation
public func kin_index_reserve(_ index: OpaquePointer!, _ count: Int) -> kin_status {
    attempt { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        guard count >= 0, count < 1 << 32 else {
            throw KinError(
                .capacityExceeded, "count is \(UInt(bitPattern: count)), and an index holds less than 2^32 vectors")
        }
        // Numbers, codes and ids.
        try requireRoom(for: count, elementsOf: 5 * handle.dimension + 16, "count")
        try handle.update { (index) throws(KinError) in index.reserveCapacity(count) }
    }
}

@c @implementation
public func kin_index_calibrate(_ index: OpaquePointer!, _ threads: Int) -> kin_status {
    unsafe attemptLong(on: index) { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        let threads = try KinABI.threads(threads)
        try handle.update { (index) throws(KinError) in try index.calibrate(threads: threads) }
    }
}

@c @implementation
public func kin_index_compact(_ index: OpaquePointer!) -> kin_status {
    attempt { () throws(KinError) in
        try unsafe object(IndexHandle.self, index, "index").update { (index) throws(KinError) in index.compact() }
    }
}
