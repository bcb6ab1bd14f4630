import CFaultyDisk
import KinIndex
package import SystemPackage

/// The system's files on a disk with a fault at one step; see `faulty_disk.h`.
package struct FaultyFiles: ForwardingFiles {
    package init() {}

    private func step(_ kind: faulty_disk_kind) throws(Errno) {
        let number = faulty_disk_step(kind)
        guard number == 0 else { throw Errno(rawValue: number) }
    }

    package func create(_ path: FilePath, permissions: FilePermissions) throws(Errno) -> FileDescriptor {
        try step(FAULTY_DISK_WRITE)
        return try system.create(path, permissions: permissions)
    }

    package func write(
        _ descriptor: FileDescriptor, at offset: Int, _ bytes: UnsafeRawBufferPointer
    ) throws(Errno) -> Int {
        // In two parts, so that a process can end between them.
        let half = (bytes.count + 1) / 2
        try step(FAULTY_DISK_WRITE)
        return try unsafe system.write(descriptor, at: offset, UnsafeRawBufferPointer(rebasing: bytes[..<half]))
    }

    package func synchronize(_ descriptor: FileDescriptor) throws(Errno) {
        // The page cache outlives the process, so nothing is flushed to the disk itself.
        try step(FAULTY_DISK_SYNC)
    }

    package func rename(_ path: FilePath, to destination: FilePath) throws(Errno) {
        try step(FAULTY_DISK_RENAME)
        try system.rename(path, to: destination)
    }

    package func remove(_ path: FilePath) throws(Errno) {
        try step(FAULTY_DISK_REMOVE)
        try system.remove(path)
    }
}
