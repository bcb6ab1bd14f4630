/// Pieces of memory that are freed together, when the last reference to the arena is released.
///
/// Elements are not deinitialised: an arena is for numbers, for structs that own nothing, and for values that the
/// caller deinitialises.
@safe
package final class Arena: @unchecked Sendable {
    private var pieces: [UnsafeMutableRawPointer] = unsafe []

    package init() {}

    deinit { unsafe pieces.forEach { unsafe $0.deallocate() } }

    /// Allocates uninitialised memory for `count` elements, aligned to a cache line.
    package func allocate<Element>(_ count: Int) -> UnsafeMutablePointer<Element> {
        let bytes = max(1, count * MemoryLayout<Element>.stride)
        let piece = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        unsafe pieces.append(piece)
        return unsafe piece.bindMemory(to: Element.self, capacity: count)
    }

    /// Allocates a buffer, as ``allocate(_:)`` allocates memory.
    package func buffer<Element>(_ count: Int) -> UnsafeMutableBufferPointer<Element> {
        unsafe UnsafeMutableBufferPointer(start: allocate(count), count: count)
    }
}
