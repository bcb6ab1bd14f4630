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
    /// The boxes around the cells; nil when none of them is finite: then every cell is visited.
    private(set) var boxes: BoxTable?
    /// Those that do not lie in the grid of the table, whose places there mean nothing.
    private(set) var outliers: OutlierBoxes
    /// The number of cells when the grid of the table was fitted.
    private var fittedCount = 0

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
        outliers = OutlierBoxes(stride: layout.stride)
        drawBoxes()
    }

    /// The rows of a mapped file.
    ///
    /// - Parameter boxes: The table of the file, if there is one. It is drawn anew when its steps are much coarser than they need be, as
    ///   releases that knew no outliers left it.
    init(layout: RowLayout, frame: PruningFrame, cells: [Cell], boxes: BoxTable?) {
        self.layout = layout
        self.frame = frame
        self.cells = cells
        views = cells.map { CellView($0) }
        self.boxes = boxes
        count = cells.reduce(0) { $0 + $1.count }
        outliers = OutlierBoxes(stride: layout.stride)
        fittedCount = cells.count
        let step = fitGrid()?.step ?? .infinity
        if boxes.map({ $0.grid.step > 2 * step }) ?? true { drawBoxes() }
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

    /// The slot of the row that has an address: the row number in it is the row's address in its cell.
    func slot(at address: Int) -> Int {
        let (c, a) = place(address)
        return slot(cell: c, row: cells[c].row(at: a))
    }

    func address(of slot: Int) -> Int {
        let (c, r) = place(slot)
        return self.slot(cell: c, row: cells[c].address(of: r))
    }

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
    /// A grid for the boxes of the cells, which may leave some outside; nil when none of them is finite.
    private func fitGrid() -> BoxGrid? {
        let corners = cells.flatMap { $0.count > 0 ? $0.low + $0.high : [] }
        return BoxGridFit(corners: corners, stride: layout.stride, dimension: layout.dimension)?.grid
    }

    /// Draws the table anew from the cells' boxes.
    mutating func drawBoxes() {
        boxes = nil
        outliers = OutlierBoxes(stride: layout.stride)
        fittedCount = cells.count
        guard let grid = fitGrid() else { return }
        let table = BoxTable(
            dimension: layout.dimension, grid: grid, minimumCapacity: cells.count + cells.count / 8)
        for c in cells.indices { note(c, in: table) }
        boxes = table
    }

    /// Puts a cell's box into the table, or among those outside its grid.
    private mutating func note(_ c: Int, in table: BoxTable) {
        let cell = cells[c]
        // An empty cell has no box; any will do, since a visit finds nothing in it.
        let isOutlier = unsafe cell.count > 0 && !table.put(c, low: cell.low, high: cell.high)
        if isOutlier || cell.count == 0 { table.putPlaceholder(c) }
        if isOutlier { outliers.put(c, low: cell.low, high: cell.high) } else { outliers.remove(c) }
    }

    /// Brings a cell's view and its box in the table up to date.
    private mutating func refresh(_ c: Int) {
        if c == views.count { views.append(CellView(cells[c])) } else { views[c] = CellView(cells[c]) }
        let isOwn = isKnownUniquelyReferenced(&boxes)
        guard let table = boxes else {
            drawBoxes()
            return
        }
        let isWritable = isOwn && !table.isMapped && c < table.capacity
        let own = isWritable ? table : table.copy(minimumCapacity: cells.count + cells.count / 8)
        boxes = own
        note(c, in: own)
        // Where many lie outside, the grid has become too small; one fitted to half of the cells may be too large. Fitting takes
        // O(cells), and a doubling pays for it.
        let most = cells.count > 1 ? max(1, cells.count / 16) : 0
        if outliers.finiteCount > most || cells.count >= 2 * max(1, fittedCount) { drawBoxes() }
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
    /// - Returns: The id of the row that now stands in the slot when that has another address than before.
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
        outliers.remove(cells.count)
        if c < cells.count {
            count -= cells[c].count
            cells[c] = last
            refresh(c)
        } else {
            count -= last.count
        }
    }
}
