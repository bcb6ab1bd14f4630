import SystemPackage

/// A new file that is still being written and has no readers yet.
package struct OutputFile: Sendable {
    /// The path of the file until it is renamed.
    package var name: String { path.string }
    let path: FilePath
    let descriptor: FileDescriptor
    let files: any FileOperations

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
                // Without this error, a file that accepts no byte and reports no error would cause an endless loop.
                guard count > 0 else { throw Errno.ioError }
                return count
            }
            written += count
        }
    }
}

extension OutputFile {
    /// Creates a private file with an unused name in the folder of the file to write.
    init(temporaryFor path: String, files: some FileOperations) throws(KinError) {
        self = try createTemporary(for: try Destination(path, isPrivate: true, files: files), files: files)
    }
}

/// Replaces the file at `path` by a new one, all or nothing, so that no crash and no error leaves a half-written file.
///
/// The bytes go to a temporary file in the same folder, named `.kin-` + 16 hexadecimal digits + `.tmp`. It is
/// synchronized to the disk and renamed over the path, and the folder is synchronized. On an error the temporary file
/// is removed, and the existing file is unchanged. The only error after the rename is a folder that cannot be
/// synchronized; its message states that the change is in place. A temporary file remains only if the process ends in
/// between (or the removal also fails); it may be deleted.
///
/// A process that has the old file open or mapped continues to see the old file. A symbolic link is followed, unless
/// its target does not exist: then the file replaces the link. The new file has the permission bits of the file it
/// replaces, otherwise 0600 if it is private, or 0644 minus the umask. Its owner is the owner of the process, as for
/// every new file.
///
/// - Parameters:
///   - path: The path of the file; its folder must exist.
///   - files: The system calls.
///   - isPrivate: Whether a file that replaces no other file is accessible only to its owner (mode 0600), regardless of
///     the umask, on file systems with permissions.
///   - kinds: The contents of the same kind, which ``requireReplaceable(_:by:files:)`` allows to be replaced.
///   - body: Writes the new file.
/// - Throws: `inputOutput`, `invalidArgument` for a file of a different kind, or the error of `body`; all with the
///   path.
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
        // Opened only to be synchronized, so closing cannot lose anything.
        defer { try? files.close(folder) }

        let output = try createTemporary(for: destination, files: files)
        do throws(KinError) {
            try fill(output, at: destination, body)
            // Another process may have made a file at the path in the meantime.
            try requireReplaceable(path, by: kinds, files: files)
            try attempt("rename the new file over the old one") { () throws(Errno) in
                try files.rename(output.path, to: destination.file)
            }
        } catch {
            // The first error is the one to report; the name of a file that cannot be removed identifies it as Kin's.
            try? files.remove(output.path)
            throw error
        }
        try synchronize(folder: folder, files: files)
    } catch {
        throw error.within("file", path)
    }
}

/// Removes files of one folder, and synchronizes the folder to the disk. A missing file is not an error.
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
    /// The permission bits that the file gets at the end: the bits of the file it replaces, or of a private file; nil
    /// for other files.
    let permissions: FilePermissions?
    /// Whether there is no file to replace.
    let isNew: Bool

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
        isNew = existing == nil
        file = existing ?? given
        let parent = file.removingLastComponent()
        folder = parent.isEmpty ? "." : parent
    }
}

/// Creates a file with an unused name.
private func createTemporary(for destination: Destination, files: some FileOperations) throws(KinError) -> OutputFile {
    // A file that replaces an existing file, or is private, gets its permissions at the end and is private until then.
    // Any other file is created with its final permissions, so that the system itself applies the umask. A process can
    // read its umask only by changing it, with an effect on other threads.
    let permissions = FilePermissions(rawValue: destination.permissions == nil ? 0o644 : 0o600)
    var generator = SystemRandomNumberGenerator()
    while true {
        let digits = String(generator.next(), radix: 16)
        let path = destination.folder.appending(".kin-\(String(repeating: "0", count: 16 - digits.count))\(digits).tmp")
        do throws(Errno) {
            let descriptor = try retrying { () throws(Errno) in try files.create(path, permissions: permissions) }
            return OutputFile(path: path, descriptor: descriptor, files: files)
        } catch {
            // A name is in use by chance once in 2⁶⁴ draws; the next draw is free.
            guard error == .fileExists else { throw .refused("create a new file in \(destination.folder)", error) }
        }
    }
}

/// Writes the new file, synchronizes it to the disk and closes it.
private func fill(
    _ output: OutputFile,
    at destination: Destination,
    _ body: (OutputFile) throws(KinError) -> Void
) throws(KinError) {
    let files = output.files
    do throws(KinError) {
        try body(output)
        if let permissions = destination.permissions {
            do throws(KinError) {
                try attempt("set the permissions of the new file") { () throws(Errno) in
                    try files.setPermissions(output.descriptor, permissions)
                }
            } catch {
                // A new file was created as private, as far as its file system has permissions.
                if !destination.isNew { throw error }
            }
        }
        try attempt("write the new file to the disk") { () throws(Errno) in
            try files.synchronize(output.descriptor)
        }
    } catch {
        try? files.close(output.descriptor)
        throw error
    }
    do throws(Errno) {
        try files.close(output.descriptor)
    } catch {
        // The bytes are on the disk and the descriptor is closed, so an interruption has no effect.
        guard error != .interrupted else { return }
        throw .refused("close the new file", error)
    }
}

/// Synchronizes the entries of a folder to the disk. The new file is already in place, even if this fails.
private func synchronize(folder: FileDescriptor, files: some FileOperations) throws(KinError) {
    do throws(Errno) {
        try retrying { () throws(Errno) in try files.synchronize(folder) }
    } catch {
        // The errors of file systems that do not synchronize folders at all; nothing more can be done.
        guard error != .invalidArgument, error != .notSupported else { return }
        throw .refused(
            "write the folder to the disk (the changes are in place, but may be lost after a power failure)",
            error
        )
    }
}
