import KinLibC

/// Pieces of memory in pages of their own, which return to the system when the last reference to the arena is released.
///
/// Rebuilding a list takes megabytes for milliseconds. In the heap, they left holes among the chunks that stay: after a
/// million single changes the process had five times the memory of a fresh index. In pages of their own it has three
/// times, since the chunks of rows, which are in the heap, leave holes too.
///
/// Elements are not deinitialised, as in `Arena`.
@safe
final class PageArena {
    private var pieces: [UnsafeMutableRawBufferPointer] = unsafe []

    deinit { unsafe pieces.forEach { _ = unsafe munmap($0.baseAddress, $0.count) } }

    /// Allocates zeros for `count` elements, aligned to a page.
    func allocate<Element>(_ count: Int) -> UnsafeMutablePointer<Element> {
        let bytes = max(1, count * MemoryLayout<Element>.stride)
        let start = unsafe mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else {
            fatalError("there is no memory for \(bytes) bytes")
        }
        unsafe pieces.append(UnsafeMutableRawBufferPointer(start: start, count: bytes))
        return unsafe start.bindMemory(to: Element.self, capacity: count)
    }
}
