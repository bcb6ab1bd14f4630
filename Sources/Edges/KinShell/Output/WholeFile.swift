import Foundation
import Kin

/// A file that appears under its name only once it is whole; `-` is standard output.
///
/// Whatever stops the writing, an older file of that name stays as it was.
struct WholeFile {
    private let handle: FileHandle
    private let path: String

    /// Makes a file of what `fill` writes.
    ///
    /// - Parameter isPrivate: Whether it is of people's records, and so its owner's alone (mode 0600), whatever the umask.
    /// - Throws: `Failure` when the file cannot be made; what `fill` throws.
    static func make(_ path: String, isPrivate: Bool = false, _ fill: (WholeFile) throws -> Void) throws {
        guard path != "-" else { return try fill(WholeFile(handle: .standardOutput, path: path)) }
        let temporary = path + ".part"
        // An earlier one may be there, of another mode.
        if isPrivate { _ = unsafe unlink(temporary) }
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: nil, attributes: isPrivate ? [.posixPermissions: 0o600] : nil),
            let handle = FileHandle(forWritingAtPath: temporary)
        else {
            throw Failure(
                .cannotCreate,
                KinError(.inputOutput, "the file cannot be written: does its folder exist?").within("file", path))
        }
        do {
            let file = WholeFile(handle: handle, path: path)
            try fill(file)
            try file.close()
            guard unsafe rename(temporary, path) == 0 else {
                throw Failure(
                    .cannotCreate,
                    KinError(.inputOutput, "the file cannot be written: is it a folder?").within("file", path))
            }
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }

    /// Makes a file of lines, and shows how far it is.
    ///
    /// - Parameters:
    ///   - count: How many lines.
    ///   - noun: What a line tells of, for people.
    ///   - line: The line of a number from 0 on, without its end.
    static func make(
        _ path: String, lines count: Int, of noun: String, on console: Console, _ line: (Int) -> String
    ) throws {
        let bar = ProgressBar("writing", on: console)
        defer { bar.finish() }
        try make(path) { file in
            // In pieces, so that a million lines need no gigabytes.
            for first in stride(from: 0, to: count, by: 1000) {
                bar.update(done: first, of: count) { NumberText.count($0, noun) }
                try file.write(Array((first..<min(count, first + 1000)).map { line($0) + "\n" }.joined().utf8))
            }
        }
    }

    /// Adds to the file.
    ///
    /// - Throws: `.inputOutput`.
    func write(_ bytes: [UInt8]) throws(KinError) {
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
