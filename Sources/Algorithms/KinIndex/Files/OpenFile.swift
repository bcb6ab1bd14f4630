import SystemPackage

/// A regular file that is open for reading, with its length at the time of opening.
package struct OpenFile: ByteSource {
    let descriptor: FileDescriptor
    let files: any FileOperations
    package let length: Int

    /// The number of bytes per read call: enough to hide the cost of the call, few enough for the second-level cache.
    private static let pieceSize = 1 << 18

    package func scan(_ range: Range<Int>, _ body: (borrowing RawSpan) throws(KinError) -> Void) throws(KinError) {
        guard !range.isEmpty else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: min(range.count, Self.pieceSize),
            alignment: Section.alignment
        )
        defer { unsafe buffer.deallocate() }
        var offset = range.lowerBound
        while offset < range.upperBound {
            let wanted = min(buffer.count, range.upperBound - offset)
            let read = try attempt("read \(wanted) bytes at byte \(offset)") { () throws(Errno) in
                try unsafe files.read(
                    descriptor,
                    at: offset,
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
                )
            }
            guard read > 0 else {
                throw .corrupt("the file was shortened to \(offset) bytes while it was read")
            }
            try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: buffer[..<read])))
            offset += read
        }
    }
}

/// Opens the file at `path` while `body` runs.
///
/// - Throws: `inputOutput` if the file does not exist, is not a regular file or may not be read; the errors of `body`;
///   all with the path.
package func withOpenFile<Result>(
    at path: String,
    files: some FileOperations,
    _ body: (OpenFile) throws(KinError) -> Result
) throws(KinError) -> Result {
    do throws(KinError) {
        let filePath = try FilePath(checking: path)
        let descriptor = try attempt("open the file") { () throws(Errno) in try files.openForReading(filePath) }
        // Opened only for reading, so closing cannot lose anything.
        defer { try? files.close(descriptor) }
        let status = try attempt("read the file's length") { () throws(Errno) in try files.status(of: descriptor) }
        try status.requireRegularFile()
        guard let length = Int(exactly: status.size) else {
            throw KinError(.capacityExceeded, "the file is longer than this platform can address; use a 64-bit one")
        }
        return try body(OpenFile(descriptor: descriptor, files: files, length: length))
    } catch {
        throw error.within("file", path)
    }
}
