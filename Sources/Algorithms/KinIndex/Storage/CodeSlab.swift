import KinLibC
import Synchronization

/// One huge page of memory, shared by the codes of several chunks.
///
/// A scan of a large index reads nothing but codes and is bound by memory. On pages of 4 KB, a third of its time is
/// address translation. So above a number of chunks, codes are stored together in pages of 2 MB. A slab lives as long
/// as one of its chunks; single pieces are never freed.
@safe
final class CodeSlab: Sendable {
    static let byteCount = 2 << 20

    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer
    private let used = Atomic<Int>(0)

    init() {
        unsafe memory = .allocate(byteCount: Self.byteCount, alignment: Self.byteCount)
        #if os(Linux)
            // This is only advice: the memory also works without huge pages.
            unsafe _ = madvise(memory, Self.byteCount, MADV_HUGEPAGE)
        #endif
    }

    deinit { unsafe memory.deallocate() }

    /// Whether a piece of this size is available at this moment.
    func hasRoom(for byteCount: Int) -> Bool {
        used.load(ordering: .relaxed) + byteCount <= Self.byteCount
    }

    /// Allocates a piece for the caller, 64-byte aligned and uninitialised; nil if the slab is full.
    ///
    /// Copies of an index on several threads may take pieces of one slab at the same time.
    func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let size = (byteCount + 63) & ~63
        let offset = used.add(size, ordering: .relaxed).oldValue
        return unsafe offset + size <= Self.byteCount ? memory + offset : nil
    }
}

extension CodeSlab? {
    /// Returns this slab if it has room for a piece of a given size; otherwise replaces it by a new one.
    @discardableResult
    mutating func withRoom(for byteCount: Int) -> CodeSlab {
        if let slab = self, slab.hasRoom(for: byteCount) { return slab }
        let slab = CodeSlab()
        self = slab
        return slab
    }
}
