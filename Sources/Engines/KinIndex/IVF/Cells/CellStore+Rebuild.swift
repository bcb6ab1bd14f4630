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
        var rows = RowList(copying: cells[c])
        if let row = unsafe row { unsafe rows.append(row, id: id) }
        let scratch = CellScratch(layout: layout)
        let first = cells.count
        fill(c, with: rows, partition: &partition, scratch: scratch)
        for new in first..<cells.count { noteAddresses(of: new, in: &map) }
        if unsafe row != nil, let r = cells[c].row(of: id) { map.put(id, in: address(of: slot(cell: c, row: r))) }
    }

    /// Puts rows into a cell that belong there; divides it until each part fits. Those that stay in the cell keep their addresses.
    mutating func fill(
        _ c: Int, with rows: RowList, partition: inout any Partition, scratch: CellScratch
    ) {
        guard rows.count > layout.chunkRows else {
            var cell = unsafe Cell(
                rows.rows, ids: rows.ids, count: rows.count, layout: layout, frame: frame, spare: rows.count / 8,
                scratch: scratch)
            if !rows.addresses.isEmpty { cell.keepAddresses(rows.addresses, orderedIn: scratch) }
            put(cell, at: c)
            return
        }
        let new = partition.cellCount
        let isMoved =
            rows.outliers(apartFrom: &partition, frame: frame) ?? rows.division(of: c, by: &partition, frame: frame)
        if cells.count == new { put(Cell(layout: layout), at: new) }
        fill(c, with: rows.picking { !isMoved[$0] }, partition: &partition, scratch: scratch)
        fill(new, with: rows.picking { isMoved[$0] }.withoutAddresses(), partition: &partition, scratch: scratch)
    }

    /// Takes a cell away and gives its rows to the cells they belong to then.
    mutating func dissolve(_ c: Int, map: inout IDMap, partition: inout any Partition) {
        let rows = RowList(copying: cells[c])
        partition.remove(c)
        moveLastCell(to: c)
        if c < cells.count { noteAddresses(of: c, in: &map) }
        for r in 0..<rows.count {
            let row = unsafe rows.rows + r * layout.stride
            let target = unsafe list(for: row, &partition)
            if cells[target].count < layout.chunkRows {
                map.put(unsafe rows.ids[r], in: address(of: unsafe append(row, id: rows.ids[r], to: target)))
            } else {
                unsafe rebuild(target, adding: row, id: rows.ids[r], map: &map, partition: &partition)
            }
        }
    }

    /// Enters the addresses of all rows of a cell in the id map.
    private func noteAddresses(of c: Int, in map: inout IDMap) {
        for r in 0..<cells[c].count {
            unsafe map.put(cells[c].chunk.ids[r], in: address(of: slot(cell: c, row: r)))
        }
    }
}

extension Cell {
    /// The row that has an id. O(rows): a cell is asked when it is divided.
    fileprivate func row(of id: VectorID) -> Int? {
        (0..<count).first { unsafe chunk.ids[$0] == id }
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
    /// Addresses of the rows in the cell that they come from, ``RowAddresses/none`` for one that comes from elsewhere; empty when they need
    /// none.
    private(set) var addresses: [UInt16] = []

    var rows: UnsafeMutablePointer<Float> { unsafe storage.rows }
    var ids: UnsafeMutablePointer<VectorID> { unsafe storage.ids }

    init(capacity: Int, stride: Int) {
        self.capacity = capacity
        self.stride = stride
        storage = Storage(capacity: capacity, stride: stride)
    }

    /// The rows of a cell with their addresses, and room for one more.
    init(copying cell: Cell) {
        let chunk = cell.chunk
        self.init(capacity: chunk.count + 1, stride: chunk.layout.stride)
        addresses = (0..<chunk.count).map { UInt16(cell.address(of: $0)) }
        unsafe rows.update(from: chunk.rows, count: chunk.count * stride)
        unsafe ids.update(from: chunk.ids, count: chunk.count)
        count = chunk.count
    }

    mutating func append(_ row: UnsafePointer<Float>, id: VectorID) {
        precondition(count < capacity, "there is room for the row")
        unsafe (rows + count * stride).update(from: row, count: stride)
        unsafe ids[count] = id
        if !addresses.isEmpty { addresses.append(RowAddresses.none) }
        count += 1
    }

    func withoutAddresses() -> RowList {
        var list = self
        list.addresses = []
        return list
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
        if !addresses.isEmpty { list.addresses = addresses.indices.filter(isPicked).map { addresses[$0] } }
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
