import KinLibC
import Synchronization

/// One huge page of memory that the codes of several chunks are cut from.
///
/// A scan of a large index reads nothing but codes and is bound by memory; on pages of 4 KB a third of its time goes to
/// address translation. So from some chunks on, codes lie together in pages of 2 MB. A slab lives as long as
/// one of its chunks; pieces are never given back one by one.
@safe
final class CodeSlab: Sendable {
    static let byteCount = 2 << 20

    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer
    private let used = Atomic<Int>(0)

    init() {
        unsafe memory = .allocate(byteCount: Self.byteCount, alignment: Self.byteCount)
        #if os(Linux)
            // Advice: where huge pages are switched off the memory works all the same.
            unsafe _ = madvise(memory, Self.byteCount, MADV_HUGEPAGE)
        #endif
    }

    deinit { unsafe memory.deallocate() }

    /// Whether a piece of that size can still be taken, at this moment.
    func hasRoom(for byteCount: Int) -> Bool {
        used.load(ordering: .relaxed) + byteCount <= Self.byteCount
    }

    /// A piece of its own for the caller, 64-byte aligned and uninitialised, or nil when the slab is used up.
    ///
    /// Copies of an index on several threads may take pieces of one slab at the same time.
    func take(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let size = (byteCount + 63) & ~63
        let offset = used.add(size, ordering: .relaxed).oldValue
        return unsafe offset + size <= Self.byteCount ? memory + offset : nil
    }
}

extension CodeSlab? {
    /// The slab if a piece of some size can still be taken from it, else a new one in its place.
    @discardableResult
    mutating func withRoom(for byteCount: Int) -> CodeSlab {
        if let slab = self, slab.hasRoom(for: byteCount) { return slab }
        let slab = CodeSlab()
        self = slab
        return slab
    }
}
