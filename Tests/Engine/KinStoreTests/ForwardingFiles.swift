import KinIndex
import SystemPackage

/// The system's file operations; a test replaces some of them.
protocol ForwardingFiles: FileOperations {}

extension ForwardingFiles {
    var system: SystemFiles { SystemFiles() }

    func remove(_ path: FilePath) throws(Errno) { try system.remove(path) }
    func create(_ path: FilePath, permissions: FilePermissions) throws(Errno) -> FileDescriptor {
        try system.create(path, permissions: permissions)
    }
    func openForReading(_ path: FilePath) throws(Errno) -> FileDescriptor { try system.openForReading(path) }
    func openFolder(_ path: FilePath) throws(Errno) -> FileDescriptor { try system.openFolder(path) }
    func status(of descriptor: FileDescriptor) throws(Errno) -> Stat { try system.status(of: descriptor) }
    func status(at path: FilePath) throws(Errno) -> Stat { try system.status(at: path) }
    func resolve(_ path: FilePath) throws(Errno) -> FilePath { try system.resolve(path) }
    func read(
        _ descriptor: FileDescriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int { try unsafe system.read(descriptor, at: offset, into: buffer) }
    func write(
        _ descriptor: FileDescriptor, at offset: Int, _ bytes: UnsafeRawBufferPointer
    ) throws(Errno) -> Int { try unsafe system.write(descriptor, at: offset, bytes) }
    func setPermissions(_ descriptor: FileDescriptor, _ permissions: FilePermissions) throws(Errno) {
        try system.setPermissions(descriptor, permissions)
    }
    func synchronize(_ descriptor: FileDescriptor) throws(Errno) { try system.synchronize(descriptor) }
    func close(_ descriptor: FileDescriptor) throws(Errno) { try system.close(descriptor) }
    func rename(_ path: FilePath, to destination: FilePath) throws(Errno) {
        try system.rename(path, to: destination)
    }
    func map(_ descriptor: FileDescriptor, length: Int) throws(Errno) -> UnsafeRawBufferPointer {
        try unsafe system.map(descriptor, length: length)
    }
}
