import KinLibC
package import SystemPackage

/// The operating system's files.
///
/// swift-system is used for paths, opening, reading, writing, closing, status, and the names of errors. It has no
/// fsync, rename, unlink, fchmod, realpath or mmap, so those are called directly from the C library. The package is
/// also used on Apple's systems: `Stat` is not in the System module of the releases that Kin supports.
package struct SystemFiles: FileOperations {
    package init() {}

    package func openForReading(_ path: FilePath) throws(Errno) -> FileDescriptor {
        try typed {
            try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking], retryOnInterrupt: false)
        }
    }

    package func create(_ path: FilePath, permissions: FilePermissions) throws(Errno) -> FileDescriptor {
        try typed {
            try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: permissions,
                retryOnInterrupt: false
            )
        }
    }

    package func openFolder(_ path: FilePath) throws(Errno) -> FileDescriptor {
        try typed {
            try FileDescriptor.open(path, .readOnly, options: [.directory, .closeOnExec], retryOnInterrupt: false)
        }
    }

    package func status(of descriptor: FileDescriptor) throws(Errno) -> Stat {
        try Stat(descriptor, retryOnInterrupt: false)
    }

    package func status(at path: FilePath) throws(Errno) -> Stat {
        try Stat(path, followTargetSymlink: true, retryOnInterrupt: false)
    }

    /// The process's folder, from the root.
    static func currentFolder() throws(KinError) -> String {
        guard let folder = unsafe getcwd(nil, 0) else {
            throw KinError(.inputOutput, "the current folder is gone; give a path from the root")
        }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder)
    }

    package func resolve(_ path: FilePath) throws(Errno) -> FilePath {
        let resolved = unsafe path.withPlatformString { unsafe realpath($0, nil) }
        guard let resolved = unsafe resolved else { throw Errno(rawValue: errno) }
        defer { unsafe free(resolved) }
        return unsafe FilePath(platformString: resolved)
    }

    package func read(
        _ descriptor: FileDescriptor,
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try typed {
            try unsafe descriptor.read(fromAbsoluteOffset: Int64(offset), into: buffer, retryOnInterrupt: false)
        }
    }

    package func write(
        _ descriptor: FileDescriptor,
        at offset: Int,
        _ bytes: UnsafeRawBufferPointer
    ) throws(Errno) -> Int {
        try typed {
            try unsafe descriptor.write(toAbsoluteOffset: Int64(offset), bytes, retryOnInterrupt: false)
        }
    }

    package func setPermissions(_ descriptor: FileDescriptor, _ permissions: FilePermissions) throws(Errno) {
        try check(fchmod(descriptor.rawValue, permissions.rawValue))
    }

    package func synchronize(_ descriptor: FileDescriptor) throws(Errno) {
        #if canImport(Darwin)
            // fsync on Apple's systems leaves the bytes in the drive's own cache, which F_FULLFSYNC also flushes. Some
            // file systems (network, FAT) do not support it, and only fsync remains.
            if fcntl(descriptor.rawValue, F_FULLFSYNC) == 0 { return }
            guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { throw Errno(rawValue: errno) }
        #endif
        try check(fsync(descriptor.rawValue))
    }

    package func close(_ descriptor: FileDescriptor) throws(Errno) {
        try typed { try descriptor.close() }
    }

    package func rename(_ path: FilePath, to destination: FilePath) throws(Errno) {
        try check(
            unsafe path.withPlatformString { from in
                unsafe destination.withPlatformString { to in
                    unsafe KinLibC.rename(from, to)
                }
            }
        )
    }

    package func remove(_ path: FilePath) throws(Errno) {
        try check(unsafe path.withPlatformString { unsafe unlink($0) })
    }

    package func map(_ descriptor: FileDescriptor, length: Int) throws(Errno) -> UnsafeRawBufferPointer {
        let start = unsafe mmap(nil, length, PROT_READ, MAP_PRIVATE, descriptor.rawValue, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { throw Errno(rawValue: errno) }
        return unsafe UnsafeRawBufferPointer(start: start, count: length)
    }

    /// Lets the system evict the whole pages within part of a mapping from memory. A later access reads them from the
    /// file.
    static func release(_ bytes: UnsafeRawBufferPointer) {
        let page = UInt(getpagesize())
        guard let start = unsafe bytes.baseAddress.map({ UInt(bitPattern: $0) }) else { return }
        let (first, end) = ((start + page - 1) / page * page, (start + UInt(bytes.count)) / page * page)
        guard first < end else { return }
        unsafe _ = madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_DONTNEED)
    }

    /// Unmaps memory returned by ``map(_:length:)``; for such memory the call cannot fail.
    static func unmap(_ memory: UnsafeRawBufferPointer) {
        unsafe munmap(UnsafeMutableRawPointer(mutating: memory.baseAddress), memory.count)
    }
}

/// Converts the C convention (−1 and `errno`) to an error.
private func check(_ status: CInt) throws(Errno) {
    guard status == 0 else { throw Errno(rawValue: errno) }
}

/// Types the errors of a call: swift-system throws only `Errno`, but most of its functions do not declare it.
private func typed<Result>(_ call: () throws -> Result) throws(Errno) -> Result {
    do {
        return try call()
    } catch let error as Errno {
        throw error
    } catch {
        preconditionFailure("swift-system threw \(error)")
    }
}
