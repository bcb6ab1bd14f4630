package import KinIndex
package import SystemPackage

/// The system's file operations; a test replaces some of them.
package protocol ForwardingFiles: FileOperations {}

extension ForwardingFiles {
    package var system: SystemFiles { SystemFiles() }

    package func remove(_ path: FilePath) throws(Errno) { try system.remove(path) }
    package func create(_ path: FilePath, permissions: FilePermissions) throws(Errno) -> FileDescriptor {
        try system.create(path, permissions: permissions)
    }
    package func openForReading(_ path: FilePath) throws(Errno) -> FileDescriptor { try system.openForReading(path) }
    package func openFolder(_ path: FilePath) throws(Errno) -> FileDescriptor { try system.openFolder(path) }
    package func status(of descriptor: FileDescriptor) throws(Errno) -> Stat { try system.status(of: descriptor) }
    package func status(at path: FilePath) throws(Errno) -> Stat { try system.status(at: path) }
    package func resolve(_ path: FilePath) throws(Errno) -> FilePath { try system.resolve(path) }
    package func read(
        _ descriptor: FileDescriptor, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int { try unsafe system.read(descriptor, at: offset, into: buffer) }
    package func write(
        _ descriptor: FileDescriptor, at offset: Int, _ bytes: UnsafeRawBufferPointer
    ) throws(Errno) -> Int { try unsafe system.write(descriptor, at: offset, bytes) }
    package func setPermissions(_ descriptor: FileDescriptor, _ permissions: FilePermissions) throws(Errno) {
        try system.setPermissions(descriptor, permissions)
    }
    package func synchronize(_ descriptor: FileDescriptor) throws(Errno) { try system.synchronize(descriptor) }
    package func close(_ descriptor: FileDescriptor) throws(Errno) { try system.close(descriptor) }
    package func rename(_ path: FilePath, to destination: FilePath) throws(Errno) {
        try system.rename(path, to: destination)
    }
    package func freeBytes(in folder: FilePath) throws(Errno) -> Int { try system.freeBytes(in: folder) }
    package func map(_ descriptor: FileDescriptor, length: Int) throws(Errno) -> UnsafeRawBufferPointer {
        try unsafe system.map(descriptor, length: length)
    }
}
