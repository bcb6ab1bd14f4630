package import KinCore
import SystemPackage

/// A file's bytes in memory, read-only: a mapping of the file, or a copy. Released with the last reference.
///
/// A mapping shows the file that was opened for as long as it lives: saving over the path (which puts a new file in
/// its place, see ``replaceFile(at:files:_:)``), renaming or deleting it leaves the mapped bytes as they are. Kin never
/// shortens or rewrites a file in place. Another program that does (`truncate`, `cp new.kin old.kin`, an editor) pulls
/// the pages from under every process that has the file mapped, and the system ends such a process with SIGBUS when it
/// touches them; the same happens when a disk or network fails to deliver a page. Replace files by renaming over them.
@safe package final class FileImage: @unchecked Sendable {
    // Never written after init, which is why sharing between threads is sound.
    private let memory: UnsafeRawBufferPointer
    private let isMapped: Bool
    /// Whether the bytes are mapped and read once or twice, in order, so that pages should not stay in memory once they were.
    let isTransient: Bool

    /// Maps `length` > 0 bytes of an open file, which may be closed afterwards.
    init(
        mapping descriptor: FileDescriptor, length: Int, isTransient: Bool = false, files: some FileOperations
    ) throws(Errno) {
        unsafe memory = try files.map(descriptor, length: length)
        isMapped = true
        self.isTransient = isTransient
    }

    /// Copies bytes to memory with the alignment of a section, and not one byte more than they are.
    package init(copying bytes: borrowing RawSpan) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.byteCount, alignment: Section.alignment)
        unsafe bytes.withUnsafeBytes { unsafe copy.copyMemory(from: $0) }
        unsafe memory = UnsafeRawBufferPointer(copy)
        isMapped = false
        isTransient = false
    }

    /// Reads all bytes of an open file into memory.
    ///
    /// - Throws: `inputOutput`, or `corruptFile` when the file is shortened during the reading.
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

    /// Gives the memory of some bytes of a transient mapping back; the file has them still.
    func release(_ bytes: UnsafeRawBufferPointer) {
        if isTransient { unsafe SystemFiles.release(bytes) }
    }

    /// Gives the memory of all bytes of a transient mapping back.
    func release() { unsafe release(memory) }

    /// The bytes, valid while this object is alive: keep a reference beside every pointer into them.
    @unsafe package var unsafeBytes: UnsafeRawBufferPointer { unsafe memory }
}

extension FileImage: ByteSource {
    package var length: Int { unsafe memory.count }

    package func scan(
        _ range: Range<Int>,
        _ body: (borrowing RawSpan) throws(KinError) -> Void
    ) throws(KinError) {
        precondition(range.lowerBound >= 0 && range.upperBound <= length, "outside the file")
        try unsafe body(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[range])))
        // The span points into this object's memory, so the object must outlive the call.
        withExtendedLifetime(self) {}
    }
}
