// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin
import KinCore
import KinIndex

@c @implementation
public func kin_index_has_names(_ index: OpaquePointer!) -> Int32 {
    unsafe fact(index, or: 0) { $0.hasNames ? 1 : 0 }
}

@c @implementation
public func kin_index_upsert_named(
    _ index: OpaquePointer!, _ vectors: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ names: UnsafePointer<UnsafePointer<CChar>?>!, _ threads: Int, _ ids: UnsafeMutablePointer<UInt64>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        let rows = try unsafe Rows(
            vectors, count: count, columns: handle.dimension, stride: stride, "vectors")
        let names = try unsafe texts(names, count: count, "names")
        let output = unsafe ids == nil ? nil : try outputs(ids, count: count, "ids")
        let threads = try KinABI.threads(threads)
        let matrix = try rows.matrix(threads: threads)
        let isShort = { (index: VectorIndex) in
            names.count <= VectorIndex.fewRows
                && index.isShort(upserting: matrix, ids: names.map { index.id(of: $0) ?? .none })
        }
        let found = try handle.update(isShort: isShort) { (index) throws(KinError) in
            try index.upsert(matrix, names: names, threads: threads)
        }
        unsafe output?.write(found.map(\.rawValue))
    }
}

@c @implementation
public func kin_index_remove_named(
    _ index: OpaquePointer!, _ names: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int,
    _ removed: UnsafeMutablePointer<Int>!
) -> kin_status {
    attempt { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        let names = try unsafe texts(names, count: count, "names")
        let removed = unsafe removed == nil ? nil : try output(removed, "removed")
        let isShort = { (index: VectorIndex) in
            names.count <= VectorIndex.fewRows && index.isShort(removing: names.compactMap(index.id(of:)))
        }
        let found = try handle.update(isShort: isShort) { (index) throws(KinError) in index.remove(names: names) }
        unsafe removed?.pointee = found
    }
}

@c @implementation
public func kin_index_find(
    _ index: OpaquePointer!, _ names: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int,
    _ ids: UnsafeMutablePointer<UInt64>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let names = try unsafe texts(names, count: count, "names")
        let output = try unsafe outputs(ids, count: count, "ids")
        unsafe output.write(names.map { (index.id(of: $0) ?? .none).rawValue })
    }
}

@c @implementation
public func kin_index_names(
    _ index: OpaquePointer!, _ ids: UnsafePointer<UInt64>!, _ count: Int, _ names: UnsafeMutablePointer<CChar>!,
    _ capacity: Int, _ needed: UnsafeMutablePointer<Int>!
) -> kin_status {
    unsafe attempt(reading: index) { (index) throws(KinError) in
        let ids = try unsafe array(ids, count: count, "ids")
        let room = try unsafe outputs(names, count: capacity, "names")
        let needed = try unsafe output(needed, "needed")
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 * count)
        for row in 0..<count {
            var name = unsafe index.name(of: VectorID(ids[row])) ?? ""
            name.withUTF8 { unsafe bytes.append(contentsOf: $0) }
            bytes.append(0)
        }
        if bytes.count <= capacity { unsafe UnsafeMutableRawBufferPointer(room).copyBytes(from: bytes) }
        unsafe needed.pointee = bytes.count
    }
}
