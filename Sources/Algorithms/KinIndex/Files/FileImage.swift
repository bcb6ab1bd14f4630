import SystemPackage

/// A file's bytes in memory, read-only: a mapping of the file, or a copy. Freed with the last reference.
///
/// A mapping always shows the file that was opened. Saving over the path (which puts a new file in its place, see
/// ``replaceFile(at:files:_:)``), renaming or deleting it leave the mapped bytes unchanged. Kin never shortens or
/// rewrites a file in place. A program that does (`truncate`, `cp new.kin old.kin`, an editor) removes the pages from
/// every process that has the file mapped. The system ends such a process with SIGBUS when it accesses them. The same
/// happens if a disk or network fails to deliver a page. Replace files by renaming over them.
@safe package final class FileImage: @unchecked Sendable {
    // Never written after init, so sharing between threads is safe.
    private let memory: UnsafeRawBufferPointer
    private let isMapped: Bool
    /// Whether the bytes are mapped and read only once or twice, in order, so that their pages need not stay in memory.
    let isTransient: Bool

    /// Maps `length` > 0 bytes of an open file, which may be closed afterwards.
    init(
        mapping descriptor: FileDescriptor, length: Int, isTransient: Bool = false, files: some FileOperations
    ) throws(Errno) {
        unsafe memory = try files.map(descriptor, length: length)
        isMapped = true
        self.isTransient = isTransient
    }

    /// Copies bytes to memory with the alignment of a section, without padding.
    package init(copying bytes: borrowing RawSpan) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.byteCount, alignment: Section.alignment)
        unsafe bytes.withUnsafeBytes { unsafe copy.copyMemory(from: $0) }
        unsafe memory = UnsafeRawBufferPointer(copy)
        isMapped = false
        isTransient = false
    }

    /// Reads all bytes of an open file into memory.
    ///
    /// - Throws: `inputOutput`, or `corruptFile` if the file is shortened while it is read.
    init(reading file: OpenFile) throws(KinError) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: file.length, alignment: Section.alignment)
        unsafe memory = UnsafeRawBufferPointer(copy)
        isMapped = false
        isTransient = false
        var offset = 0
        try file.scan(0..<file.length) { bytes throws(KinError) in
            unsafe bytes.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: copy[offset...]).copyMemory(from: $0)
            }
            offset += bytes.byteCount
        }
    }

    deinit {
        if isMapped {
            unsafe SystemFiles.unmap(memory)
        } else {
            unsafe memory.deallocate()
        }
    }

    /// Releases the memory of some bytes of a transient mapping; they stay in the file.
    func release(_ bytes: UnsafeRawBufferPointer) {
        if isTransient { unsafe SystemFiles.release(bytes) }
    }

    /// Releases the memory of all bytes of a transient mapping.
    func release() { unsafe release(memory) }

    /// The bytes, valid while this object is alive: store a reference to it with every pointer into them.
    @unsafe package var unsafeBytes: UnsafeRawBufferPointer { unsafe memory }
}

extension FileImage: ByteSource {
    package var length: Int { unsafe memory.count }

    package func scan(_ range: Range<Int>, _ body: (borrowing RawSpan) throws(KinError) -> Void) throws(KinError) {
        precondition(range.lowerBound >= 0 && range.upperBound <= length, "outside the file")
        try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[range])))
        // The span points into this object's memory, so the object must outlive the call.
        withExtendedLifetime(self) {}
    }
}
