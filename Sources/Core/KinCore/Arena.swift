/// Pieces of memory that are freed together, with the last reference to the arena.
///
/// Elements are not deinitialised: an arena is for numbers and for structs that own nothing, or that whoever has them deinitialises.
@safe
package final class Arena: @unchecked Sendable {
    private var pieces: [UnsafeMutableRawPointer] = unsafe []

    package init() {}

    deinit { unsafe pieces.forEach { unsafe $0.deallocate() } }

    /// Allocates memory for `count` elements, uninitialised, which begins at a cache line.
    package func allocate<Element>(_ count: Int) -> UnsafeMutablePointer<Element> {
        let bytes = max(1, count * MemoryLayout<Element>.stride)
        let piece = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        unsafe pieces.append(piece)
        return unsafe piece.bindMemory(to: Element.self, capacity: count)
    }

    /// Allocates memory as ``allocate(_:)`` does.
    package func buffer<Element>(_ count: Int) -> UnsafeMutableBufferPointer<Element> {
        unsafe UnsafeMutableBufferPointer(start: allocate(count), count: count)
    }
}
