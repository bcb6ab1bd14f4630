import KinLibC
package import SystemPackage

/// Every system call that saving and opening a file makes, one method a call.
///
/// All file access of Kin goes through this protocol, so that a test can make the n-th call fail, write less
/// than it was asked to, or end the process there. Methods make their call once: repeating an interrupted call
/// (``retrying(_:)``) and going on after a short write is up to the callers, where tests reach it.
package protocol FileOperations: Sendable {
    /// Opens an existing file; does not wait for a writer when it is a FIFO.
    func openForReading(_ path: FilePath) throws(Errno) -> FileDescriptor
    /// Creates a file that must not exist yet, for writing. The system takes the bits of the umask off `permissions`.
    func create(_ path: FilePath, permissions: FilePermissions) throws(Errno) -> FileDescriptor
    /// Opens a folder, to be synchronized.
    func openFolder(_ path: FilePath) throws(Errno) -> FileDescriptor
    func status(of descriptor: FileDescriptor) throws(Errno) -> Stat
    func status(at path: FilePath) throws(Errno) -> Stat
    /// The path with all symbolic links followed; the file must exist.
    func resolve(_ path: FilePath) throws(Errno) -> FilePath
    /// Reads up to `buffer.count` bytes at a place in the file; 0 at its end.
    func read(
        _ descriptor: FileDescriptor,
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int
    /// Writes bytes at a place in the file and returns how many it wrote, perhaps fewer than were given.
    func write(_ descriptor: FileDescriptor, at offset: Int, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int
    func setPermissions(_ descriptor: FileDescriptor, _ permissions: FilePermissions) throws(Errno)
    /// Returns when the file's bytes, or the folder's entries, are on the disk.
    func synchronize(_ descriptor: FileDescriptor) throws(Errno)
    /// Closes; the descriptor is gone even when this throws.
    func close(_ descriptor: FileDescriptor) throws(Errno)
    /// Replaces a file by another atomically.
    func rename(_ path: FilePath, to destination: FilePath) throws(Errno)
    func remove(_ path: FilePath) throws(Errno)
    /// Returns the bytes that a process may still write to the file system of a folder.
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
