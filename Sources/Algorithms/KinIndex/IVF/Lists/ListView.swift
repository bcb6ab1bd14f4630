import KinCore
import KinLinearAlgebra

/// The data of a list that a search reads, side by side: a search meets hundreds of lists, and following each one's references (to its
/// chunk, the chunk's grid, the boxes, their grid) would cost a cache miss and a reference count apiece.
///
/// Valid as long as the list is and does not change; the store that holds the lists keeps both in step.
@safe
struct ListView: BlockedRows, @unchecked Sendable {
    let rows: UnsafePointer<Float>
    let codes: UnsafePointer<UInt8>
    let ids: UnsafePointer<VectorID>
    let count: Int
    /// The grid of the codes; nil when the rows are not coded.
    let grid: CodeGridView?
    let errors: CodeErrors
    /// Whether some rows lie outside the grid; the chunk's coding lists them.
    let hasOutliers: Bool
    private let chunk: Unmanaged<Chunk>
    /// The boxes of the blocks; nil when the list has none.
    let boxes: BoxTableView?

    init(_ list: InvertedList) {
        let chunk = list.chunk
        unsafe self.chunk = Unmanaged.passUnretained(chunk)
        unsafe rows = UnsafePointer(chunk.rows)
        unsafe codes = UnsafePointer(chunk.codes)
        unsafe ids = UnsafePointer(chunk.ids)
        count = chunk.count
        unsafe grid = chunk.coding?.grid.view
        errors = chunk.coding?.errors ?? CodeErrors()
        hasOutliers = chunk.coding?.outliers.isEmpty == false
        boxes = list.boxes?.view
    }

    /// The coding of the rows. It counts references that all searches share, so a search reads it for lists with outliers only.
    var coding: RowCoding? { unsafe chunk._withUnsafeGuaranteedRef { $0.coding } }
}
