/// The data of a ``ListStore`` for searches, without references, so that threads that search the same store write no
/// shared reference counts.
///
/// Valid only inside ``ListStore/withView(_:)``.
@safe
struct ListStoreView: @unchecked Sendable {
    let layout: RowLayout
    let frame: PruningFrameView
    let views: PagedView<ListView>
    /// The boxes around the lists; nil if none is finite.
    let boxes: BoxTableView?
    /// The lists whose boxes are outside the grid of `boxes`, ascending, and the corners of their boxes
    /// (``OutlierBoxes``).
    let outlierLists: BorrowedList
    let outlierCorners: UnsafePointer<Float>?
    /// The checks of the file that lists are read from; nil if there are none.
    let contentCheck: Unmanaged<ContentCheck>?

    /// The number of blocks of 64 rows in all lists.
    var blockCount: Int { (0..<views.count).reduce(0) { $0 + views[$1].blocks } }

    /// The list with a number, whose vectors and codes are to be read.
    @inline(__always)
    func content(of c: Int) -> ListView {
        if let contentCheck = unsafe contentCheck { unsafe contentCheck._withUnsafeGuaranteedRef { $0.check(c) } }
        return views[c]
    }

    /// The list and row of a slot.
    func location(of slot: Int) -> (list: Int, row: Int) {
        (slot >> layout.chunkShift, slot & (layout.chunkRows - 1))
    }
}

extension ListStore {
    /// Calls a closure with a view for searches, which must not outlive the call.
    @inline(__always)
    func withView<Result>(_ body: (ListStoreView) -> Result) -> Result {
        frame.withView { frame in
            views.withView { views in
                unsafe outliers.lists.withUnsafeBufferPointer { outlierLists in
                    unsafe outliers.corners.withUnsafeBufferPointer { corners in
                        unsafe body(
                            ListStoreView(
                                layout: layout, frame: frame, views: views, boxes: boxes?.view,
                                outlierLists: BorrowedList(outlierLists), outlierCorners: corners.baseAddress,
                                contentCheck: contentCheck.map { unsafe Unmanaged.passUnretained($0) }))
                    }
                }
            }
        }
    }
}

/// The elements of an array of numbers, without a reference to the array.
@safe
struct BorrowedList: RandomAccessCollection {
    private let elements: UnsafeBufferPointer<Int>

    init(_ elements: UnsafeBufferPointer<Int>) { unsafe self.elements = elements }

    var startIndex: Int { 0 }
    var endIndex: Int { unsafe elements.count }
    subscript(i: Int) -> Int { unsafe elements[i] }
}
