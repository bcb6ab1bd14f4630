import KinCore
import KinLinearAlgebra

/// The search of one query through the lists, and the rows it still has to compare.
@safe
struct ListTraversal<Target: Collector> {
    private let parameters: SearchParameters
    private let filter: SearchFilter
    private let slots: [Int]?
    private let store: ListStore
    private let memory: ListScanMemory
    private let query: UnsafePointer<Float>
    /// The largest error of a coordinate of the query in the pruning frame.
    private let uncertainty: Float
    private let layout: RowLayout
    private let kernels = Kernels.active
    private let precision: CodePrecision
    /// The factor and the summand (for rounding) that turn a distance of the metric into one between boxes.
    private let boxFactor: Double
    private let boxSummand: Double
    /// Dimensions excluded from the box bound.
    private let ignored: IgnoredDimensions?
    /// The box bound of the nearest list, from which pruning is measured.
    private var nearest = 0.0
    private var probesLeft: Int
    /// The number of rows in `memory.pending`.
    private var pending = 0
    /// The query in the pruning frame: stride floats.
    private let coordinates: UnsafeMutablePointer<Float>
    /// The query on the grid of the lists' boxes, once they were bounded.
    private var listQuery: BoxQuery?
    var collector: Target
    var counters = SearchCounters()

    /// Creates the search of one query.
    ///
    /// - Parameters:
    ///   - query: stride floats.
    ///   - coordinates: Memory for as many; that of `memory` when left out.
    init(
        scan: ListScan, query: UnsafePointer<Float>, memory: ListScanMemory, collector: Target,
        coordinates: UnsafeMutablePointer<Float>? = nil, ignored: IgnoredDimensions? = nil
    ) {
        parameters = scan.parameters
        filter = scan.filter
        self.ignored = ignored
        slots = scan.slots
        store = scan.store
        layout = scan.layout
        unsafe self.query = query
        self.memory = memory
        self.collector = collector
        probesLeft = scan.parameters.probes
        precision = Kernels.active.precision(ofBlocks: layout.metric)
        // For cosine boxes hold unit vectors, whose squared distance is twice the cosine distance; see `QueryBound`.
        boxFactor = (layout.metric == .cosine ? 2 : 1) * store.frame.stretch
        boxSummand = layout.metric == .cosine ? 0x1p-33 : 0
        unsafe self.coordinates = coordinates ?? memory.coordinates
        uncertainty = unsafe store.frame.project(query, into: self.coordinates)
    }

    /// The distance beyond which boxes are skipped.
    @inline(__always)
    private var radius: Double {
        let radius = (collector.radius - (ignored?.squaredDistance ?? 0)) * boxFactor + boxSummand
        return parameters.pruningFactor < 1 ? nearest + parameters.pruningFactor * (radius - nearest) : radius
    }

    @inline(__always)
    private func code(for boxes: BoxTableView, into codes: UnsafeMutablePointer<UInt8>) -> BoxQuery {
        if layout.metric == .innerProduct {
            return unsafe BoxQuery(
                product: coordinates, on: boxes,
                weights: UnsafeMutableRawPointer(codes).assumingMemoryBound(to: Int8.self))
        }
        guard let ignored else {
            return unsafe BoxQuery(squared: coordinates, uncertainty: uncertainty, on: boxes, codes: codes)
        }
        return unsafe BoxQuery(
            squared: coordinates, uncertainty: uncertainty, ignoring: ignored.dimensions, on: boxes, codes: codes
        )
    }
}

// MARK: - Lists

extension ListTraversal {
    /// Searches all lists within the radius, the nearest first.
    mutating func run() {
        visitInOrder(begin())
        flush()
    }

    /// Visits the given slots if any, else the nearest list and those of outliers.
    ///
    /// - Returns: The number of lists left that may be within the radius; they are `memory.candidates`.
    mutating func begin() -> Int {
        if let slots {
            for slot in slots { offer(slot) }
            return 0
        }
        guard let boxes = store.boxes?.view else {
            for c in store.lists.indices where probesLeft > 0 || collector.radius == .infinity { visit(c) }
            return 0
        }
        let boxQuery = unsafe code(for: boxes, into: memory.listCodes)
        listQuery = boxQuery
        let bounds = unsafe memory.listBounds
        unsafe boxQuery.bound(boxes, codes: memory.listCodes, into: bounds)
        let n = store.views.count
        // Outliers are not ordered with the others: they are neither where a search begins nor what it is measured by.
        for c in store.outliers.lists { unsafe bounds[c] = .max }
        let first = nearestList(boxQuery, boxes)
        guard unsafe bounds[first] < .max else {
            visitOutliers(boxQuery)
            return 0
        }
        nearest = unsafe boxQuery.distance(bounds[first])
        visit(first, isFirst: true)
        if !store.outliers.isEmpty { visitOutliers(boxQuery) }
        guard let limit = boxQuery.limit(distance: radius) else { return 0 }
        unsafe kernels.bounds(bounds, count: (n + 63) & ~63, within: limit, into: memory.within)
        unsafe memory.within[first / 64] &= ~(1 << UInt64(first % 64))
        for c in store.outliers.lists { unsafe memory.within[c / 64] &= ~(1 << UInt64(c % 64)) }
        var count = 0
        for word in 0..<(n + 63) / 64 {
            var lists = unsafe memory.within[word]
            if n < (word + 1) * 64 { lists &= (1 << UInt64(n % 64)) - 1 }
            while lists != 0 {
                let c = word * 64 + lists.trailingZeroBitCount
                lists &= lists - 1
                unsafe memory.candidates[count] = ProbeOrder.key(bounds[c], c)
                count += 1
            }
        }
        return count
    }

    /// The list whose box is nearest; of equally near ones the one whose middle is.
    private func nearestList(_ boxQuery: BoxQuery, _ boxes: BoxTableView) -> Int {
        let bounds = unsafe memory.listBounds
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
    private func nearestMiddle(from first: Int, bound: Int32, _ boxQuery: BoxQuery, _ boxes: BoxTableView) -> Int {
        var nearest = (order: Int.max, list: first)
        for c in first..<store.views.count where unsafe memory.listBounds[c] == bound {
            let order = unsafe boxQuery.centreOrder(of: c, in: boxes, codes: memory.listCodes)
            if order < nearest.order { nearest = (order, c) }
        }
        return nearest.list
    }

    /// Visits the lists of outliers that may be within the radius; they do not count as probes.
    private mutating func visitOutliers(_ boxQuery: BoxQuery) {
        let stride = layout.stride
        for (i, c) in store.outliers.lists.enumerated() where store.views[c].count > 0 {
            let distance = unsafe store.outliers.corners.withUnsafeBufferPointer { corners in
                let low = unsafe corners.baseAddress! + 2 * i * stride
                return unsafe boxQuery.distance(
                    low: low, high: low + stride, of: coordinates, dimension: layout.dimension,
                    uncertainty: uncertainty, ignoring: ignored?.dimensions ?? [])
            }
            guard distance <= radius else { continue }
            probesLeft += probesLeft < .max ? 1 : 0
            visit(c)
        }
    }

    /// Visits the candidates in ascending order of their bounds while they are within the radius.
    mutating func visitInOrder(_ count: Int) {
        guard count > 0 else { return }
        unsafe ProbeOrder.sort(memory.candidates, count: count, into: memory.ordered)
        var ordered = 0
        for i in 0..<count {
            if isProbing, i == ordered { ordered = orderByMiddle(from: i, of: count) }
            if i + 1 < count { prefetch(unsafe ProbeOrder.number(memory.ordered[i + 1])) }
            guard unsafe visit(candidate: memory.ordered[i]) else { return }
        }
    }

    /// Puts candidates of the same bound in the order of their middles.
    ///
    /// - Returns: Where the next bound begins.
    private func orderByMiddle(from first: Int, of count: Int) -> Int {
        let ordered = unsafe memory.ordered
        let bound = unsafe ProbeOrder.bound(ordered[first])
        var end = first + 1
        while unsafe end < count && ProbeOrder.bound(ordered[end]) == bound { end += 1 }
        guard end - first > 1, let boxes = store.boxes?.view, let boxQuery = listQuery else { return end }
        for i in first..<end {
            let c = unsafe ProbeOrder.number(ordered[i])
            let order = unsafe boxQuery.centreOrder(of: c, in: boxes, codes: memory.listCodes)
            unsafe memory.candidates[i] = ProbeOrder.key(Int32(clamping: order), c)
        }
        unsafe ProbeOrder.sort(memory.candidates + first, count: end - first, into: ordered + first)
        for i in first..<end {
            unsafe ordered[i] = ProbeOrder.key(bound, ProbeOrder.number(ordered[i]))
        }
        return end
    }

    /// Visits a list if it is still within the radius, and probes are left or too little was found.
    ///
    /// - Parameter candidate: The list with its bound, as ``ProbeOrder`` packs them.
    /// - Returns: Whether it was.
    @inline(__always)
    mutating func visit(candidate: UInt64) -> Bool {
        // What was noted of the last probe decides whether there has to be another.
        if probesLeft == 0 { flush() }
        guard probesLeft > 0 || collector.radius == .infinity, let limit = listQuery?.limit(distance: radius),
            ProbeOrder.bound(candidate) <= limit
        else { return false }
        visit(ProbeOrder.number(candidate))
        return true
    }

    /// Whether the number of lists to be visited is given.
    var isProbing: Bool { parameters.probes < .max }

    /// Prefetches the codes of a list's boxes.
    @inline(__always)
    private func prefetch(_ c: Int) { store.views[c].boxes?.prefetch() }

    /// Screens the blocks of a list within the radius.
    ///
    /// - Parameter isFirst: Whether no row was compared yet: then the blocks are screened a few at a time, the nearest first.
    private mutating func visit(_ c: Int, isFirst: Bool = false) {
        if probesLeft > 0 { probesLeft -= 1 }
        counters.listsVisited += 1
        let view = store.views[c]
        guard view.count > 0 else { return }
        var rows = ListRows(view: view, outliers: view.hasOutliers ? store.lists[c].chunk.coding : nil)
        guard let boxes = view.boxes else {
            for b in 0..<view.blocks { unsafe memory.blocks[b] = UInt32(b) }
            screen(0..<view.blocks, of: &rows)
            return
        }
        let boxQuery = unsafe code(for: boxes, into: memory.blockCodes)
        unsafe boxQuery.bound(boxes, codes: memory.blockCodes, into: memory.blockBounds)
        if isFirst {
            visitNearestFirst(&rows, boxQuery)
        } else if let limit = boxQuery.limit(distance: radius) {
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

    /// Screens the nearest block, then the others within the radius, which shortens meanwhile.
    private mutating func visitNearestFirst(_ rows: inout ListRows, _ boxQuery: BoxQuery) {
        let bounds = unsafe memory.blockBounds
        var nearest = 0
        for b in 1..<max(rows.view.blocks, 1) where unsafe bounds[b] < bounds[nearest] { nearest = b }
        guard let limit = boxQuery.limit(distance: radius), unsafe bounds[nearest] <= limit else { return }
        unsafe memory.blocks[0] = UInt32(nearest)
        screen(0..<1, of: &rows)
        flush()
        guard let limit = boxQuery.limit(distance: radius) else { return }
        let n = listBlocks(rows.view.blocks, within: limit)
        var next = 0
        while next < n {
            guard let limit = boxQuery.limit(distance: radius) else { return }
            let first = next
            // Those that are outside the radius by now are dropped from the list.
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

/// The rows of one list, with the query coded for their grid.
struct ListRows {
    let view: ListView
    /// The coding of the chunk when it has outliers.
    let outliers: RowCoding?
    /// The query on the grid of the rows, once a block has needed it.
    var bound: QueryBound?
    /// Rows that were offered before their block was screened.
    var seeded: (block: Int, rows: UInt64) = (-1, 0)
}

// MARK: - Blocks

extension ListTraversal {
    /// Offers the rows of the listed blocks that may be neighbours.
    private mutating func screen(_ list: Range<Int>, of rows: inout ListRows) {
        guard !list.isEmpty else { return }
        counters.blocksScreened += list.count
        let blocks = unsafe memory.blocks + list.lowerBound
        let passed = unsafe memory.passed
        if collector.radius == .infinity, layout.metric != .innerProduct, let grid = rows.view.grid {
            seed(unsafe Int(blocks[0]), of: &rows, grid: grid)
        }
        // With no radius every row would pass.
        if collector.radius < .infinity, let grid = rows.view.grid {
            let limit = limit(for: &rows, grid: grid)
            unsafe kernels.passing(
                blocks: blocks, count: list.count, codes: rows.view.codes, groups: layout.groups,
                weights: memory.weights, limit: limit, metric: layout.metric, into: passed)
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

    /// Offers as many rows of a block as the result holds, those whose codes are nearest: then there is a radius by which the
    /// block's other rows can be screened.
    private mutating func seed(_ block: Int, of rows: inout ListRows, grid: CodeGridView) {
        let k = collector.capacity
        guard k <= ListScanMemory.mostSeeds, rows.view.occupied(block).nonzeroBitCount > 2 * k else { return }
        _ = limit(for: &rows, grid: grid)
        let bounds = unsafe memory.seedBounds
        unsafe kernels.codeDistances(
            block: block, codes: rows.view.codes, groups: layout.groups, weights: memory.weights,
            centre: memory.centre, into: bounds)
        // The k smallest, by insertion.
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
    private func limit(for rows: inout ListRows, grid: CodeGridView) -> Int32 {
        guard let bound = rows.bound else {
            let bound = unsafe QueryBound(
                coding: query, dimension: layout.dimension, metric: layout.metric, grid: grid, precision: precision,
                weights: memory.weights)
            rows.bound = bound
            return bound.limit(distance: collector.radius, errors: rows.view.errors)
        }
        return bound.limit(distance: collector.radius, errors: rows.view.errors)
    }

    /// Computes the distance of one row and offers it.
    private mutating func offer(_ slot: Int) {
        let (c, r) = store.location(of: slot)
        offer(1 << UInt64(r % Kernels.blockRows), block: r / Kernels.blockRows, of: store.views[c])
    }

    /// Adds some rows of a block to those pending, and prefetches their floats: these lie in memory that no search has read for long,
    /// and several take no longer to load than one.
    @inline(__always)
    private mutating func offer(_ mask: UInt64, block: Int, of view: ListView) {
        var mask = mask
        while mask != 0 {
            let r = block * Kernels.blockRows + mask.trailingZeroBitCount
            mask &= mask - 1
            let row = unsafe view.rows + r * layout.stride
            unsafe kernels.prefetch(row, bytes: min(layout.stride * 4, 256))
            unsafe memory.pending[pending] = PendingRow(row: row, id: view.ids + r)
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
    private func distance(_ noted: PendingRow) -> Double {
        var distance = 0.0
        unsafe kernels.distances(
            layout.metric, from: query, to: noted.row, stride: layout.stride, count: 1, into: &distance)
        return distance
    }

    /// Offers a row; its id, in memory of its own, is read only within the radius.
    @inline(__always)
    private mutating func offer(_ noted: PendingRow, at distance: Double) {
        guard distance <= collector.radius else { return }
        let id = unsafe noted.id.pointee
        if filter.allows(id) { collector.offer(id, at: distance) }
    }
}

/// The order in which lists or blocks are probed: ascending bounds.
enum ProbeOrder {
    /// A bound, its sign bit turned over for the order of unsigned numbers, above a number.
    @inline(__always)
    static func key(_ bound: Int32, _ number: Int) -> UInt64 {
        UInt64(UInt32(bitPattern: bound ^ .min)) << 32 | UInt64(number)
    }

    @inline(__always)
    static func number(_ key: UInt64) -> Int { Int(key & 0xFFFF_FFFF) }

    @inline(__always)
    static func bound(_ key: UInt64) -> Int32 { Int32(bitPattern: UInt32(key >> 32)) ^ .min }

    /// Sorts keys in ascending order.
    ///
    /// - Parameters:
    ///   - candidates: The keys.
    ///   - ordered: Receives the sorted keys.
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
            var position = i
            while unsafe position > 0 && ordered[position - 1] > key {
                unsafe ordered[position] = ordered[position - 1]
                position -= 1
            }
            unsafe ordered[position] = key
        }
    }
}
