/// The data of a list that a search reads, stored together. A search meets hundreds of lists. Following each list's
/// references (to its chunk, the chunk's grid, the boxes, their grid) would cost a cache miss and a reference count
/// each.
///
/// Valid while the list exists and does not change. The store that owns the lists updates both together.
@safe
struct ListView: BlockedRows, @unchecked Sendable {
    let rows: UnsafePointer<Float>
    let codes: UnsafePointer<UInt8>
    let ids: UnsafePointer<VectorID>
    let count: Int
    /// The grid of the codes; nil if the rows are not coded.
    let grid: CodeGridView?
    let errors: CodeErrors
    /// Whether some rows are outside the grid; the chunk's coding lists them.
    let hasOutliers: Bool
    private let chunk: Unmanaged<Chunk>
    /// The boxes of the blocks; nil if the list has none.
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

    /// The coding of the rows. Reading it updates reference counts that all searches share, so a search reads it only
    /// for lists with outliers.
    var coding: RowCoding? { unsafe chunk._withUnsafeGuaranteedRef { $0.coding } }
}
