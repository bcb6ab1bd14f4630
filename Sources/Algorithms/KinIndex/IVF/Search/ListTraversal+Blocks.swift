/// The rows of one list.
struct ListRows {
    let view: ListView
    /// The coding of the chunk; nil if it has no outliers.
    let outliers: RowCoding?
    /// The rows that were offered before their block was screened.
    var seeded: (block: Int, rows: UInt64) = (-1, 0)

    @inline(__always)
    init(_ c: Int, of store: ListStoreView) {
        view = store.content(of: c)
        outliers = view.hasOutliers ? view.coding : nil
    }
}

// MARK: - One list

extension ListTraversal {
    /// Screens the blocks of a list within the radius.
    ///
    /// - Parameter isFirst: Whether no row has been compared yet. If so, blocks are screened a few at a time, nearest
    ///   first.
    mutating func visit(_ c: Int, isFirst: Bool = false) {
        if probesLeft > 0 { probesLeft -= 1 }
        counters.listsVisited += 1
        var rows = ListRows(c, of: store)
        let view = rows.view
        guard view.count > 0 else { return }
        guard let boxes = view.boxes else {
            for b in 0..<view.blocks { unsafe memory.blocks[b] = UInt32(b) }
            screen(0..<view.blocks, of: &rows)
            return
        }
        bound(boxes)
        if isFirst {
            visitNearestFirst(&rows)
        } else if let limit = limitOfBlocks() {
            screen(0..<memory.list(memory.blocks(view.blocks, within: limit)), of: &rows)
        }
    }

    /// Screens chosen blocks of a list, block b at bit b.
    mutating func screen(_ blocks: UInt64, of c: Int) {
        var rows = ListRows(c, of: store)
        screen(0..<memory.list(blocks), of: &rows)
    }

    /// Finds the blocks of a list within the radius, block b at bit b; none if the list itself is no longer within it.
    ///
    /// - Precondition: The list has boxes.
    mutating func enter(candidate: UInt64) -> UInt64 {
        guard isWithin(candidate) else { return 0 }
        return enter(ProbeOrder.number(candidate))
    }

    /// Finds the blocks of a list within the radius, block b at bit b. Returns all blocks if they are few, since
    /// screening them is faster than testing their boxes.
    ///
    /// - Precondition: The list has boxes.
    mutating func enter(_ c: Int) -> UInt64 {
        let view = store.views[c]
        guard let boxes = view.boxes else { return 0 }
        counters.listsVisited += 1
        guard view.blocks > Self.fewBlocks else { return (1 << UInt64(view.blocks)) - 1 }
        bound(boxes)
        guard let limit = limitOfBlocks() else { return 0 }
        return memory.blocks(view.blocks, within: limit)
    }

    private static var fewBlocks: Int { 4 }

    /// Computes bounds for the boxes of a list's blocks.
    @inline(__always)
    private mutating func bound(_ boxes: BoxTableView) {
        unsafe blockQuery.bound(boxes, from: framed, into: memory.blockBounds)
    }

    /// The limit on the bounds of the list's blocks at the present radius; nil if no block can be within it.
    @inline(__always)
    private func limitOfBlocks() -> Int32? { blockQuery.limit(at: radius) }

    /// Screens the nearest block, then the others within the radius, which shrinks during the visit.
    private mutating func visitNearestFirst(_ rows: inout ListRows) {
        let bounds = unsafe memory.blockBounds
        var nearest = 0
        for b in 1..<max(rows.view.blocks, 1) where unsafe bounds[b] < bounds[nearest] { nearest = b }
        guard let limit = limitOfBlocks(), unsafe bounds[nearest] <= limit else { return }
        unsafe memory.blocks[0] = UInt32(nearest)
        screen(0..<1, of: &rows)
        flush()
        guard let limit = limitOfBlocks() else { return }
        let n = memory.list(memory.blocks(rows.view.blocks, within: limit))
        var next = 0
        while next < n {
            guard let limit = limitOfBlocks() else { return }
            let first = next
            // Blocks that are now outside the radius are dropped.
            var end = first
            while next < n && end < first + 4 {
                let block = unsafe memory.blocks[next]
                next += 1
                guard unsafe Int(block) != nearest && bounds[Int(block)] <= limit else { continue }
                unsafe memory.blocks[end] = block
                end += 1
            }
            screen(first..<end, of: &rows)
            flush()
        }
    }
}

// MARK: - Blocks

extension ListTraversal {
    /// Offers the rows of the listed blocks that may be neighbours.
    private mutating func screen(_ list: Range<Int>, of rows: inout ListRows) {
        guard !list.isEmpty else { return }
        counters.blocksScreened += list.count
        let blocks = unsafe memory.blocks + list.lowerBound
        let passed = unsafe memory.passed
        if collector.radius == .infinity, !layout.metric.comparesProducts, let grid = rows.view.grid {
            seed(unsafe Int(blocks[0]), of: &rows, grid: grid)
        }
        // With an infinite radius every row would pass.
        if collector.radius < .infinity, let grid = rows.view.grid {
            unsafe pass(UnsafeBufferPointer(start: blocks, count: list.count), of: rows.view, grid: grid)
        } else {
            unsafe passed.update(repeating: .max, count: list.count)
        }
        for i in 0..<list.count {
            let block = unsafe Int(blocks[i])
            if let outliers = rows.outliers {
                unsafe passed[i] |= outliers.outliers(inBlock: block)
            }
            if block == rows.seeded.block { unsafe passed[i] &= ~rows.seeded.rows }
            offer(unsafe passed[i] & rows.view.occupied(block), block: block, of: rows.view)
        }
    }

    /// Finds the rows of blocks whose codes are within the radius, and writes them to `memory.passed`.
    @inline(__always)
    private mutating func pass(_ blocks: UnsafeBufferPointer<UInt32>, of view: ListView, grid: CodeGridView) {
        let bound = unsafe rowQuery.coded(query, layout: layout, on: grid)
        unsafe kernels.passing(
            CodeBlocks(view.codes, count: view.blocks, groups: layout.groups, metric: layout.metric),
            blocks: blocks, weights: rowQuery.weights,
            limit: bound.limit(distance: collector.radius, errors: view.errors), into: memory.passed)
        guard bound.isLoose(at: collector.radius),
            (0..<blocks.count).contains(where: { unsafe memory.passed[$0].nonzeroBitCount > Self.fewRows })
        else { return }
        let outer = unsafe rowQuery.outerTerms(query, bound, layout: layout, on: grid)
        let limit = bound.limit(distance: collector.radius, errors: view.errors, with: outer)
        for i in 0..<blocks.count where unsafe memory.passed[i].nonzeroBitCount > Self.fewRows {
            unsafe outer.sum(
                block: Int(blocks[i]), codes: view.codes, groups: layout.groups,
                weights: rowQuery.weights + 4 * layout.groups, centre: memory.centre, into: memory.seedBounds)
            var within: UInt64 = 0
            unsafe kernels.bounds(memory.seedBounds, count: Kernels.blockRows, within: limit, into: &within)
            unsafe memory.passed[i] &= within
        }
    }

    /// The largest number of rows of a block that are compared rather than screened again.
    private static var fewRows: Int { 3 }

    /// Offers the rows of a block with the nearest codes, one for each result slot, to get a radius for screening the
    /// block's other rows.
    private mutating func seed(_ block: Int, of rows: inout ListRows, grid: CodeGridView) {
        let k = collector.capacity
        guard k <= ListScanMemory.mostSeeds, rows.view.occupied(block).nonzeroBitCount > 2 * k else { return }
        _ = unsafe rowQuery.coded(query, layout: layout, on: grid)
        let bounds = unsafe memory.seedBounds
        unsafe kernels.codeDistances(
            block: block, codes: rows.view.codes, groups: layout.groups, weights: rowQuery.weights,
            centre: memory.centre, into: bounds)
        // Selects the k smallest, by insertion.
        var kept = 0
        for r in 0..<rows.view.occupied(block).nonzeroBitCount {
            let key = unsafe ProbeOrder.key(bounds[r], r)
            guard unsafe kept < k || key < memory.seedKeys[kept - 1] else { continue }
            var position = kept < k ? kept : k - 1
            while unsafe position > 0 && memory.seedKeys[position - 1] > key {
                unsafe memory.seedKeys[position] = memory.seedKeys[position - 1]
                position -= 1
            }
            unsafe memory.seedKeys[position] = key
            kept = min(kept + 1, k)
        }
        var mask: UInt64 = 0
        for i in 0..<kept { unsafe mask |= 1 << (memory.seedKeys[i] & 0xFFFF_FFFF) }
        offer(mask, block: block, of: rows.view)
        flush()
        rows.seeded = (block, mask)
    }

    /// The limit for the rows' codes.
    @inline(__always)
    private mutating func limit(for view: ListView, grid: CodeGridView) -> Int32 {
        unsafe rowQuery.coded(query, layout: layout, on: grid)
            .limit(distance: collector.radius, errors: view.errors)
    }

    /// The rows of one block that may be neighbours.
    mutating func passing(_ block: Int, of view: ListView, grid: CodeGridView) -> UInt64 {
        var number = UInt32(block)
        var rows: UInt64 = 0
        let limit = limit(for: view, grid: grid)
        unsafe withUnsafePointer(to: &number) { number in
            unsafe kernels.passing(
                CodeBlocks(view.codes, count: view.blocks, groups: layout.groups, metric: layout.metric),
                blocks: UnsafeBufferPointer(start: number, count: 1), weights: rowQuery.weights, limit: limit,
                into: &rows)
        }
        return rows
    }

    /// Computes the distance of one row and offers it.
    mutating func offer(_ slot: Int) {
        let (c, r) = store.location(of: slot)
        offer(1 << UInt64(r % Kernels.blockRows), block: r / Kernels.blockRows, of: store.content(of: c))
    }

    /// Adds rows of a block to the pending ones, and prefetches their floats and ids. This memory has usually not been
    /// read recently, and loading several rows takes no longer than loading one.
    @inline(__always)
    mutating func offer(_ mask: UInt64, block: Int, of view: ListView) {
        let first = block * Kernels.blockRows
        let rows = unsafe view.rows + first * layout.stride
        let ids = unsafe view.ids + first
        unsafe kernels.prefetch(mask, of: rows, stride: layout.stride, ids: ids)
        var rest = mask
        while rest != 0 {
            let r = rest.trailingZeroBitCount
            rest &= rest - 1
            unsafe memory.pending[pending] = PendingRow(row: rows + r * layout.stride, id: ids + r)
            pending += 1
            if pending == ListScanMemory.mostPending { flush() }
        }
    }

    /// Computes the distances of the pending rows and offers those within the radius.
    mutating func flush() {
        counters.survivors += pending
        counters.exactDistances += pending
        guard Target.prefetches else {
            for i in 0..<pending { unsafe offer(memory.pending[i], at: distance(memory.pending[i])) }
            pending = 0
            return
        }
        for i in 0..<pending {
            let distance = unsafe distance(memory.pending[i])
            unsafe memory.distances[i] = distance
            if distance <= collector.radius { collector.prefetch(unsafe memory.pending[i].id.pointee) }
        }
        for i in 0..<pending { unsafe offer(memory.pending[i], at: memory.distances[i]) }
        pending = 0
    }
}

extension ListTraversal {
    @inline(__always)
    private func distance(_ noted: PendingRow) -> Double { unsafe distance(query, noted.row) }

    @inline(__always)
    private func distance(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Double {
        var distance = 0.0
        unsafe kernels.distances(layout.metric, from: a, to: b, stride: layout.stride, count: 1, into: &distance)
        return distance
    }

    /// Offers a row if it is within the radius. Only then is its id read, which is in separate memory.
    @inline(__always)
    private mutating func offer(_ noted: PendingRow, at distance: Double) {
        guard distance <= collector.radius else { return }
        let id = unsafe noted.id.pointee
        guard filter.allows(id) else {
            rejected += 1
            return
        }
        collector.offer(id, at: distance)
        if parameters.pruningFactor < 1, layout.metric == .innerProduct { unsafe note(noted.row) }
    }

    private mutating func note(_ row: UnsafePointer<Float>) {
        let square = unsafe -distance(row, row)
        guard square > longest else { return }
        if longest == 0 { querySquare = unsafe -distance(query, query) }
        longest = square
        least = -(square * querySquare).squareRoot()
    }
}
