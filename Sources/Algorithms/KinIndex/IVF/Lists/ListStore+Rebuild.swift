// A list is rebuilt when it is full or when enough of it has changed, and dissolved when it has become small. Rows that
// stay in their list keep their addresses; the id map is updated only for rows that move to a different list.

extension ListStore {
    /// The list of a vector according to the partition.
    func partitionList(of row: UnsafePointer<Float>, _ partition: Partition) -> Int {
        unsafe frame.withCoordinates(of: row) { z, _ in unsafe partition.list(of: z) }
    }

    /// The list of a row according to the partition; nil for an outlier, whose coordinates are outside the grid of
    /// boxes.
    ///
    /// - Parameters:
    ///   - z: The row's coordinates in the pruning frame, stride floats.
    ///   - uncertainty: A bound on the error of each coordinate.
    private func list(of z: UnsafePointer<Float>, uncertainty: Float, _ partition: Partition) -> Int? {
        let isInside = unsafe lists.count == 1 || boxes?.grid.holds(z, uncertainty: uncertainty) ?? true
        return unsafe isInside ? partition.list(of: z) : nil
    }

    /// The list of a row according to the partition; nil for an outlier.
    func list(of row: UnsafePointer<Float>, _ partition: Partition) -> Int? {
        unsafe frame.withCoordinates(of: row) { z, uncertainty in
            unsafe list(of: z, uncertainty: uncertainty, partition)
        }
    }

    /// Whether a row belongs in a list according to the present partition and grid.
    func holds(_ row: UnsafePointer<Float>, in c: Int, _ partition: Partition) -> Bool {
        unsafe list(of: row, partition).map { $0 == c } ?? outliers.contains(c)
    }

    /// The list to insert a row into: its list according to the partition or, if it is outside the grid of boxes, a
    /// list of outliers.
    mutating func list(for row: UnsafePointer<Float>, _ partition: inout Partition) -> Int {
        unsafe frame.withCoordinates(of: row) { z, uncertainty in
            if let list = unsafe list(of: z, uncertainty: uncertainty, partition) { return list }
            if let list = unsafe outliers.nearest(to: z) { return list }
            unsafe partition.addList(at: z)
            put(InvertedList(layout: layout), at: lists.count)
            return lists.count - 1
        }
    }

    /// Rebuilds a list, with an additional row if one is passed. A list that is too full is divided.
    mutating func rebuild(
        _ c: Int, adding row: UnsafePointer<Float>? = nil, id: VectorID = .none, map: inout IDMap,
        partition: inout Partition
    ) {
        var rows = RowBuffer(copying: lists[c])
        if let row = unsafe row { unsafe rows.append(row, id: id) }
        let scratch = ListScratch(layout: layout)
        let first = lists.count
        fill(c, with: rows, partition: &partition, scratch: scratch)
        for new in first..<lists.count { noteAddresses(of: new, in: &map) }
        if unsafe row != nil, let r = lists[c].row(of: id) { map.put(id, in: address(of: slot(list: c, row: r))) }
    }

    /// Fills a list with rows that belong to it, dividing it until each part fits. Rows that stay in the list keep
    /// their addresses.
    mutating func fill(
        _ c: Int, with rows: RowBuffer, partition: inout Partition, scratch: ListScratch
    ) {
        rows.divide(over: c, layout: layout, partition: &partition, frame: frame) { rows, c in
            guard c == lists.count || rows.count > 0 else { return }
            put(rows.list(frame: frame, grids: grids, scratch: scratch), at: c)
        }
    }

    /// Removes a list, and inserts its rows into the lists that they then belong to.
    mutating func dissolve(_ c: Int, map: inout IDMap, partition: inout Partition) {
        let rows = RowBuffer(copying: lists[c])
        partition.remove(c)
        moveLastList(to: c)
        if c < lists.count { noteAddresses(of: c, in: &map) }
        for r in 0..<rows.count {
            let row = unsafe rows.rows + r * layout.stride
            let target = unsafe list(for: row, &partition)
            if lists[target].count < layout.chunkRows {
                map.put(unsafe rows.ids[r], in: address(of: unsafe append(row, id: rows.ids[r], to: target)))
            } else {
                unsafe rebuild(target, adding: row, id: rows.ids[r], map: &map, partition: &partition)
            }
        }
    }

    /// Records the addresses of all rows of a list in the id map.
    private func noteAddresses(of c: Int, in map: inout IDMap) {
        for r in 0..<lists[c].count {
            unsafe map.put(lists[c].chunk.ids[r], in: address(of: slot(list: c, row: r)))
        }
    }
}

extension InvertedList {
    /// The row that has an id, in O(rows). Used after a list was divided.
    fileprivate func row(of id: VectorID) -> Int? {
        (0..<count).first { unsafe chunk.ids[$0] == id }
    }
}

/// Rows in separate memory, on their way from one list to others.
@safe
struct RowBuffer {
    let rows: UnsafeMutablePointer<Float>
    let ids: UnsafeMutablePointer<VectorID>
    private let arena = PageArena()
    private let stride: Int
    private let capacity: Int
    private(set) var count = 0
    /// The addresses of the rows in their original list, or ``RowAddresses/none`` for rows from elsewhere; empty if the
    /// rows have no addresses.
    private(set) var addresses: [UInt16] = []

    init(capacity: Int, stride: Int) {
        self.capacity = capacity
        self.stride = stride
        unsafe rows = arena.allocate(capacity * stride)
        unsafe ids = arena.allocate(capacity)
    }

    /// Copies the rows of a list with their addresses, with room for one more.
    init(copying list: InvertedList) {
        let chunk = list.chunk
        self.init(capacity: chunk.count + 1, stride: chunk.layout.stride)
        addresses = (0..<chunk.count).map { UInt16(list.address(of: $0)) }
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

    /// Adds rows that are stored contiguously.
    mutating func append(_ rows: UnsafePointer<Float>, ids: UnsafePointer<VectorID>, count n: Int) {
        precondition(count + n <= capacity, "there is room for the rows")
        unsafe (self.rows + count * stride).update(from: rows, count: n * stride)
        unsafe (self.ids + count).update(from: ids, count: n)
        count += n
    }

    /// The rows whose numbers pass a test, without addresses.
    func picking(_ isPicked: (Int) -> Bool) -> RowBuffer {
        var list = RowBuffer(capacity: count, stride: stride)
        for r in 0..<count where isPicked(r) { unsafe list.append(rows + r * stride, id: ids[r]) }
        return list
    }

    /// Builds a list of these rows, which fit into one.
    func list(frame: PruningFrame, grids: CommonGrids?, scratch: ListScratch) -> InvertedList {
        guard count > 0 else { return InvertedList(layout: scratch.layout) }
        let source = unsafe RowSource(rows: rows, ids: ids, count: count, layout: scratch.layout)
        var list = InvertedList(source, frame: frame, grids: grids, spare: count / 8, scratch: scratch)
        if !addresses.isEmpty { list.keepAddresses(addresses, orderedIn: scratch) }
        return list
    }

    /// Divides these rows until each part fits into a list.
    ///
    /// - Parameters:
    ///   - c: The number of the rows' list; rows that stay in it keep their addresses.
    ///   - put: Receives the rows of each list and its number. New lists are first passed without rows, in the order of
    ///     their numbers.
    func divide(
        over c: Int, layout: RowLayout, partition: inout Partition, frame: PruningFrame, put: (RowBuffer, Int) -> Void
    ) {
        guard count > layout.chunkRows else { return put(self, c) }
        let new = partition.listCount
        let isMoved =
            outliers(apartFrom: &partition, frame: frame) ?? division(of: c, by: &partition, frame: frame)
        put(RowBuffer(capacity: 0, stride: stride), new)
        var kept = picking { !isMoved[$0] }
        kept.addresses = addresses.indices.filter { !isMoved[$0] }.map { addresses[$0] }
        for (c, rows) in [(c, kept), (new, picking { isMoved[$0] })] {
            rows.divide(over: c, layout: layout, partition: &partition, frame: frame, put: put)
        }
    }

    /// Divides a list with these rows in two, by the partition.
    private func division(of list: Int, by partition: inout Partition, frame: PruningFrame) -> [Bool] {
        unsafe [Bool](unsafeUninitializedCapacity: count) { isMoved, n in
            unsafe isMoved.initialize(repeating: false)
            let z = UnsafeMutablePointer<Float>.allocate(capacity: count * stride)
            defer { unsafe z.deallocate() }
            _ = unsafe frame.project(rows, count: count, into: z)
            unsafe partition.split(list, rows: z, count: count, isMoved: isMoved.baseAddress!)
            n = count
        }
    }
}
