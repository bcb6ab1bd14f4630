/// The lists of an index, and a table of the boxes around them.
///
/// Slot s is row s mod chunkRows of list s ÷ chunkRows. Copies share lists, and pages of lists, until one of them
/// writes.
struct ListStore: Sendable {
    let layout: RowLayout
    let frame: PruningFrame
    /// The grids that lists share if they fit; nil if the lists were not built together.
    let grids: CommonGrids?
    private(set) var lists: PagedArray<InvertedList>
    /// The view of each list, for searches.
    private(set) var views: PagedArray<ListView>
    private(set) var count = 0
    /// The boxes around the lists; nil if no box is finite. Every list is visited then.
    private(set) var boxes: BoxTable?
    /// The boxes outside the table's grid; their entries in the table are placeholders.
    private(set) var outliers: OutlierBoxes
    /// The checks of the file that lists are read from; nil if there are none.
    var contentCheck: ContentCheck?
    /// The number of lists when the grid of the table was fitted.
    private var fittedCount = 0
    /// The size below which a list is dissolved: 1/16 of a full list, or a quarter of the mean size if lists are small.
    let fewestRows: Int

    /// Creates a store with one empty list.
    init(layout: RowLayout, frame: PruningFrame) {
        self.init(layout: layout, frame: frame, lists: [InvertedList(layout: layout)])
    }

    /// Creates a store from lists.
    ///
    /// - Parameter boxes: The table from a file; nil if the file has none. It is recomputed if its steps are much
    ///   coarser than necessary, as in files from releases without lists of outliers.
    init(
        layout: RowLayout, frame: PruningFrame, grids: CommonGrids? = nil, lists: [InvertedList], boxes: BoxTable? = nil
    ) {
        self.layout = layout
        self.frame = frame
        self.grids = grids
        self.lists = PagedArray(lists)
        views = PagedArray(lists.lazy.map { ListView($0) })
        self.boxes = boxes
        count = lists.reduce(0) { $0 + $1.count }
        let mean = lists.count > 1 ? count / lists.count : layout.chunkRows
        fewestRows = max(1, min(layout.chunkRows / 16, mean / 4))
        outliers = OutlierBoxes(stride: layout.stride)
        fittedCount = lists.count
        if boxes.map({ $0.grid.step > 2 * (fitGrid()?.step ?? .infinity) }) ?? true { computeBoxes() }
    }

    /// Slots are 32-bit numbers.
    static let largestListCount = 1 << 20

    var bytes: Int { lists.reduce(boxes?.bytes ?? 0) { $0 + $1.bytes } }

    /// The number of blocks of 64 rows in all lists.
    var blockCount: Int { lists.reduce(0) { $0 + $1.chunk.blocks } }

    func location(of slot: Int) -> (list: Int, row: Int) {
        (slot >> layout.chunkShift, slot & (layout.chunkRows - 1))
    }

    func slot(list: Int, row: Int) -> Int { list << layout.chunkShift | row }

    /// The slot of the row with an address. The low bits of the address are the row's address in its list.
    func slot(at address: Int) -> Int {
        let (c, a) = location(of: address)
        return slot(list: c, row: lists[c].row(at: a))
    }

    func address(of slot: Int) -> Int {
        let (c, r) = location(of: slot)
        return self.slot(list: c, row: lists[c].address(of: r))
    }

    /// The id of the row in a slot; nil if the slot is empty.
    func id(at slot: Int) -> VectorID? {
        let (c, r) = location(of: slot)
        guard c < lists.count, r < lists[c].count else { return nil }
        return unsafe lists[c].chunk.ids[r]
    }

    /// A copy of the vector in a slot.
    func vector(at slot: Int) -> [Float] {
        let (c, r) = location(of: slot)
        contentCheck?.check(c)
        return unsafe Array(UnsafeBufferPointer(start: lists[c].chunk.row(r), count: layout.dimension))
    }
}

// MARK: - The table of boxes

extension ListStore {
    /// A grid for the boxes of the lists, which may leave some outside; nil if no box is finite.
    private func fitGrid() -> BoxGrid? {
        let corners = lists.flatMap { $0.count > 0 ? $0.low + $0.high : [] }
        return BoxGridFit(corners: corners, stride: layout.stride, dimension: layout.dimension)?.grid
    }

    /// Recomputes the table from the lists' boxes.
    mutating func computeBoxes() {
        boxes = nil
        outliers = OutlierBoxes(stride: layout.stride)
        fittedCount = lists.count
        guard let grid = fitGrid() else { return }
        let table = BoxTable(
            dimension: layout.dimension, grid: grid, minimumCapacity: lists.count + lists.count / 8)
        for c in lists.indices { note(c, in: table) }
        boxes = table
    }

    /// Stores a list's box in the table or, if it is outside the grid, among the outliers.
    private mutating func note(_ c: Int, in table: BoxTable) {
        let list = lists[c]
        // An empty list has no box. Any entry will do, since a visit finds nothing in it.
        let isOutlier = unsafe list.count > 0 && !table.put(c, low: list.low, high: list.high)
        if isOutlier || list.count == 0 { table.putPlaceholder(c) }
        if isOutlier { outliers.put(c, low: list.low, high: list.high) } else { outliers.remove(c) }
    }

    /// Updates a list's view and its box-table entry after a row was written to it.
    ///
    /// - Parameter isWider: Whether the list's box has become wider. Even then, its codes in the table usually stay the
    ///   same, and a table that a copy shares is not copied.
    private mutating func refresh(_ c: Int, isWider: Bool) {
        let isHeld = unsafe !isWider || boxes?.holds(c, low: lists[c].low, high: lists[c].high) ?? false
        refresh(c, isBoxChanged: !isHeld)
    }

    /// Updates a list's view and, if its box has changed, its box-table entry.
    private mutating func refresh(_ c: Int, isBoxChanged: Bool = true) {
        if c == views.count { views.append(ListView(lists[c])) } else { views[c] = ListView(lists[c]) }
        guard isBoxChanged else { return }
        let isOwn = isKnownUniquelyReferenced(&boxes)
        guard let table = boxes else {
            computeBoxes()
            return
        }
        let isWritable = isOwn && !table.isMapped && c < table.capacity
        let own = isWritable ? table : table.copy(minimumCapacity: lists.count + lists.count / 8)
        boxes = own
        note(c, in: own)
        // If many boxes are outside, the grid has become too small. A grid fitted to half the present number of lists
        // may be too large. Fitting takes O(lists), which a doubling pays for.
        let most = lists.count > 1 ? max(1, lists.count / 16) : 0
        if outliers.finiteCount > most || lists.count >= 2 * max(1, fittedCount) { computeBoxes() }
    }
}

// MARK: - Changing lists

extension ListStore {
    mutating func append(_ row: UnsafePointer<Float>, id: VectorID, to c: Int) -> Int {
        let position = lists[c].count
        let isWider = unsafe frame.withBox(of: row) { low, high in
            unsafe lists[c].append(row, id: id, low: low, high: high)
        }
        count += 1
        refresh(c, isWider: isWider)
        return slot(list: c, row: position)
    }

    mutating func overwrite(_ slot: Int, with row: UnsafePointer<Float>) {
        let (c, r) = location(of: slot)
        let isWider = unsafe frame.withBox(of: row) { low, high in
            unsafe lists[c].overwrite(r, with: row, low: low, high: high)
        }
        refresh(c, isWider: isWider)
    }

    /// Removes a row by moving the last row of its list into its slot.
    ///
    /// - Returns: The id of the row moved into the slot, if its address has changed; otherwise nil.
    mutating func remove(_ slot: Int) -> VectorID? {
        let (c, r) = location(of: slot)
        count -= 1
        defer { refresh(c, isBoxChanged: false) }
        return lists[c].remove(r, frame: frame)
    }

    /// Replaces a list, or appends one.
    mutating func put(_ list: InvertedList, at c: Int) {
        if c == lists.count {
            lists.append(list)
            count += list.count
        } else {
            count += list.count - lists[c].count
            lists[c] = list
        }
        refresh(c)
    }

    /// Removes the last list, or moves it over a different one.
    mutating func moveLastList(to c: Int) {
        let last = lists.removeLast()
        views.removeLast()
        boxes = isKnownUniquelyReferenced(&boxes) && boxes?.isMapped == false ? boxes : boxes?.copy(minimumCapacity: 0)
        boxes?.removeLast(from: lists.count)
        outliers.remove(lists.count)
        if c < lists.count {
            count -= lists[c].count
            lists[c] = last
            refresh(c)
        } else {
            count -= last.count
        }
    }
}
