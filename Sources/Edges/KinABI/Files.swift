// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin
package import KinCore
import KinIndex
import KinJSON

@c @implementation
public func kin_index_save(_ index: OpaquePointer!, _ path: UnsafePointer<CChar>!) -> kin_status {
    attempt { () throws(KinError) in
        let index = try unsafe snapshot(index)
        try index.save(to: unsafe text(path, "path"))
    }
}

@c @implementation
public func kin_index_map(_ path: UnsafePointer<CChar>!, _ index: UnsafeMutablePointer<OpaquePointer?>!) -> kin_status {
    attempt { () throws(KinError) in
        let path = try unsafe text(path, "path")
        let output = try unsafe output(index, "index")
        let index: any SharedIndex =
            switch try IndexKind(ofFile: path) {
            case .flat: try FlatIndex(mapping: path)
            case .ivf: try IVFIndex(mapping: path)
            }
        unsafe output.pointee = handle(IndexHandle(index))
    }
}

@c @implementation
public func kin_index_verify(
    _ path: UnsafePointer<CChar>!, _ intact: UnsafeMutablePointer<Int32>!,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    attempt { () throws(KinError) in
        let path = try unsafe text(path, "path")
        let verdict = try unsafe output(intact, "intact")
        let text = unsafe json == nil ? nil : try output(json, "json")
        let report = try IndexKind.verify(path)
        unsafe verdict.pointee = report.isIntact ? 1 : 0
        unsafe text?.pointee = ownedText(report.json)
    }
}

/// Checks a text argument of C.
///
/// - Throws: `.invalidArgument` for NULL and for what is not UTF-8.
package func text(_ pointer: UnsafePointer<CChar>?, _ name: StaticString) throws(KinError) -> String {
    guard let pointer = unsafe pointer else { throw missing(name) }
    guard let text = unsafe String(validatingCString: pointer) else {
        throw KinError(.invalidArgument, "\(name) is not UTF-8")
    }
    return text
}

extension FileReport {
    fileprivate var json: String {
        KinABI.json { writer in
            writer.member("intact") { $0.boolean(isIntact) }
            writer.member("kind") { $0.string(kind) }
            writer.member("total_bytes") { $0.integer(totalBytes) }
            writer.member("sections") { writer in
                writer.array(sections) { section, writer in
                    writer.object { writer in
                        writer.member("name") { $0.string(section.name) }
                        writer.member("offset") { $0.integer(section.offset) }
                        writer.member("length") { $0.integer(section.length) }
                        writer.member("intact") { $0.boolean(section.checksumMatches) }
                    }
                }
            }
            writer.member("facts") { writer in
                writer.object { writer in
                    for fact in facts { writer.member(fact.name) { $0.string(fact.value) } }
                }
            }
            guard let damage else { return }
            writer.member("damage") { writer in
                writer.object { writer in
                    if let section = damage.section { writer.member("section") { $0.string(section) } }
                    writer.member("offset") { $0.integer(damage.offset) }
                    writer.member("description") { $0.string(damage.description) }
                }
            }
        }
    }
}
