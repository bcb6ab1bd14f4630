// The functions have the names of kin.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import KinJSON

@c @implementation
public func kin_index_save(_ index: OpaquePointer!, _ path: UnsafePointer<CChar>!) -> kin_status {
    unsafe kin_index_save_with(index, path, nil)
}

@c @implementation
public func kin_index_save_with(
    _ index: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ options: UnsafePointer<kin_file_options>!
) -> kin_status {
    unsafe attemptLong(reading: index) { (index) throws(KinError) in
        let path = try unsafe text(path, "path")
        let isOverwriting = try unsafe flag(kin_file_options.checked(options).overwrite, "overwrite")
        try withOverwriting(isOverwriting) { () throws(KinError) in try index.save(to: path) }
    }
}

extension kin_file_options: SizedOptions {
    package static var defaults: kin_file_options { kin_file_options_defaults() }
    package static var smallestSize: Int { 16 }

    /// Reads the options of a call, whose reserved field must be 0.
    static func checked(_ pointer: UnsafePointer<kin_file_options>?) throws(KinError) -> kin_file_options {
        let options = try unsafe read(pointer)
        guard options.reserved == 0 else {
            throw KinError(.invalidArgument, "reserved must be 0, not \(options.reserved)")
        }
        return options
    }
}

@c @implementation
public func kin_index_map(_ path: UnsafePointer<CChar>!, _ index: UnsafeMutablePointer<OpaquePointer?>!) -> kin_status {
    unsafe kin_index_open(path, nil, index)
}

@c @implementation
public func kin_index_open(
    _ path: UnsafePointer<CChar>!, _ options: UnsafePointer<kin_file_options>!,
    _ index: UnsafeMutablePointer<OpaquePointer?>!
) -> kin_status {
    unsafe attempt(making: index, "index") { () throws(KinError) in
        let options = try unsafe kin_file_options.checked(options)
        let verification: OpeningVerification
        switch Int(options.verify) {
        case KIN_VERIFY_STRUCTURE: verification = .structure
        case KIN_VERIFY_ALL: verification = .all
        case KIN_VERIFY_ON_USE: verification = .onUse
        default:
            throw KinError(
                .invalidArgument,
                "verify must be KIN_VERIFY_STRUCTURE, KIN_VERIFY_ALL or KIN_VERIFY_ON_USE, not \(options.verify)")
        }
        let path = try unsafe text(path, "path")
        let isMapped = try !flag(options.unmapped, "unmapped")
        return IndexHandle(try VectorIndex(opening: path, mapped: isMapped, verify: verification))
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
        let report = try VectorIndex.verify(path)
        unsafe verdict.pointee = report.isIntact ? 1 : 0
        unsafe text?.pointee = ownedText(report.json)
    }
}

/// Checks a text argument of C.
///
/// - Throws: `.invalidArgument` for NULL and for text that is not UTF-8.
package func text(_ pointer: UnsafePointer<CChar>?, _ name: StaticString) throws(KinError) -> String {
    guard let pointer = unsafe pointer else { throw missing(name) }
    guard let text = unsafe String(validatingCString: pointer) else {
        throw notUTF8(name)
    }
    return text
}

func notUTF8(_ name: StaticString) -> KinError { KinError(.invalidArgument, "\(name) is not UTF-8") }

extension FileReport {
    fileprivate var json: String {
        JSONWriter.object { writer in
            writer.member("intact", isIntact)
            writer.member("kind") { $0.string(kind) }
            writer.member("total_bytes", totalBytes)
            writer.objects("sections", sections) { section, writer in
                writer.member("name", section.name)
                writer.member("offset", section.offset)
                writer.member("length", section.length)
                writer.member("intact", section.checksumMatches)
            }
            writer.object("facts") { writer in
                for fact in facts { writer.member(fact.name, fact.value) }
            }
            guard let damage else { return }
            writer.object("damage") { writer in
                if let section = damage.section { writer.member("section", section) }
                writer.member("offset", damage.offset)
                writer.member("description", damage.description)
            }
        }
    }
}
