// The functions have the names of kin_engine.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin
import KinABI
import KinFiles
import KinJSON
import KinShell

@c @implementation
public func kin_vectors_read(
    _ path: UnsafePointer<CChar>!, _ options: UnsafePointer<CChar>!, _ vectors: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attemptLong(making: vectors, "vectors") { () throws(KinError) in
        let options = try unsafe options == nil ? VectorOptions() : VectorOptions(json: text(options, "options"))
        return Boxed(try options.read(unsafe text(path, "path")))
    }
}

@c @implementation
public func kin_vectors_free(_ vectors: OpaquePointer!) { unsafe release(Boxed<VectorTable>.self, vectors) }

@c @implementation
public func kin_vectors_count(_ vectors: OpaquePointer!) -> Int { unsafe boxed(VectorTable.self, vectors)?.count ?? 0 }

@c @implementation
public func kin_vectors_dimension(_ vectors: OpaquePointer!) -> Int {
    unsafe boxed(VectorTable.self, vectors)?.dimension ?? 0
}

@c @implementation
public func kin_vectors_copy(
    _ vectors: OpaquePointer!, _ elements: UnsafeMutablePointer<Float>!, _ ids: UnsafeMutablePointer<UInt64>!
) -> kin_status {
    attempt { () throws(KinError) in
        let table = try unsafe boxed(VectorTable.self, vectors, "vectors")
        if let elements = unsafe elements { try unsafe fill(elements, with: table.elements, "elements") }
        if let ids = unsafe ids { try unsafe fill(ids, with: table.allIDs.map(\.rawValue), "ids") }
    }
}

@c @implementation
public func kin_vectors_describe(
    _ vectors: OpaquePointer!, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    attemptLong { () throws(KinError) in
        let json = try unsafe output(json, "json")
        let table = try unsafe boxed(VectorTable.self, vectors, "vectors")
        unsafe json.pointee = ownedText(table.description)
    }
}

extension VectorTable {
    /// Everything but the vectors and ids, as described in kin_engine.h.
    fileprivate var description: String {
        JSONWriter.object { writer in
            writer.member("has_ids", ids != nil)
            if let names { writer.member("names") { $0.array(names) } }
            if let columns { writer.member("columns") { $0.array(columns) } }
            if let labels { writer.member("labels") { $0.array(labels) } }
            writer.member("attributes") { writer in
                writer.object { writer in
                    for (attribute, values) in zip(attributes.schema.attributes, attributes.values) {
                        writer.member(attribute.name) { writer in
                            writer.array(values) { value, writer in
                                if let value { value.write(to: &writer) } else { writer.null() }
                            }
                        }
                    }
                }
            }
            writer.member("notes") { $0.array(notes) }
        }
    }
}
