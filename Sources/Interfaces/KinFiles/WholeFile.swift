import Foundation

/// A file that appears under its name only when it is complete; `-` is standard output.
///
/// If writing stops for any reason, an older file of that name is unchanged. Files of other kinds are replaced only
/// inside `withOverwriting`, databases never. Devices and pipes are written to directly.
public struct WholeFile {
    private let add: ([UInt8]) throws(KinError) -> Void

    /// Creates a file with the bytes that `fill` writes.
    ///
    /// - Parameters:
    ///   - path: The name of the file; the bytes go to an unused name in its folder first. `-` is standard output.
    ///   - isPrivate: Whether the file has people's records, and only its owner may read it (mode 0600), whatever the
    ///     umask.
    ///   - fill: Writes the content, with any number of calls of ``write(_:)``.
    /// - Throws: `.inputOutput` with the `output` if the file cannot be created; `.invalidArgument` if the existing
    ///   file is not empty, outside of `withOverwriting`; the errors of `fill`.
    public static func make(_ path: String, isPrivate: Bool = false, _ fill: (WholeFile) throws -> Void) throws {
        try make(path, isPrivate: isPrivate, replacing: [], fill)
    }

    /// Creates a file that may replace files with some contents.
    private static func make(
        _ path: String, isPrivate: Bool, replacing kinds: [FileContent], _ fill: (WholeFile) throws -> Void
    ) throws {
        guard path != "-" else {
            return try fill(WholeFile { bytes throws(KinError) in try StandardStream.output.write(bytes) })
        }
        if FileIdentity(of: path).map({ !$0.isRegular && !$0.isFolder }) ?? false {
            guard let handle = FileHandle(forWritingAtPath: path) else {
                throw KinError(.inputOutput, "the device or pipe cannot be written to").within("output", path)
            }
            return try fill(
                WholeFile { bytes throws(KinError) in
                    do { try handle.write(contentsOf: bytes) } catch {
                        throw KinError(.inputOutput, "writing failed: is the disk full?").within("file", path)
                    }
                })
        }
        var failure: (any Error)?
        do throws(KinError) {
            if isPrivate {
                // A private file does not keep the mode of the file that it replaces.
                try Kin.requireReplaceable(path, by: kinds)
                _ = unsafe chmod(path, 0o600)
            }
            try replaceFile(
                at: path, files: SystemFiles(), isPrivate: isPrivate, replacing: kinds
            ) { output throws(KinError) in
                var place = 0
                do {
                    try fill(
                        WholeFile { bytes throws(KinError) in
                            do throws(KinError) { try output.write(unsafe bytes.span.bytes, at: place) } catch {
                                throw error.within("file", path)
                            }
                            place += bytes.count
                        })
                } catch {
                    failure = error
                    throw KinError(.cancelled, "")
                }
            }
        } catch {
            throw failure ?? error.without(["file"]).within("output", path)
        }
    }

    /// Creates a file with a text. A text in one of Kin's own JSON formats may replace an older file of that format.
    ///
    /// - Parameters:
    ///   - path: The name of the file; `-` is standard output.
    ///   - text: The whole content.
    /// - Throws: `.inputOutput` if the file cannot be created or written; `.invalidArgument` if the existing file is
    ///   neither empty nor of that format, outside of `withOverwriting`.
    public static func make(_ path: String, text: String) throws {
        try make(path, text: text) {}
    }

    /// Creates a file with a text, but replaces an older file only after `others` has created the files that belong to
    /// it. A full disk therefore leaves all older files as they were.
    ///
    /// - Parameter kinds: The contents that it may replace; nil for the format of the text, if it is one of Kin's own.
    static func make(
        _ path: String, text: String, replacing kinds: [FileContent]? = nil, after others: () throws -> Void
    ) throws {
        try make(path, isPrivate: false, replacing: kinds ?? Self.kinds(text)) { file in
            try file.write(Array(text.utf8))
            try others()
        }
    }

    /// Requires that a file with a text may replace the file at a path.
    ///
    /// - Throws: `.invalidArgument` with the `output`.
    static func requireReplaceable(_ path: String, by text: String) throws(KinError) {
        try Kin.requireReplaceable(path, by: kinds(text))
    }

    /// The contents of the same kind as a text: its format, if it is one of Kin's own.
    private static func kinds(_ text: String) -> [FileContent] {
        let content = FileContent(beginningWith: Array(text.utf8.prefix(128)))
        return content == .other ? [] : [content]
    }

    /// Creates a folder and its parent folders, unless they exist.
    ///
    /// - Parameter path: The path of the folder.
    /// - Throws: `.inputOutput` with the `output` if it cannot be created.
    public static func makeFolder(_ path: String) throws(KinError) {
        if FileIdentity(of: path)?.isFolder == true { return }
        let parent = (path as NSString).deletingLastPathComponent
        if !parent.isEmpty { try makeFolder(parent) }
        let number = unsafe mkdir(path, 0o777) == 0 ? 0 : errno
        guard number == 0 || FileIdentity(of: path)?.isFolder == true else {
            throw KinError.refused("make the folder", number: number).within("output", path)
        }
    }

    /// Appends bytes to the file.
    ///
    /// - Parameter bytes: The next bytes of the content.
    /// - Throws: `.inputOutput`, for example if the disk is full.
    public func write(_ bytes: [UInt8]) throws(KinError) { try add(bytes) }
}
