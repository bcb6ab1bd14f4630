import Foundation
import KinCore
import KinIndex
import SystemPackage

/// Permissions of the store's files: readable and writable by their owner alone (mode 0600, folders 0700), whatever the
/// umask.
///
/// New files get them. Existing files keep their mode; `check` reports a wider one (``StoreReport/warnings``).
enum OwnerOnly {
    static let file: mode_t = 0o600
    static let folder: mode_t = 0o700

    /// Opens a file for reading and writing, and creates it when there is none.
    ///
    /// - Returns: The descriptor, or a negative number with `errno`.
    static func open(_ path: String) -> CInt {
        while true {
            let known = unsafe Foundation.open(path, O_RDWR | O_CLOEXEC)
            guard known < 0, errno == ENOENT else { return known }
            let new = unsafe Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, file)
            // Somebody else was quicker.
            if new < 0, errno == EEXIST { continue }
            if new >= 0 { fchmod(new, file) }
            return new
        }
    }

    /// Creates an empty file unless it exists.
    static func create(_ path: String) throws(KinError) {
        let descriptor = open(path)
        guard descriptor >= 0 else { throw .system("make the file", at: path) }
        close(descriptor)
    }

    /// Creates a folder unless it exists.
    static func makeFolder(_ path: String) throws(KinError) {
        guard unsafe mkdir(path, folder) != 0 else {
            unsafe chmod(path, folder)
            return
        }
        guard errno == EEXIST else { throw .system("make the folder", at: path) }
    }

    /// One sentence for each path whose mode allows more than the owner.
    static func wider(_ paths: [String]) -> [String] {
        paths.compactMap { path in
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return nil }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            guard status.st_mode & 0o077 != 0 else { return nil }
            let mode = String(status.st_mode & 0o777, radix: 8)
            return
                "other accounts of this machine may use \(path) (mode 0\(mode)); chmod \(isFolder ? "700" : "600") makes it its owner's alone"
        }
    }
}

/// File operations that create files with the owner's permissions.
struct OwnerOnlyFiles: FileOperations {
    private let files: any FileOperations

    init(_ files: any FileOperations) { self.files = files }

    func create(_ path: FilePath, permissions: FilePermissions) throws(Errno) -> FileDescriptor {
        let own = FilePermissions(rawValue: CModeT(OwnerOnly.file))
        let descriptor = try files.create(path, permissions: own)
        // The umask may have taken bits off.
        try files.setPermissions(descriptor, own)
        return descriptor
    }

    func openForReading(_ path: FilePath) throws(Errno) -> FileDescriptor { try files.openForReading(path) }
    func openFolder(_ path: FilePath) throws(Errno) -> FileDescriptor { try files.openFolder(path) }
    func status(of descriptor: FileDescriptor) throws(Errno) -> Stat { try files.status(of: descriptor) }
    func status(at path: FilePath) throws(Errno) -> Stat { try files.status(at: path) }
    func resolve(_ path: FilePath) throws(Errno) -> FilePath { try files.resolve(path) }
    func read(
        _ descriptor: FileDescriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int { try unsafe files.read(descriptor, at: offset, into: buffer) }
    func write(
        _ descriptor: FileDescriptor, at offset: Int, _ bytes: UnsafeRawBufferPointer
    ) throws(Errno) -> Int { try unsafe files.write(descriptor, at: offset, bytes) }
    func setPermissions(_ descriptor: FileDescriptor, _ permissions: FilePermissions) throws(Errno) {
        try files.setPermissions(descriptor, permissions)
    }
    func synchronize(_ descriptor: FileDescriptor) throws(Errno) { try files.synchronize(descriptor) }
    func close(_ descriptor: FileDescriptor) throws(Errno) { try files.close(descriptor) }
    func rename(_ path: FilePath, to destination: FilePath) throws(Errno) { try files.rename(path, to: destination) }
    func remove(_ path: FilePath) throws(Errno) { try files.remove(path) }
    func map(_ descriptor: FileDescriptor, length: Int) throws(Errno) -> UnsafeRawBufferPointer {
        try unsafe files.map(descriptor, length: length)
    }
}
