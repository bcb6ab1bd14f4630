import Foundation
public import Kin

/// A file that appears under its name only once it is whole; `-` is standard output.
///
/// Whatever stops the writing, an older file of that name stays as it was. Files of other kinds are replaced only inside
/// `withOverwriting`, databases never. Devices and pipes are written to as they are.
public struct WholeFile {
    private let add: ([UInt8]) throws(KinError) -> Void

    /// Makes a file of the bytes that `fill` writes.
    ///
    /// - Parameters:
    ///   - path: Its name; the bytes go to `path` and `.part` first. `-` is standard output.
    ///   - isPrivate: Whether it is of people's records, and so its owner's alone (mode 0600), whatever the umask.
    ///   - fill: Writes the content, by ``write(_:)`` in as many pieces as it likes.
    /// - Throws: `.inputOutput` with the `output` named when the file cannot be made; `.invalidArgument` when there is a file that is not
    ///   empty, outside of `withOverwriting`; the errors of `fill`.
    public static func make(_ path: String, isPrivate: Bool = false, _ fill: (WholeFile) throws -> Void) throws {
        try make(path, isPrivate: isPrivate, replacing: [], fill)
    }

    /// Makes a file that may replace others of some contents.
    private static func make(
        _ path: String, isPrivate: Bool, replacing kinds: [FileContent], _ fill: (WholeFile) throws -> Void
    ) throws {
        guard path != "-" else {
            return try fill(WholeFile { bytes throws(KinError) in try StandardStream.output.write(bytes) })
        }
        try Kin.requireReplaceable(path, by: kinds)
        let isStream = FileIdentity(of: path).map { !$0.isRegular && !$0.isFolder } ?? false
        let place = isStream ? path : path + ".part"
        // An earlier one may be there, of another mode.
        if isPrivate, !isStream { _ = unsafe unlink(place) }
        guard
            isStream
                || FileManager.default.createFile(
                    atPath: place, contents: nil, attributes: isPrivate ? [.posixPermissions: 0o600] : nil),
            let handle = FileHandle(forWritingAtPath: place)
        else {
            throw KinError(.inputOutput, "the file cannot be written: does its folder exist?").within("output", path)
        }
        do {
            try fill(
                WholeFile { bytes throws(KinError) in
                    try written(path) { try handle.write(contentsOf: bytes) }
                })
            try written(path) {
                if !isStream { try handle.synchronize() }
                try handle.close()
            }
            guard unsafe isStream || rename(place, path) == 0 else {
                throw KinError(.inputOutput, "the file cannot be written: is it a folder?").within("output", path)
            }
        } catch {
            if !isStream { try? FileManager.default.removeItem(atPath: place) }
            throw error
        }
    }

    /// Makes a file of a text. One of Kin's own formats in JSON may replace an older file of that format.
    ///
    /// - Parameters:
    ///   - path: Its name; `-` is standard output.
    ///   - text: The whole content.
    /// - Throws: `.inputOutput` when the file cannot be made or written; `.invalidArgument` when there is a file that is neither empty nor
    ///   of that format, outside of `withOverwriting`.
    public static func make(_ path: String, text: String) throws {
        try make(path, isPrivate: false, replacing: kinds(text)) { file in try file.write(Array(text.utf8)) }
    }

    /// Requires that a file with a text may replace the file at a path.
    ///
    /// - Throws: `.invalidArgument` with the `output`.
    static func requireReplaceable(_ path: String, by text: String) throws(KinError) {
        try Kin.requireReplaceable(path, by: kinds(text))
    }

    /// The contents of the same kind as a text: its format, if that is one of Kin's own.
    private static func kinds(_ text: String) -> [FileContent] {
        let content = FileContent(beginningWith: Array(text.utf8.prefix(128)))
        return content == .other ? [] : [content]
    }

    /// Makes a folder, and the folders that it is to lie in, unless it is there.
    ///
    /// - Parameter path: The folder's name.
    /// - Throws: `.inputOutput` with the `output` named when it cannot be made.
    public static func makeFolder(_ path: String) throws(KinError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw KinError(.inputOutput, "the folder cannot be made").within("output", path)
        }
    }

    /// Adds to the file.
    ///
    /// - Parameter bytes: The next bytes of the content.
    /// - Throws: `.inputOutput`, as when the disk is full.
    public func write(_ bytes: [UInt8]) throws(KinError) { try add(bytes) }

    private static func written(_ path: String, _ write: () throws -> Void) throws(KinError) {
        do { try write() } catch {
            throw KinError(.inputOutput, "writing failed: is the disk full?").within("file", path)
        }
    }
}
