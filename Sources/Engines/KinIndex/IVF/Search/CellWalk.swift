import KinCore
import KinLinearAlgebra

/// One query on its way through the cells.
@safe
struct CellWalk<Target: Collector> {
    private let extent: SearchExtent
    private let filter: Filter
    private let slots: [Int]?
    private let store: CellStore
    private let memory: CellScanMemory
    private let query: UnsafePointer<Float>
    /// How far a coordinate of the query in the pruning frame may be from the exact one.
    private let uncertainty: Float
    private let layout: RowLayout
    private let kernels = Kernels.active
    private let reading: CodeReading
    /// What turns a distance of the metric into one between boxes, with a summand that covers rounding.
    private let boxFactor: Double
    private let boxSummand: Double
    /// What boxes do not look at.
    private let disregard: Disregard?
    /// The nearest that any row can be, as far as the boxes say; where relaxation starts from.
    private var nearest = 0.0
    private var probesLeft: Int
    /// Rows noted in `memory.pending`.
    private var pending = 0
    /// The query in the pruning frame: stride floats.
    private let coordinates: UnsafeMutablePointer<Float>
    /// The query on the grid of the cells' boxes, once they were bounded.
    private var cellQuery: BoxQuery?
    var collector: Target
    var counters = SearchCounters()

    /// - Parameters:
    ///   - query: stride floats.
    ///   - coordinates: Memory for as many; that of `memory` when left out.
    init(
        scan: CellScan, query: UnsafePointer<Float>, memory: CellScanMemory, collector: Target,
        coordinates: UnsafeMutablePointer<Float>? = nil, disregard: Disregard? = nil
    ) {
        extent = scan.extent
        filter = scan.filter
        self.disregard = disregard
        slots = scan.slots
        store = scan.store
        layout = scan.layout
        unsafe self.query = query
        self.memory = memory
        self.collector = collector
        probesLeft = scan.extent.probes
        reading = Kernels.active.reading(ofBlocks: layout.metric)
        // For cosine boxes hold unit vectors, whose squared distance is twice the cosine distance; see `QueryBound`.
        boxFactor = (layout.metric == .cosine ? 2 : 1) * store.frame.stretch
        boxSummand = layout.metric == .cosine ? 0x1p-33 : 0
        unsafe self.coordinates = coordinates ?? memory.coordinates
        uncertainty = unsafe store.frame.place(query, into: self.coordinates)
    }

    /// The distance beyond which boxes are passed over.
    @inline(__always)
    private var reach: Double {
        let reach = (collector.reach - (disregard?.squaredLength ?? 0)) * boxFactor + boxSummand
        return extent.relaxation < 1 ? nearest + extent.relaxation * (reach - nearest) : reach
    }

    @inline(__always)
    private func code(for boxes: BoxPlacement, into codes: UnsafeMutablePointer<UInt8>) -> BoxQuery {
        if layout.metric == .innerProduct {
            return unsafe BoxQuery(
                product: coordinates, on: boxes,
                weights: UnsafeMutableRawPointer(codes).assumingMemoryBound(to: Int8.self))
        }
        guard let disregard else {
            return unsafe BoxQuery(squared: coordinates, uncertainty: uncertainty, on: boxes, codes: codes)
        }
        return unsafe BoxQuery(
            squared: coordinates, uncertainty: uncertainty, disregarding: disregard.coordinates, on: boxes, codes: codes
        )
    }
}

// MARK: - Cells

extension CellWalk {
    /// Looks at everything within reach, the nearest cells first.
    mutating func run() {
        visitInOrder(begin())
        flush()
    }

    /// Looks where there is no choice, and through the nearest cell.
    ///
    /// - Returns: How many cells are left that may be within reach; they are `memory.candidates`.
    mutating func begin() -> Int {
        if let slots {
            for slot in slots { offer(slot) }
            return 0
        }
        guard let boxes = store.boxes?.placement else {
            for c in store.cells.indices where probesLeft > 0 || collector.reach == .infinity { visit(c) }
            return 0
        }
        let boxQuery = unsafe code(for: boxes, into: memory.cellCodes)
        cellQuery = boxQuery
        let bounds = unsafe memory.cellBounds
        unsafe boxQuery.bound(boxes, codes: memory.cellCodes, into: bounds)
        let n = store.views.count
        // Outliers have no place among the others: they are neither where a search begins nor what it is measured by.
        for c in store.outliers.lists { unsafe bounds[c] = .max }
        let first = nearestList(boxQuery, boxes)
        guard unsafe bounds[first] < .max else {
            visitOutliers(boxQuery)
            return 0
        }
        nearest = unsafe boxQuery.distance(bounds[first])
        visit(first, isFirst: true)
        if !store.outliers.isEmpty { visitOutliers(boxQuery) }
        guard let limit = boxQuery.limit(distance: reach) else { return 0 }
        unsafe kernels.bounds(bounds, count: (n + 63) & ~63, within: limit, into: memory.within)
        unsafe memory.within[first / 64] &= ~(1 << UInt64(first % 64))
        for c in store.outliers.lists { unsafe memory.within[c / 64] &= ~(1 << UInt64(c % 64)) }
        var count = 0
        for word in 0..<(n + 63) / 64 {
            var cells = unsafe memory.within[word]
            if n < (word + 1) * 64 { cells &= (1 << UInt64(n % 64)) - 1 }
            while cells != 0 {
                let c = word * 64 + cells.trailingZeroBitCount
                cells &= cells - 1
                unsafe memory.candidates[count] = CandidateOrder.key(bounds[c], c)
                count += 1
            }
        }
        return count
    }

    /// Where to begin: the list whose box is nearest; of equally near ones that whose middle is.
    private func nearestList(_ boxQuery: BoxQuery, _ boxes: BoxPlacement) -> Int {
        let bounds = unsafe memory.cellBounds
        let n = store.views.count
        var least = unsafe bounds[0]
        for c in 1..<max(n, 1) { unsafe least = min(least, bounds[c]) }
        var first = -1
        for c in 0..<n where unsafe bounds[c] == least {
            guard first >= 0 else {
                first = c
                continue
            }
            return nearestMiddle(from: first, bound: least, boxQuery, boxes)
        }
        return max(first, 0)
    }

    /// Of the lists from one on whose boxes have a given bound, the one whose middle is nearest.
    private func nearestMiddle(from first: Int, bound: Int32, _ boxQuery: BoxQuery, _ boxes: BoxPlacement) -> Int {
        var nearest = (order: Int.max, list: first)
        for c in first..<store.views.count where unsafe memory.cellBounds[c] == bound {
            let order = unsafe boxQuery.centreOrder(of: c, in: boxes, codes: memory.cellCodes)
            if order < nearest.order { nearest = (order, c) }
        }
        return nearest.list
    }

    /// Visits the lists of outliers that may be within reach; they do not count as probes.
    private mutating func visitOutliers(_ boxQuery: BoxQuery) {
        let stride = layout.stride
        for (i, c) in store.outliers.lists.enumerated() where store.views[c].count > 0 {
            let distance = unsafe store.outliers.corners.withUnsafeBufferPointer { corners in
                let low = unsafe corners.baseAddress! + 2 * i * stride
                return unsafe boxQuery.distance(
                    low: low, high: low + stride, of: coordinates, dimension: layout.dimension,
                    uncertainty: uncertainty, ignoring: disregard?.coordinates ?? [])
            }
            guard distance <= reach else { continue }
            probesLeft += probesLeft < .max ? 1 : 0
            visit(c)
        }
    }

    /// Visits the candidates in ascending order of their bounds while they are within reach.
    mutating func visitInOrder(_ count: Int) {
        guard count > 0 else { return }
        unsafe CandidateOrder.sort(memory.candidates, count: count, into: memory.ordered)
        var ordered = 0
        for i in 0..<count {
            if isProbing, i == ordered { ordered = orderByMiddle(from: i, of: count) }
            if i + 1 < count { prefetch(unsafe CandidateOrder.number(memory.ordered[i + 1])) }
            guard unsafe visit(candidate: memory.ordered[i]) else { return }
        }
    }

    /// Puts candidates of the same bound in the order of their middles.
    ///
    /// - Returns: Where the next bound begins.
    private func orderByMiddle(from first: Int, of count: Int) -> Int {
        let ordered = unsafe memory.ordered
        let bound = unsafe CandidateOrder.bound(ordered[first])
        var end = first + 1
        while unsafe end < count && CandidateOrder.bound(ordered[end]) == bound { end += 1 }
        guard end - first > 1, let boxes = store.boxes?.placement, let boxQuery = cellQuery else { return end }
        for i in first..<end {
            let c = unsafe CandidateOrder.number(ordered[i])
            let order = unsafe boxQuery.centreOrder(of: c, in: boxes, codes: memory.cellCodes)
            unsafe memory.candidates[i] = CandidateOrder.key(Int32(clamping: order), c)
        }
        unsafe CandidateOrder.sort(memory.candidates + first, count: end - first, into: ordered + first)
        for i in first..<end {
            unsafe ordered[i] = CandidateOrder.key(bound, CandidateOrder.number(ordered[i]))
        }
        return end
    }

    /// Visits a cell if it is still within reach, and probes are left or too little was found.
    ///
    /// - Parameter candidate: The cell with its bound, as ``CandidateOrder`` packs them.
    /// - Returns: Whether it was.
    @inline(__always)
    mutating func visit(candidate: UInt64) -> Bool {
        // What was noted of the last probe decides whether there has to be another.
        if probesLeft == 0 { flush() }
        guard probesLeft > 0 || collector.reach == .infinity, let limit = cellQuery?.limit(distance: reach),
            CandidateOrder.bound(candidate) <= limit
        else { return false }
        visit(CandidateOrder.number(candidate))
        return true
    }

    /// Whether the number of cells to be visited is given.
    var isProbing: Bool { extent.probes < .max }

    /// Asks for what a visit to a cell reads first.
    @inline(__always)
    private func prefetch(_ c: Int) { store.views[c].boxes?.prefetch() }

    /// Looks through a cell.
    ///
    /// - Parameter isFirst: Whether nothing is known yet: then the blocks are taken a few at a time, the nearest first.
    private mutating func visit(_ c: Int, isFirst: Bool = false) {
        if probesLeft > 0 { probesLeft -= 1 }
        counters.cellsVisited += 1
        let view = store.views[c]
        guard view.count > 0 else { return }
        var rows = CellRows(view: view, exceptions: view.hasExceptions ? store.cells[c].chunk.coding : nil)
        guard let boxes = view.boxes else {
            for b in 0..<view.blocks { unsafe memory.blocks[b] = UInt32(b) }
            screen(0..<view.blocks, of: &rows)
            return
        }
        let boxQuery = unsafe code(for: boxes, into: memory.blockCodes)
        unsafe boxQuery.bound(boxes, codes: memory.blockCodes, into: memory.blockBounds)
        if isFirst {
            visitNearestFirst(&rows, boxQuery)
        } else if let limit = boxQuery.limit(distance: reach) {
            screen(0..<listBlocks(view.blocks, within: limit), of: &rows)
        }
    }

    /// Lists the blocks whose bounds are within a limit.
    private func listBlocks(_ blocks: Int, within limit: Int32) -> Int {
        var within: UInt64 = 0
        unsafe kernels.bounds(memory.blockBounds, count: Kernels.blockRows, within: limit, into: &within)
        if blocks < Kernels.blockRows { within &= (1 << UInt64(blocks)) - 1 }
        var n = 0
        while within != 0 {
            unsafe memory.blocks[n] = UInt32(truncatingIfNeeded: within.trailingZeroBitCount)
            within &= within - 1
            n += 1
        }
        return n
    }

    /// Screens the nearest block, then the others within reach, which shortens meanwhile.
    private mutating func visitNearestFirst(_ rows: inout CellRows, _ boxQuery: BoxQuery) {
        let bounds = unsafe memory.blockBounds
        var nearest = 0
        for b in 1..<max(rows.view.blocks, 1) where unsafe bounds[b] < bounds[nearest] { nearest = b }
        guard let limit = boxQuery.limit(distance: reach), unsafe bounds[nearest] <= limit else { return }
        unsafe memory.blocks[0] = UInt32(nearest)
        screen(0..<1, of: &rows)
        flush()
        guard let limit = boxQuery.limit(distance: reach) else { return }
        let n = listBlocks(rows.view.blocks, within: limit)
        var next = 0
        while next < n {
            guard let limit = boxQuery.limit(distance: reach) else { return }
            let first = next
            // Those that are out of reach by now are dropped from the list.
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

/// The rows of a cell as a query meets them.
struct CellRows {
    let view: CellView
    /// The coding of the chunk when it lists exceptions.
    let exceptions: RowCoding?
    /// The query on the grid of the rows, once a block has needed it.
    var bound: QueryBound?
    /// Rows that were offered before their block was screened.
    var seeded: (block: Int, rows: UInt64) = (-1, 0)
}

// MARK: - Blocks

extension CellWalk {
    /// Offers the rows of the listed blocks that may be neighbours.
    private mutating func screen(_ list: Range<Int>, of rows: inout CellRows) {
        guard !list.isEmpty else { return }
        counters.blocksScreened += list.count
        let blocks = unsafe memory.blocks + list.lowerBound
        let passed = unsafe memory.passed
        if collector.reach == .infinity, layout.metric != .innerProduct, let grid = rows.view.grid {
            seed(unsafe Int(blocks[0]), of: &rows, grid: grid)
        }
        // With no reach every row would pass.
        if collector.reach < .infinity, let grid = rows.view.grid {
            let limit = limit(for: &rows, grid: grid)
            unsafe kernels.passing(
                blocks: blocks, count: list.count, codes: rows.view.codes, groups: layout.groups,
                weights: memory.weights, limit: limit, metric: layout.metric, into: passed)
        } else {
            unsafe passed.update(repeating: .max, count: list.count)
        }
        for i in 0..<list.count {
            let block = unsafe Int(blocks[i])
            if let exceptions = rows.exceptions {
                unsafe passed[i] |= exceptions.exceptions(inBlock: block)
            }
            if block == rows.seeded.block { unsafe passed[i] &= ~rows.seeded.rows }
            offer(unsafe passed[i] & rows.view.occupied(block), block: block, of: rows.view)
        }
    }

    /// Offers as many rows of a block as the result holds, those whose codes are nearest: then there is a reach by which the
    /// block's other rows can be screened.
    private mutating func seed(_ block: Int, of rows: inout CellRows, grid: CodeGridPlacement) {
        let k = collector.capacity
        guard k <= CellScanMemory.mostSeeds, rows.view.occupied(block).nonzeroBitCount > 2 * k else { return }
        _ = limit(for: &rows, grid: grid)
        let bounds = unsafe memory.seedBounds
        unsafe kernels.codeDistances(
            block: block, codes: rows.view.codes, groups: layout.groups, weights: memory.weights,
            centre: memory.centre, into: bounds)
        // The k smallest, by insertion.
        var kept = 0
        for r in 0..<rows.view.occupied(block).nonzeroBitCount {
            let key = unsafe CandidateOrder.key(bounds[r], r)
            guard unsafe kept < k || key < memory.seedKeys[kept - 1] else { continue }
            var place = kept < k ? kept : k - 1
            while unsafe place > 0 && memory.seedKeys[place - 1] > key {
                unsafe memory.seedKeys[place] = memory.seedKeys[place - 1]
                place -= 1
            }
            unsafe memory.seedKeys[place] = key
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
    private func limit(for rows: inout CellRows, grid: CodeGridPlacement) -> Int32 {
        guard let bound = rows.bound else {
            let bound = unsafe QueryBound(
                coding: query, dimension: layout.dimension, metric: layout.metric, grid: grid, reading: reading,
                weights: memory.weights)
            rows.bound = bound
            return bound.limit(distance: collector.reach, errors: rows.view.errors)
        }
        return bound.limit(distance: collector.reach, errors: rows.view.errors)
    }

    /// Computes the distance of one row and offers it.
    private mutating func offer(_ slot: Int) {
        let (c, r) = store.place(slot)
        offer(1 << UInt64(r % Kernels.blockRows), block: r / Kernels.blockRows, of: store.views[c])
    }

    /// Notes some rows of a block to be compared, and asks for their floats: these lie in memory that no search has read for
    /// long, and several take no longer to come than one.
    @inline(__always)
    private mutating func offer(_ mask: UInt64, block: Int, of view: CellView) {
        var mask = mask
        while mask != 0 {
            let r = block * Kernels.blockRows + mask.trailingZeroBitCount
            mask &= mask - 1
            let row = unsafe view.rows + r * layout.stride
            unsafe kernels.prefetch(row, bytes: min(layout.stride * 4, 256))
            unsafe memory.pending[pending] = PendingRow(row: row, id: view.ids + r)
            pending += 1
            if pending == CellScanMemory.mostPending { flush() }
        }
    }

    /// Computes the distances of the rows that were noted and offers those within reach.
    mutating func flush() {
        counters.survivors += pending
        counters.exactDistances += pending
        guard Target.foresees else {
            for i in 0..<pending { unsafe offer(memory.pending[i], at: distance(memory.pending[i])) }
            pending = 0
            return
        }
        for i in 0..<pending {
            let distance = unsafe distance(memory.pending[i])
            unsafe memory.distances[i] = distance
            if distance <= collector.reach { collector.foresee(unsafe memory.pending[i].id.pointee) }
        }
        for i in 0..<pending { unsafe offer(memory.pending[i], at: memory.distances[i]) }
        pending = 0
    }
}

extension CellWalk {
    @inline(__always)
    private func distance(_ noted: PendingRow) -> Double {
        var distance = 0.0
        unsafe kernels.distances(
            layout.metric, from: query, to: noted.row, stride: layout.stride, count: 1, into: &distance)
        return distance
    }

    /// The id is read only if need be: it lies in memory of its own.
    @inline(__always)
    private mutating func offer(_ noted: PendingRow, at distance: Double) {
        guard distance <= collector.reach else { return }
        let id = unsafe noted.id.pointee
        if filter.allows(id) { collector.offer(id, at: distance) }
    }
}

/// Sorts cells or blocks by their bounds.
enum CandidateOrder {
    /// A bound, its sign bit turned over for the order of unsigned numbers, above a number.
    @inline(__always)
    static func key(_ bound: Int32, _ number: Int) -> UInt64 {
        UInt64(UInt32(bitPattern: bound ^ .min)) << 32 | UInt64(number)
    }

    @inline(__always)
    static func number(_ key: UInt64) -> Int { Int(key & 0xFFFF_FFFF) }

    @inline(__always)
    static func bound(_ key: UInt64) -> Int32 { Int32(bitPattern: UInt32(key >> 32)) ^ .min }

    /// - Parameters:
    ///   - candidates: Keys to be sorted ascending.
    ///   - ordered: Receives them.
    static func sort(_ candidates: UnsafeMutablePointer<UInt64>, count: Int, into ordered: UnsafeMutablePointer<UInt64>)
    {
        guard count > 32 else {
            unsafe insertionSort(candidates, count: count, into: ordered)
            return
        }
        var keys = unsafe UnsafeMutableBufferPointer(start: ordered, count: count)
        unsafe keys.baseAddress!.update(from: candidates, count: count)
        unsafe keys.sort()
    }

    private static func insertionSort(
        _ candidates: UnsafeMutablePointer<UInt64>, count: Int, into ordered: UnsafeMutablePointer<UInt64>
    ) {
        for i in 0..<count {
            let key = unsafe candidates[i]
            var place = i
            while unsafe place > 0 && ordered[place - 1] > key {
                unsafe ordered[place] = ordered[place - 1]
                place -= 1
            }
            unsafe ordered[place] = key
        }
    }
}
