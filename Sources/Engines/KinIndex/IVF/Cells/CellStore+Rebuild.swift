import KinCore
import KinLinearAlgebra

// A cell is built anew when it is full, when enough of it has changed, or when it is dissolved. Its rows then get other
// places, which the id map has to follow.

extension CellStore {
    /// The cell that a vector belongs to.
    func cell(for row: UnsafePointer<Float>, _ partition: any Partition) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: layout.stride) { z in
            _ = unsafe frame.place(row, into: z.baseAddress!)
            return unsafe partition.cell(of: z.baseAddress!)
        }
    }

    /// The list that a row belongs to by the partition; nil for an outlier, which lies outside the grid of boxes.
    ///
    /// - Parameter z: Receives the row's coordinates in the pruning frame, stride floats.
    private func list(
        of row: UnsafePointer<Float>, _ partition: any Partition, into z: UnsafeMutablePointer<Float>
    ) -> Int? {
        let uncertainty = unsafe frame.place(row, count: 1, into: z)
        let isInside = unsafe cells.count == 1 || boxes?.grid.holds(z, uncertainty: uncertainty) ?? true
        return unsafe isInside ? partition.cell(of: z) : nil
    }

    /// The list that a row belongs to by the partition; nil for an outlier.
    func list(of row: UnsafePointer<Float>, _ partition: any Partition) -> Int? {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: layout.stride) { z in
            unsafe list(of: row, partition, into: z.baseAddress!)
        }
    }

    /// Whether a row belongs in a list as things are.
    func holds(_ row: UnsafePointer<Float>, in c: Int, _ partition: any Partition) -> Bool {
        unsafe list(of: row, partition).map { $0 == c } ?? outliers.contains(c)
    }

    /// The list to put a row in: the one that it belongs to, or one of outliers when it lies outside the grid of boxes.
    mutating func list(for row: UnsafePointer<Float>, _ partition: inout any Partition) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: layout.stride) { memory in
            let z = memory.baseAddress!
            if let list = unsafe list(of: row, partition, into: z) { return list }
            if let list = unsafe outliers.nearest(to: z) { return list }
            unsafe partition.addList(at: z)
            put(Cell(layout: layout), at: cells.count)
            return cells.count - 1
        }
    }

    /// Builds a cell anew, with another row if one is given; a cell that is too full is divided.
    mutating func rebuild(
        _ c: Int, adding row: UnsafePointer<Float>? = nil, id: VectorID = .none, map: inout IDMap,
        partition: inout any Partition
    ) {
        var rows = RowList(copying: cells[c].chunk)
        if let row = unsafe row { unsafe rows.append(row, id: id) }
        let scratch = CellScratch(layout: layout)
        let first = cells.count
        fill(c, with: rows, partition: &partition, scratch: scratch)
        for changed in [c] + Array(first..<cells.count) { noteSlots(of: changed, in: &map) }
    }

    /// Puts rows into a cell that belong there; divides it until each part fits.
    mutating func fill(
        _ c: Int, with rows: RowList, partition: inout any Partition, scratch: CellScratch
    ) {
        guard rows.count > layout.chunkRows else {
            let cell = unsafe Cell(
                rows.rows, ids: rows.ids, count: rows.count, layout: layout, frame: frame, spare: rows.count / 8,
                scratch: scratch)
            put(cell, at: c)
            return
        }
        let new = partition.cellCount
        let isMoved =
            rows.outliers(apartFrom: &partition, frame: frame) ?? rows.division(of: c, by: &partition, frame: frame)
        if cells.count == new { put(Cell(layout: layout), at: new) }
        fill(c, with: rows.picking { !isMoved[$0] }, partition: &partition, scratch: scratch)
        fill(new, with: rows.picking { isMoved[$0] }, partition: &partition, scratch: scratch)
    }

    /// Takes a cell away and gives its rows to the cells they belong to then.
    mutating func dissolve(_ c: Int, map: inout IDMap, partition: inout any Partition) {
        let rows = RowList(copying: cells[c].chunk)
        partition.remove(c)
        moveLastCell(to: c)
        if c < cells.count { noteSlots(of: c, in: &map) }
        for r in 0..<rows.count {
            let row = unsafe rows.rows + r * layout.stride
            let target = unsafe list(for: row, &partition)
            if cells[target].count < layout.chunkRows {
                map.put(unsafe rows.ids[r], in: unsafe append(row, id: rows.ids[r], to: target))
            } else {
                unsafe rebuild(target, adding: row, id: rows.ids[r], map: &map, partition: &partition)
            }
        }
    }

    /// Tells the id map where the rows of a cell are.
    private func noteSlots(of c: Int, in map: inout IDMap) {
        for r in 0..<cells[c].count { unsafe map.put(cells[c].chunk.ids[r], in: slot(cell: c, row: r)) }
    }
}

/// Rows in memory of their own, on their way from one cell to others.
@safe
struct RowList {
    @safe
    private final class Storage {
        let rows: UnsafeMutablePointer<Float>
        let ids: UnsafeMutablePointer<VectorID>

        init(capacity: Int, stride: Int) {
            unsafe rows = .allocate(capacity: max(1, capacity * stride))
            unsafe ids = .allocate(capacity: max(1, capacity))
        }

        deinit {
            unsafe rows.deallocate()
            unsafe ids.deallocate()
        }
    }

    private let storage: Storage
    private let stride: Int
    private let capacity: Int
    private(set) var count = 0

    var rows: UnsafeMutablePointer<Float> { unsafe storage.rows }
    var ids: UnsafeMutablePointer<VectorID> { unsafe storage.ids }

    init(capacity: Int, stride: Int) {
        self.capacity = capacity
        self.stride = stride
        storage = Storage(capacity: capacity, stride: stride)
    }

    /// The rows of a chunk, with room for one more.
    init(copying chunk: Chunk) {
        self.init(capacity: chunk.count + 1, stride: chunk.layout.stride)
        unsafe rows.update(from: chunk.rows, count: chunk.count * stride)
        unsafe ids.update(from: chunk.ids, count: chunk.count)
        count = chunk.count
    }

    mutating func append(_ row: UnsafePointer<Float>, id: VectorID) {
        precondition(count < capacity, "there is room for the row")
        unsafe (rows + count * stride).update(from: row, count: stride)
        unsafe ids[count] = id
        count += 1
    }

    /// Adds rows that lie one behind the other.
    mutating func append(_ rows: UnsafePointer<Float>, ids: UnsafePointer<VectorID>, count n: Int) {
        precondition(count + n <= capacity, "there is room for the rows")
        unsafe (self.rows + count * stride).update(from: rows, count: n * stride)
        unsafe (self.ids + count).update(from: ids, count: n)
        count += n
    }

    /// The rows whose numbers pass.
    func picking(_ isPicked: (Int) -> Bool) -> RowList {
        var list = RowList(capacity: count, stride: stride)
        for r in 0..<count where isPicked(r) { unsafe list.append(rows + r * stride, id: ids[r]) }
        return list
    }

    /// Asks a partition to divide a cell that holds these rows.
    func division(of cell: Int, by partition: inout any Partition, frame: PruningFrame) -> [Bool] {
        unsafe [Bool](unsafeUninitializedCapacity: count) { isMoved, n in
            unsafe isMoved.initialize(repeating: false)
            let z = UnsafeMutablePointer<Float>.allocate(capacity: count * stride)
            defer { unsafe z.deallocate() }
            _ = unsafe frame.place(rows, count: count, into: z)
            unsafe partition.split(cell, rows: z, count: count, isMoved: isMoved.baseAddress!)
            n = count
        }
    }
}
