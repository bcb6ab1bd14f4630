import KinCore
import KinLinearAlgebra

/// The lists of an index, and a table of the boxes around them.
///
/// Slot s is row s mod chunkRows of list s ÷ chunkRows. Copies share lists, and pages of lists, until one of them writes.
struct ListStore: Sendable {
    let layout: RowLayout
    let frame: PruningFrame
    /// The grids that lists share where they fit; nil when the lists were not built together.
    let grids: CommonGrids?
    private(set) var lists: PagedArray<InvertedList>
    /// The view of each list that searches read.
    private(set) var views: PagedArray<ListView>
    private(set) var count = 0
    /// The boxes around the lists; nil when none of them is finite: then every list is visited.
    private(set) var boxes: BoxTable?
    /// Those that do not lie in the grid of the table, whose entries there are placeholders.
    private(set) var outliers: OutlierBoxes
    /// The checks of the file that lists are read from; nil if there are none.
    var contentCheck: ContentCheck?
    /// The number of lists when the grid of the table was fitted.
    private var fittedCount = 0

    /// Creates a store of one empty list.
    init(layout: RowLayout, frame: PruningFrame) {
        self.init(layout: layout, frame: frame, lists: [InvertedList(layout: layout)])
    }

    /// Creates a store of some lists.
    ///
    /// - Parameter boxes: The table of a file, if there is one. It is computed anew when its steps are much coarser than needed, as
    ///   releases without lists of outliers wrote it.
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
        outliers = OutlierBoxes(stride: layout.stride)
        fittedCount = lists.count
        if boxes.map({ $0.grid.step > 2 * (fitGrid()?.step ?? .infinity) }) ?? true { computeBoxes() }
    }

    /// Slots are 32-bit numbers.
    static let largestListCount = 1 << 20

    var bytes: Int { lists.reduce(boxes?.bytes ?? 0) { $0 + $1.bytes } }

    /// Blocks of 64 rows in all lists.
    var blockCount: Int { lists.reduce(0) { $0 + $1.chunk.blocks } }

    func location(of slot: Int) -> (list: Int, row: Int) {
        (slot >> layout.chunkShift, slot & (layout.chunkRows - 1))
    }

    func slot(list: Int, row: Int) -> Int { list << layout.chunkShift | row }

    /// The slot of the row that has an address: the row number in it is the row's address in its list.
    func slot(at address: Int) -> Int {
        let (c, a) = location(of: address)
        return slot(list: c, row: lists[c].row(at: a))
    }

    func address(of slot: Int) -> Int {
        let (c, r) = location(of: slot)
        return self.slot(list: c, row: lists[c].address(of: r))
    }

    /// The id of the row in a slot, if there is one.
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
    /// A grid for the boxes of the lists, which may leave some outside; nil when none of them is finite.
    private func fitGrid() -> BoxGrid? {
        let corners = lists.flatMap { $0.count > 0 ? $0.low + $0.high : [] }
        return BoxGridFit(corners: corners, stride: layout.stride, dimension: layout.dimension)?.grid
    }

    /// Computes the table anew from the lists' boxes.
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

    /// Puts a list's box into the table, or among those outside its grid.
    private mutating func note(_ c: Int, in table: BoxTable) {
        let list = lists[c]
        // An empty list has no box; any will do, since a visit finds nothing in it.
        let isOutlier = unsafe list.count > 0 && !table.put(c, low: list.low, high: list.high)
        if isOutlier || list.count == 0 { table.putPlaceholder(c) }
        if isOutlier { outliers.put(c, low: list.low, high: list.high) } else { outliers.remove(c) }
    }

    /// Brings up to date what there is of a list to which a row was written.
    ///
    /// - Parameter isWider: Whether its box has become wider. Most often its codes in the table stay what they were all the same, and
    ///   then a table that a copy shares is not copied.
    private mutating func refresh(_ c: Int, isWider: Bool) {
        let isHeld = unsafe !isWider || boxes?.holds(c, low: lists[c].low, high: lists[c].high) ?? false
        refresh(c, isBoxChanged: !isHeld)
    }

    /// Brings a list's view up to date, and its box in the table when that has become another.
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
        // Where many lie outside, the grid has become too small; one fitted to half of the lists may be too large. Fitting takes
        // O(lists), and a doubling pays for it.
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

    /// Removes a row by moving the last one of its list into its slot.
    ///
    /// - Returns: The id of the row that now stands in the slot when that has another address than before.
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

    /// Takes the last list away, or puts it over another.
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
