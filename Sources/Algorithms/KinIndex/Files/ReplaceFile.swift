package import KinCore
import SystemPackage

/// A new file that is being written and has no readers yet.
package struct OutputFile: Sendable {
    /// The path of the file until it is renamed.
    package var name: String { path.string }
    let path: FilePath
    let descriptor: FileDescriptor
    let files: any FileOperations

    /// Creates a file of a name that is not taken, in the folder of a file that is to be written.
    init(temporaryFor path: String, files: some FileOperations) throws(KinError) {
        self = try createTemporary(for: try Destination(path, isPrivate: false, files: files), files: files)
    }

    fileprivate init(path: FilePath, descriptor: FileDescriptor, files: any FileOperations) {
        self.path = path
        self.descriptor = descriptor
        self.files = files
    }

    /// Writes all bytes at an offset of the file.
    package func write(_ bytes: borrowing RawSpan, at start: Int) throws(KinError) {
        var written = 0
        while written < bytes.byteCount {
            let rest = bytes.extracting(droppingFirst: written)
            let offset = start + written
            let count = try attempt("write \(rest.byteCount) bytes of the new file at byte \(offset)") {
                () throws(Errno) in
                let count = try unsafe rest.withUnsafeBytes { (buffer) throws(Errno) in
                    try unsafe files.write(descriptor, at: offset, buffer)
                }
                // A file that takes no byte and gives no reason would keep us here for ever.
                guard count > 0 else { throw Errno.ioError }
                return count
            }
            written += count
        }
    }
}

/// Replaces the file at `path` by a new one, all or nothing, so that no crash and no error leaves a half-written file.
///
/// The bytes go to a temporary file in the same folder, named `.kin-` + 16 hexadecimal digits + `.tmp`; it is brought
/// to the disk, renamed over the path, and the folder is brought to the disk. On an error the temporary file is
/// removed and the file that was there is untouched; the one error after the rename, a folder that can't be brought
/// to the disk, says so. Only a process that ends in between (or a removal that fails too) leaves a temporary file
/// behind, which may be deleted.
///
/// Whoever has the old file open or mapped keeps it as it was. A symbolic link is followed, unless it leads nowhere:
/// then the file replaces it. The new file has the permission bits of the one it replaces, else 0644 less the
/// umask; its owner is that of the process, as for every new file.
///
/// - Parameters:
///   - path: where the file shall be; its folder must exist.
///   - files: the system calls.
///   - isPrivate: whether a file that replaces none is its owner's alone (mode 0600), whatever the umask.
///   - kinds: the contents of the same kind, which ``requireReplaceable(_:by:files:)`` allows to be replaced.
///   - body: writes the new file.
/// - Throws: `inputOutput`, `invalidArgument` for a file of a different kind, or the error of `body`; all with the path.
package func replaceFile(
    at path: String,
    files: some FileOperations,
    isPrivate: Bool = false,
    replacing kinds: [FileContent] = [],
    _ body: (OutputFile) throws(KinError) -> Void
) throws(KinError) {
    try requireReplaceable(path, by: kinds, files: files)
    do throws(KinError) {
        let destination = try Destination(path, isPrivate: isPrivate, files: files)
        let folder = try attempt("open the folder \(destination.folder)") { () throws(Errno) in
            try files.openFolder(destination.folder)
        }
        // Only synchronized, so there is nothing that closing could lose.
        defer { try? files.close(folder) }

        let output = try createTemporary(for: destination, files: files)
        do throws(KinError) {
            try fill(output, at: destination, body)
            try attempt("rename the new file over the old one") { () throws(Errno) in
                try files.rename(output.path, to: destination.file)
            }
        } catch {
            // The first error is the one to report; a file that can't be removed is named as ours.
            try? files.remove(output.path)
            throw error
        }
        try synchronize(folder: folder, files: files)
    } catch {
        throw error.within("file", path)
    }
}

/// Removes files of one folder, and brings the folder to the disk. A missing file is no error.
package func removeFiles(at paths: [String], files: some FileOperations) throws(KinError) {
    for path in paths {
        do throws(Errno) {
            try retrying { () throws(Errno) in try files.remove(FilePath(path)) }
        } catch {
            guard error == .noSuchFileOrDirectory else { throw .refused("remove the file", error).within("file", path) }
        }
    }
    guard let first = paths.first else { return }
    let parent = FilePath(first).removingLastComponent()
    let opened = try attempt("open the folder \(parent)") { () throws(Errno) in try files.openFolder(parent) }
    defer { try? files.close(opened) }
    try synchronize(folder: opened, files: files)
}

/// The path of a new file, and the permissions of the file it replaces.
private struct Destination {
    let file: FilePath
    let folder: FilePath
    /// The permission bits that the file gets at the end: those of the one that it replaces, or of a private one; nil for others.
    let permissions: FilePermissions?

    init(_ path: String, isPrivate: Bool, files: some FileOperations) throws(KinError) {
        let given = try FilePath(checking: path)
        var existing: FilePath?
        do throws(Errno) {
            existing = try retrying { () throws(Errno) in try files.resolve(given) }
        } catch {
            guard error == .noSuchFileOrDirectory else { throw .refused("save to the path", error) }
        }
        if let existing {
            let status = try attempt("look at the file to replace") { () throws(Errno) in
                try files.status(at: existing)
            }
            try status.requireRegularFile()
            permissions = status.permissions.intersection(FilePermissions(rawValue: 0o777))
        } else {
            permissions = isPrivate ? FilePermissions(rawValue: 0o600) : nil
        }
        file = existing ?? given
        let parent = file.removingLastComponent()
        folder = parent.isEmpty ? "." : parent
    }
}

/// Creates a file of a name that is not taken.
private func createTemporary(for destination: Destination, files: some FileOperations) throws(KinError) -> OutputFile {
    // A file that replaces another, or is private, gets its permissions at the end and is private until then. Any other
    // is created with the permissions it will keep, so that the system itself applies the umask: a process cannot read
    // its umask without changing it, which other threads would notice.
    let permissions = FilePermissions(rawValue: destination.permissions == nil ? 0o644 : 0o600)
    var generator = SystemRandomNumberGenerator()
    while true {
        let digits = String(generator.next(), radix: 16)
        let path = destination.folder.appending(".kin-\(String(repeating: "0", count: 16 - digits.count))\(digits).tmp")
        do throws(Errno) {
            let descriptor = try retrying { () throws(Errno) in try files.create(path, permissions: permissions) }
            return OutputFile(path: path, descriptor: descriptor, files: files)
        } catch {
            // One name in 2⁶⁴ is taken by chance: the next draw is free.
            guard error == .fileExists else { throw .refused("create a new file in \(destination.folder)", error) }
        }
    }
}

/// Writes the new file, brings it to the disk and closes it.
private func fill(
    _ output: OutputFile,
    at destination: Destination,
    _ body: (OutputFile) throws(KinError) -> Void
) throws(KinError) {
    let files = output.files
    do throws(KinError) {
        try body(output)
        if let permissions = destination.permissions {
            try attempt("set the permissions of the new file") { () throws(Errno) in
                try files.setPermissions(output.descriptor, permissions)
            }
        }
        try attempt("bring the new file to the disk") { () throws(Errno) in
            try files.synchronize(output.descriptor)
        }
    } catch {
        try? files.close(output.descriptor)
        throw error
    }
    do throws(Errno) {
        try files.close(output.descriptor)
    } catch {
        // The bytes are on the disk and the descriptor is gone: an interruption takes nothing back.
        guard error != .interrupted else { return }
        throw .refused("close the new file", error)
    }
}

/// Brings the entries of a folder to the disk. A new file is in its place by now, whatever happens.
private func synchronize(folder: FileDescriptor, files: some FileOperations) throws(KinError) {
    do throws(Errno) {
        try retrying { () throws(Errno) in try files.synchronize(folder) }
    } catch {
        // What a file system answers that does not synchronize folders at all; there is nothing more to be had from it.
        guard error != .invalidArgument, error != .notSupported else { return }
        throw .refused(
            "bring the folder to the disk (what was changed is in place, but may be gone after a power failure)",
            error
        )
    }
}
