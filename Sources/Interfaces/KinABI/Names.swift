// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import KinLibC

@c @implementation
public func kin_index_has_names(_ index: OpaquePointer!) -> Int32 {
    unsafe fact(index, or: 0) { $0.hasNames ? 1 : 0 }
}

@c @implementation
public func kin_index_upsert_named(
    _ index: OpaquePointer!, _ vectors: UnsafePointer<Float>!, _ count: Int, _ stride: Int,
    _ names: UnsafePointer<UnsafePointer<CChar>?>!, _ threads: Int, _ ids: UnsafeMutablePointer<UInt64>!
) -> kin_status {
    unsafe attemptLong(on: index) { () throws(KinError) in
        let handle = try unsafe object(IndexHandle.self, index, "index")
        let rows = try unsafe Rows(
            vectors, count: count, columns: handle.dimension, stride: stride, "vectors")
        let names = try unsafe textList(names, count: count, "names")
        let output = unsafe ids == nil ? nil : try outputs(ids, count: count, "ids")
        let threads = try KinABI.threads(threads)
        let matrix = try rows.matrix(threads: threads)
        let isShort = { (index: VectorIndex) in
            names.count <= VectorIndex.fewRows
                && index.isShort(upserting: matrix, ids: (0..<names.count).map { index.id(of: names[$0]) ?? .none })
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
        unsafe needed.pointee = index.write(namesOf: ids, to: room)
    }
}

/// Checks an array of texts of C and copies them into a list.
func textList(
    _ pointer: UnsafePointer<UnsafePointer<CChar>?>?, count: Int, _ name: StaticString
) throws(KinError) -> TextList {
    let elements = try unsafe array(pointer, count: count, name)
    try requireRoom(for: count, elementsOf: MemoryLayout<String>.stride, name)
    var list = TextList()
    for row in 0..<count {
        guard let text = unsafe elements[row] else { throw missing(name).within("row", row) }
        let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text)).assumingMemoryBound(to: UInt8.self)
        guard unsafe bytes.isUTF8 else { throw notUTF8(name).within("row", row) }
        unsafe list.append(bytes)
    }
    return list
}

/// Checks an array of texts of C and copies it.
func texts(
    _ pointer: UnsafePointer<UnsafePointer<CChar>?>?, count: Int, _ name: StaticString
) throws(KinError) -> [String] {
    let list = try unsafe textList(pointer, count: count, name)
    return (0..<count).map { list[$0] }
}
