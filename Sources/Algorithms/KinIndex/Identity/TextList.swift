/// A list of texts as bytes of UTF-8, in pages of 64. Copies share the pages until one of them writes.
///
/// A text takes about 5 bytes more than its UTF-8. Reading it counts no reference. The first write after a copy copies
/// one page and the two tables of pages, as in ``PagedArray``.
@safe
package struct TextList {
    @safe
    private final class Page {
        /// The offset of each text among the bytes, and after the last one its end; then the bytes.
        let offsets: UnsafeMutablePointer<UInt32>
        /// The largest number of bytes.
        let capacity: Int

        init(capacity: Int) {
            let byteCount = Self.offsetBytes + capacity
            unsafe offsets = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
                .bindMemory(to: UInt32.self, capacity: byteCount / 4)
            unsafe offsets[0] = 0
            self.capacity = capacity
        }

        deinit { unsafe offsets.deallocate() }

        static let offsetBytes = 4 * (TextList.pageCount + 1)

        /// Copies the first texts of a page.
        func copy(from other: Page, count: Int) {
            let byteCount = unsafe Self.offsetBytes + Int(other.offsets[count])
            unsafe UnsafeMutableRawPointer(offsets).copyMemory(from: other.offsets, byteCount: byteCount)
        }
    }

    private var pages: [Page] = []
    /// The offsets of each page, so that a read counts no reference to the page.
    private var starts: [UnsafeMutablePointer<UInt32>] = unsafe []
    package private(set) var count = 0
    /// The number of bytes of UTF-8.
    private(set) var byteCount = 0

    private static var pageCount: Int { 64 }

    package init() {}

    init(_ texts: some Sequence<String>) {
        for var text in texts { text.withUTF8 { unsafe append($0) } }
    }

    /// The bytes of a text, which are valid until the list changes.
    @inline(__always)
    func utf8(at i: Int) -> UnsafeBufferPointer<UInt8> {
        precondition(i >= 0 && i < count, "there is a text \(i)")
        let offsets = unsafe starts[i / Self.pageCount]
        let start = unsafe Int(offsets[i % Self.pageCount])
        let count = unsafe Int(offsets[i % Self.pageCount + 1]) - start
        let bytes = unsafe UnsafeRawPointer(offsets) + Page.offsetBytes + start
        return unsafe UnsafeBufferPointer(start: bytes.assumingMemoryBound(to: UInt8.self), count: count)
    }

    package subscript(i: Int) -> String { unsafe String(decoding: utf8(at: i), as: UTF8.self) }

    package mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        let row = count % Self.pageCount
        let used = unsafe row == 0 ? 0 : Int(starts[pages.count - 1][row])
        let needed = used + text.count
        if row == 0 || needed > pages[pages.count - 1].capacity || !isKnownUniquelyReferenced(&pages[pages.count - 1]) {
            // Room for a whole page of such texts, if it is not much more than the page needs now.
            let capacity = min(needed * Self.pageCount / (row + 1), 2 * needed + 4096)
            let page = Page(capacity: capacity)
            if row > 0 {
                unsafe starts.removeLast()
                page.copy(from: pages.removeLast(), count: row)
            }
            pages.append(page)
            unsafe starts.append(page.offsets)
        }
        let offsets = unsafe starts[pages.count - 1]
        if let bytes = text.baseAddress {
            unsafe (UnsafeMutableRawPointer(offsets) + Page.offsetBytes + used)
                .copyMemory(from: bytes, byteCount: text.count)
        }
        unsafe offsets[row + 1] = UInt32(needed)
        count += 1
        byteCount += text.count
    }

    /// Removes a text; the last one gets its number.
    mutating func remove(at gap: Int) {
        let last = count - 1
        byteCount -= unsafe utf8(at: gap).count
        if gap < last {
            let number = gap / Self.pageCount
            var page = TextList()
            for i in number * Self.pageCount..<min((number + 1) * Self.pageCount, last) {
                unsafe page.append(utf8(at: i == gap ? last : i))
            }
            pages[number] = page.pages[0]
            unsafe starts[number] = page.starts[0]
        }
        count = last
        if last % Self.pageCount == 0 {
            pages.removeLast()
            unsafe starts.removeLast()
        }
    }
}

// A page that two lists share is never written.
extension TextList: @unchecked Sendable {}
