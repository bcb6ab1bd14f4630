import KinCore
import KinLinearAlgebra

/// The cells of an index, and a table of the boxes around them.
///
/// Slot s is row s mod chunkRows of cell s ÷ chunkRows. Copies share cells until one of them writes.
struct CellStore: Sendable {
    let layout: RowLayout
    let frame: PruningFrame
    private(set) var cells: [Cell]
    /// What searches read of each cell.
    private(set) var views: [CellView]
    private(set) var count = 0
    /// The boxes around the cells; nil when one of them is not finite: then every cell is visited.
    private(set) var boxes: BoxTable?

    /// One empty cell.
    init(layout: RowLayout, frame: PruningFrame) {
        self.init(layout: layout, frame: frame, cells: [Cell(layout: layout)])
    }

    init(layout: RowLayout, frame: PruningFrame, cells: [Cell]) {
        self.layout = layout
        self.frame = frame
        self.cells = cells
        views = cells.map { CellView($0) }
        count = cells.reduce(0) { $0 + $1.count }
        drawBoxes()
    }

    /// The rows of a mapped file.
    init(layout: RowLayout, frame: PruningFrame, cells: [Cell], boxes: BoxTable?) {
        self.layout = layout
        self.frame = frame
        self.cells = cells
        views = cells.map { CellView($0) }
        self.boxes = boxes
        count = cells.reduce(0) { $0 + $1.count }
    }

    /// Slots are 32-bit numbers.
    static let largestCellCount = 1 << 20

    var bytes: Int { cells.reduce(boxes?.bytes ?? 0) { $0 + $1.bytes } }

    /// Blocks of 64 rows in all cells.
    var blockCount: Int { cells.reduce(0) { $0 + $1.chunk.blocks } }

    func place(_ slot: Int) -> (cell: Int, row: Int) {
        (slot >> layout.chunkShift, slot & (layout.chunkRows - 1))
    }

    func slot(cell: Int, row: Int) -> Int { cell << layout.chunkShift | row }

    /// The id of the row in a slot, if there is one.
    func id(at slot: Int) -> VectorID? {
        let (c, r) = place(slot)
        guard c < cells.count, r < cells[c].count else { return nil }
        return unsafe cells[c].chunk.ids[r]
    }

    /// A copy of the vector in a slot.
    func vector(at slot: Int) -> [Float] {
        let (c, r) = place(slot)
        return unsafe Array(UnsafeBufferPointer(start: cells[c].chunk.row(r), count: layout.dimension))
    }
}

// MARK: - The table of boxes

extension CellStore {
    /// Draws the table anew from the cells' boxes.
    mutating func drawBoxes() {
        boxes = nil
        let (stride, dimension) = (layout.stride, layout.dimension)
        var low = [Float](repeating: .infinity, count: stride)
        var high = [Float](repeating: -.infinity, count: stride)
        for cell in cells where cell.count > 0 {
            for j in 0..<stride {
                low[j] = min(low[j], cell.low[j])
                high[j] = max(high[j], cell.high[j])
            }
        }
        guard count > 0, low.allSatisfy(\.isFinite), high.allSatisfy(\.isFinite) else { return }
        let grid = BoxGrid(low: Array(low[..<dimension]), high: Array(high[..<dimension]))
        let table = BoxTable(dimension: dimension, grid: grid, minimumCapacity: cells.count + cells.count / 8)
        for (c, cell) in cells.enumerated() {
            // An empty cell has no box; any will do, since a visit finds nothing in it.
            let (l, h) = cell.count > 0 ? (cell.low, cell.high) : (low, low)
            guard unsafe table.put(c, low: l, high: h) else { return }
        }
        boxes = table
    }

    /// Brings a cell's view and its box in the table up to date.
    private mutating func refresh(_ c: Int) {
        if c == views.count { views.append(CellView(cells[c])) } else { views[c] = CellView(cells[c]) }
        let isOwn = isKnownUniquelyReferenced(&boxes)
        guard let table = boxes else {
            drawBoxes()
            return
        }
        guard c < table.capacity else {
            drawBoxes()
            return
        }
        let own = isOwn && !table.isMapped ? table : table.copy(minimumCapacity: cells.count)
        boxes = own
        guard cells[c].count > 0 else {
            if c == own.count { drawBoxes() }
            return
        }
        if unsafe !own.put(c, low: cells[c].low, high: cells[c].high) { drawBoxes() }
    }
}

// MARK: - Changing cells

extension CellStore {
    mutating func append(_ row: UnsafePointer<Float>, id: VectorID, to c: Int) -> Int {
        let place = cells[c].count
        unsafe frame.withBox(of: row) { low, high in
            unsafe cells[c].append(row, id: id, low: low, high: high)
        }
        count += 1
        refresh(c)
        return slot(cell: c, row: place)
    }

    mutating func overwrite(_ slot: Int, with row: UnsafePointer<Float>) {
        let (c, r) = place(slot)
        unsafe frame.withBox(of: row) { low, high in
            unsafe cells[c].overwrite(r, with: row, low: low, high: high)
        }
        refresh(c)
    }

    /// Takes a row away.
    ///
    /// - Returns: The id of the row that now stands in the slot, unless it was the last of its cell.
    mutating func remove(_ slot: Int) -> VectorID? {
        let (c, r) = place(slot)
        count -= 1
        defer { views[c] = CellView(cells[c]) }
        return cells[c].remove(r, frame: frame)
    }

    /// Puts a cell, built anew, in the place of another, or behind the last one.
    mutating func put(_ cell: Cell, at c: Int) {
        if c == cells.count {
            cells.append(cell)
            count += cell.count
        } else {
            count += cell.count - cells[c].count
            cells[c] = cell
        }
        refresh(c)
    }

    /// Takes the last cell away, or puts it in the place of another.
    mutating func moveLastCell(to c: Int) {
        let last = cells.removeLast()
        views.removeLast()
        boxes = isKnownUniquelyReferenced(&boxes) && boxes?.isMapped == false ? boxes : boxes?.copy(minimumCapacity: 0)
        boxes?.removeLast(from: cells.count)
        if c < cells.count {
            count -= cells[c].count
            cells[c] = last
            refresh(c)
        } else {
            count -= last.count
        }
    }
}
