import KinLibC
package import SystemPackage

/// The system calls for saving and opening files, one method per call.
///
/// All file access of Kin goes through this protocol, so that a test can make the n-th call fail, write fewer bytes
/// than requested, or end the process at that point. Each method makes its call once. Callers repeat an interrupted
/// call (``retrying(_:)``) and continue after a short write, where tests can reach them.
package protocol FileOperations: Sendable {
    /// Opens an existing file; if it is a FIFO, does not wait for a writer.
    func openForReading(_ path: FilePath) throws(Errno) -> FileDescriptor
    /// Creates a file for writing; it must not exist yet. The system removes the umask's bits from `permissions`.
    func create(_ path: FilePath, permissions: FilePermissions) throws(Errno) -> FileDescriptor
    /// Opens a folder, so that it can be synchronized.
    func openFolder(_ path: FilePath) throws(Errno) -> FileDescriptor
    func status(of descriptor: FileDescriptor) throws(Errno) -> Stat
    func status(at path: FilePath) throws(Errno) -> Stat
    /// The path with all symbolic links followed; the file must exist.
    func resolve(_ path: FilePath) throws(Errno) -> FilePath
    /// Reads up to `buffer.count` bytes at an offset of the file; returns 0 at its end.
    func read(
        _ descriptor: FileDescriptor,
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int
    /// Writes bytes at an offset of the file. Returns the number written, which may be smaller than requested.
    func write(_ descriptor: FileDescriptor, at offset: Int, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int
    func setPermissions(_ descriptor: FileDescriptor, _ permissions: FilePermissions) throws(Errno)
    /// Returns when the file's bytes, or the folder's entries, are on the disk.
    func synchronize(_ descriptor: FileDescriptor) throws(Errno)
    /// Closes the descriptor, which is invalid afterwards even if this throws.
    func close(_ descriptor: FileDescriptor) throws(Errno)
    /// Replaces a file by a different one atomically.
    func rename(_ path: FilePath, to destination: FilePath) throws(Errno)
    func remove(_ path: FilePath) throws(Errno)
    /// The number of bytes that a process may still write to the file system of a folder.
    func freeBytes(in folder: FilePath) throws(Errno) -> Int
    /// Maps the first `length` > 0 bytes of a file to memory, read-only.
    func map(_ descriptor: FileDescriptor, length: Int) throws(Errno) -> UnsafeRawBufferPointer
}

extension FileOperations {
    package func freeBytes(in folder: FilePath) throws(Errno) -> Int {
        var status = statvfs()
        let result = unsafe folder.withPlatformString { unsafe statvfs($0, &status) }
        guard result == 0 else { throw Errno(rawValue: errno) }
        let (blocks, size) = (Int(clamping: status.f_bavail), Int(clamping: status.f_frsize))
        let (bytes, isMore) = blocks.multipliedReportingOverflow(by: size)
        return isMore ? .max : bytes
    }
}
