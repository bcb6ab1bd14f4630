// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CKin
import KinClustering
package import KinCore
import KinIndex
import KinLinearAlgebra

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
        let place = try unsafe place(index, "index")
        let index: any ServedIndex =
            switch try IndexKind(ofFile: path) {
            case .flat: try FlatIndex(mapping: path)
            case .ivf: try IVFIndex(mapping: path)
            }
        unsafe place.pointee = handle(IndexHandle(index))
    }
}

@c @implementation
public func kin_index_verify(
    _ path: UnsafePointer<CChar>!, _ intact: UnsafeMutablePointer<Int32>!,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>!
) -> kin_status {
    attempt { () throws(KinError) in
        let path = try unsafe text(path, "path")
        let verdict = try unsafe place(intact, "intact")
        let text = unsafe json == nil ? nil : try place(json, "json")
        let report = try IndexKind.verify(path)
        unsafe verdict.pointee = report.isIntact ? 1 : 0
        unsafe text?.pointee = ownedText(report.json.description)
    }
}

/// A text that C passes in.
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
    fileprivate var json: JSON {
        var members: [(String, JSON)] = [
            ("intact", .boolean(isIntact)), ("kind", .text(kind)), ("total_bytes", .integer(totalBytes)),
            ("sections", .array(sections.map(\.json))),
            ("facts", .object(facts.map { ($0.name, .text($0.value)) })),
        ]
        if let damage {
            var facts: [(String, JSON)] = damage.section.map { [("section", .text($0))] } ?? []
            facts += [("offset", .integer(damage.offset)), ("description", .text(damage.description))]
            members.append(("damage", .object(facts)))
        }
        return .object(members)
    }
}

extension FileReport.Section {
    fileprivate var json: JSON {
        [
            "name": .text(name), "offset": .integer(offset), "length": .integer(length),
            "intact": .boolean(checksumMatches),
        ]
    }
}
