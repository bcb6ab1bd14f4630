package import KinCore
import SystemPackage

/// A regular file that is open for reading, and the length it had when it was opened.
package struct OpenFile: ByteSource {
    let descriptor: FileDescriptor
    let files: any FileOperations
    package let length: Int

    /// Bytes that one call reads: enough to hide the cost of the call, few enough to stay in the second-level cache.
    private static let pieceSize = 1 << 18

    package func scan(
        _ range: Range<Int>,
        _ body: (borrowing RawSpan) throws(KinError) -> Void
    ) throws(KinError) {
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

/// Opens the file at `path` for as long as `body` runs.
///
/// - Throws: `inputOutput` when there is none, when it is no regular file or may not be read, and what `body` throws;
///   all with the path.
package func withOpenFile<Result>(
    at path: String,
    files: some FileOperations,
    _ body: (OpenFile) throws(KinError) -> Result
) throws(KinError) -> Result {
    do throws(KinError) {
        let filePath = try FilePath(checking: path)
        let descriptor = try attempt("open the file") { () throws(Errno) in try files.openForReading(filePath) }
        // Only read from, so there is nothing that closing could lose.
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
