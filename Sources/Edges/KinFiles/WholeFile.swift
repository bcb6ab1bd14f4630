import Foundation
public import Kin

/// A file that appears under its name only once it is whole; `-` is standard output.
///
/// Whatever stops the writing, an older file of that name stays as it was.
public struct WholeFile {
    private let handle: FileHandle
    private let path: String

    /// Makes a file of the bytes that `fill` writes.
    ///
    /// - Parameters:
    ///   - path: Its name; the bytes go to `path` and `.part` first. `-` is standard output.
    ///   - isPrivate: Whether it is of people's records, and so its owner's alone (mode 0600), whatever the umask.
    ///   - fill: Writes the content, by ``write(_:)`` in as many pieces as it likes.
    /// - Throws: `.inputOutput` with the `output` named when the file cannot be made; the errors of `fill`.
    public static func make(_ path: String, isPrivate: Bool = false, _ fill: (WholeFile) throws -> Void) throws {
        guard path != "-" else { return try fill(WholeFile(handle: .standardOutput, path: path)) }
        let temporary = path + ".part"
        // An earlier one may be there, of another mode.
        if isPrivate { _ = unsafe unlink(temporary) }
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: nil, attributes: isPrivate ? [.posixPermissions: 0o600] : nil),
            let handle = FileHandle(forWritingAtPath: temporary)
        else {
            throw KinError(.inputOutput, "the file cannot be written: does its folder exist?").within("output", path)
        }
        do {
            let file = WholeFile(handle: handle, path: path)
            try fill(file)
            try file.close()
            guard unsafe rename(temporary, path) == 0 else {
                throw KinError(.inputOutput, "the file cannot be written: is it a folder?").within("output", path)
            }
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }

    /// Makes a file of a text.
    ///
    /// - Parameters:
    ///   - path: Its name; `-` is standard output.
    ///   - text: The whole content.
    /// - Throws: `.inputOutput` when the file cannot be made or written.
    public static func make(_ path: String, text: String) throws {
        try make(path) { file in try file.write(Array(text.utf8)) }
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
    public func write(_ bytes: [UInt8]) throws(KinError) {
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw KinError(.inputOutput, "writing failed: is the disk full?").within("file", path)
        }
    }

    private func close() throws(KinError) {
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw KinError(.inputOutput, "writing failed: is the disk full?").within("file", path)
        }
    }
}
