/// An array in pages of 64 elements. Copies share the pages until one of them writes.
///
/// Copying is O(1). The first write after a copy copies one page and the two tables of pages, 16 bytes per 64 elements.
/// An `Array` would copy every element, including its reference count. Reading an element takes one load more than in
/// an `Array`.
///
/// Invariant: all pages except the last are full, and no page is empty.
@safe
struct PagedArray<Element> {
    @safe
    private final class Page {
        let elements = UnsafeMutablePointer<Element>.allocate(capacity: PagedArray.pageCount)
        var count = 0

        deinit {
            unsafe elements.deinitialize(count: count)
            unsafe elements.deallocate()
        }

        func copy() -> Page {
            let other = Page()
            unsafe other.elements.initialize(from: elements, count: count)
            other.count = count
            return other
        }
    }

    private var pages: [Page] = []
    /// The elements of each page, so that a read needs no reference counting of the page.
    private var starts: [UnsafeMutablePointer<Element>] = unsafe []
    private(set) var count = 0

    fileprivate static var shift: Int { 6 }

    /// The number of elements in a full page.
    static var pageCount: Int { 1 << shift }

    init() {}

    init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    mutating func append(_ element: Element) {
        if count % Self.pageCount == 0 {
            let page = Page()
            pages.append(page)
            unsafe starts.append(page.elements)
        } else {
            makeUnique(pages.count - 1)
        }
        unsafe (starts[pages.count - 1] + count % Self.pageCount).initialize(to: element)
        pages[pages.count - 1].count += 1
        count += 1
    }

    @discardableResult
    mutating func removeLast() -> Element {
        precondition(count > 0, "there is an element")
        makeUnique(pages.count - 1)
        count -= 1
        pages[pages.count - 1].count -= 1
        let element = unsafe (starts[pages.count - 1] + count % Self.pageCount).move()
        if count % Self.pageCount == 0 {
            pages.removeLast()
            unsafe starts.removeLast()
        }
        return element
    }

    /// Copies a page that another array shares.
    private mutating func makeUnique(_ page: Int) {
        guard !isKnownUniquelyReferenced(&pages[page]) else { return }
        pages[page] = pages[page].copy()
        unsafe starts[page] = pages[page].elements
    }
}

extension PagedArray: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(i: Int) -> Element {
        @inline(__always)
        unsafeAddress {
            precondition(i >= 0 && i < count, "there is an element \(i)")
            return unsafe UnsafePointer(starts[i >> Self.shift] + (i & (Self.pageCount - 1)))
        }
        @inline(__always)
        unsafeMutableAddress {
            precondition(i >= 0 && i < count, "there is an element \(i)")
            makeUnique(i >> Self.shift)
            return unsafe starts[i >> Self.shift] + (i & (Self.pageCount - 1))
        }
    }
}

extension PagedArray {
    /// Calls a closure with a view of the elements, which must not outlive the call.
    @inline(__always)
    func withView<Result>(_ body: (PagedView<Element>) -> Result) -> Result {
        unsafe starts.withUnsafeBufferPointer { unsafe body(PagedView(starts: $0.baseAddress, count: count)) }
    }
}

/// The elements of a ``PagedArray`` without references to its pages.
@safe
struct PagedView<Element> {
    fileprivate let starts: UnsafePointer<UnsafeMutablePointer<Element>>?
    let count: Int

    subscript(i: Int) -> Element {
        @inline(__always)
        unsafeAddress {
            precondition(i >= 0 && i < count, "there is an element \(i)")
            let shift = PagedArray<Element>.shift
            return unsafe UnsafePointer(starts![i >> shift] + (i & (PagedArray<Element>.pageCount - 1)))
        }
    }
}

// A page that two arrays share is never written.
extension PagedArray: @unchecked Sendable where Element: Sendable {}
