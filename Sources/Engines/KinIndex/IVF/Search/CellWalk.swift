import KinCore
import KinLinearAlgebra

/// One query on its way through the cells.
@safe
struct CellWalk<Target: Collector> {
    private let extent: SearchExtent
    private let filter: Filter
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
    /// The nearest that any row can be, as far as the boxes say; where relaxation starts from.
    private var nearest = 0.0
    private var probesLeft: Int
    var collector: Target
    var counters = SearchCounters()

    init(scan: CellScan, query: UnsafePointer<Float>, memory: CellScanMemory, collector: Target) {
        extent = scan.extent
        filter = scan.filter
        store = scan.store
        layout = scan.layout
        unsafe self.query = query
        self.memory = memory
        self.collector = collector
        probesLeft = scan.extent.probes
        reading = Kernels.active.reading(queries: 1, metric: layout.metric)
        // For cosine boxes hold unit vectors, whose squared distance is twice the cosine distance; see `QueryBound`.
        boxFactor = (layout.metric == .cosine ? 2 : 1) * store.frame.stretch
        boxSummand = layout.metric == .cosine ? 0x1p-33 : 0
        uncertainty = unsafe store.frame.place(query, into: memory.coordinates)
    }

    /// The distance beyond which boxes are passed over.
    @inline(__always)
    private var reach: Double {
        let reach = collector.reach * boxFactor + boxSummand
        return extent.relaxation < 1 ? nearest + extent.relaxation * (reach - nearest) : reach
    }

    @inline(__always)
    private func code(for boxes: BoxPlacement, into codes: UnsafeMutablePointer<UInt8>) -> BoxQuery {
        if layout.metric == .innerProduct {
            return unsafe BoxQuery(
                product: memory.coordinates, on: boxes,
                weights: UnsafeMutableRawPointer(codes).assumingMemoryBound(to: Int8.self))
        }
        return unsafe BoxQuery(squared: memory.coordinates, uncertainty: uncertainty, on: boxes, codes: codes)
    }
}

// MARK: - Cells

extension CellWalk {
    mutating func run() {
        guard let boxes = store.boxes?.placement else {
            for c in store.cells.indices where probesLeft > 0 { visit(c) }
            return
        }
        let boxQuery = unsafe code(for: boxes, into: memory.cellCodes)
        let bounds = unsafe memory.cellBounds
        unsafe boxQuery.bound(boxes, codes: memory.cellCodes, into: bounds)
        let n = store.views.count
        var first = 0
        for c in 1..<max(n, 1) where unsafe bounds[c] < bounds[first] { first = c }
        nearest = unsafe boxQuery.distance(bounds[first])
        visit(first)
        guard let limit = boxQuery.limit(distance: reach) else { return }
        var count = 0
        for c in 0..<n {
            let bound = unsafe bounds[c]
            // In unsigned order with the sign bit turned over.
            unsafe memory.candidates[count] = UInt64(UInt32(bitPattern: bound ^ .min)) << 32 | UInt64(c)
            count += bound <= limit && c != first ? 1 : 0
        }
        visitInOrder(count, limit: limit, boxQuery)
    }

    /// Visits the candidates in ascending order of their bounds while they are within reach.
    private mutating func visitInOrder(_ count: Int, limit: Int32, _ boxQuery: BoxQuery) {
        unsafe CandidateOrder.sort(memory.candidates, count: count, into: memory.ordered)
        var limit = limit
        for i in 0..<count {
            let candidate = unsafe memory.ordered[i]
            let bound = Int32(bitPattern: UInt32(candidate >> 32)) ^ .min
            guard bound <= limit, probesLeft > 0 else { return }
            let before = collector.reach
            visit(Int(candidate & 0xFFFF_FFFF))
            if collector.reach < before {
                guard let shorter = boxQuery.limit(distance: reach) else { return }
                limit = shorter
            }
        }
    }

    /// Looks through a cell.
    private mutating func visit(_ c: Int) {
        probesLeft -= 1
        counters.cellsVisited += 1
        let view = store.views[c]
        guard view.count > 0 else { return }
        var rows = CellRows(view: view, exceptions: view.hasExceptions ? store.cells[c].chunk.coding : nil)
        guard let boxes = view.boxes else {
            for b in 0..<view.blocks { screen(b, of: &rows) }
            return
        }
        let boxQuery = unsafe code(for: boxes, into: memory.blockCodes)
        let bounds = unsafe memory.blockBounds
        unsafe boxQuery.bound(boxes, codes: memory.blockCodes, into: bounds)
        var nearest = 0
        for b in 1..<view.blocks where unsafe bounds[b] < bounds[nearest] { nearest = b }
        guard var limit = boxQuery.limit(distance: reach), unsafe bounds[nearest] <= limit else { return }
        screen(nearest, of: &rows)
        var reached = collector.reach
        limit = boxQuery.limit(distance: reach) ?? .min
        for b in 0..<view.blocks where unsafe b != nearest && bounds[b] <= limit {
            screen(b, of: &rows)
            if collector.reach < reached {
                reached = collector.reach
                limit = boxQuery.limit(distance: reach) ?? .min
            }
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
    /// The reach for which `limit` was computed.
    var reach = Double.nan
    var limit: Int32 = 0
}

// MARK: - Blocks

extension CellWalk {
    /// Offers the rows of a block that may be neighbours.
    private mutating func screen(_ block: Int, of rows: inout CellRows) {
        counters.blocksScreened += 1
        var passed = rows.view.occupied(block)
        // With no reach yet every row would pass.
        if collector.reach < .infinity, let grid = rows.view.grid {
            prepare(&rows, grid: grid)
            passed &= unsafe kernels.passing(
                block: block, codes: rows.view.codes, groups: layout.groups, weights: memory.weights, limit: rows.limit,
                metric: layout.metric, reading: reading)
                | (rows.exceptions?.exceptions(inBlock: block) ?? 0)
        }
        guard passed != 0 else { return }
        offer(passed, block: block, of: rows.view)
    }

    /// Brings the limit for the rows' codes up to date.
    @inline(__always)
    private func prepare(_ rows: inout CellRows, grid: CodeGridPlacement) {
        if rows.bound == nil {
            rows.bound = unsafe QueryBound(
                coding: query, dimension: layout.dimension, metric: layout.metric, grid: grid, reading: reading,
                weights: memory.weights)
        }
        guard rows.reach != collector.reach, let bound = rows.bound else { return }
        rows.reach = collector.reach
        rows.limit = bound.limit(distance: rows.reach, errors: rows.view.errors)
    }

    /// Computes the distances of some rows of a block and offers those within reach.
    @inline(__always)
    private mutating func offer(_ mask: UInt64, block: Int, of view: CellView) {
        var mask = mask
        var n = 0
        while mask != 0 {
            unsafe memory.picks[n] = UInt32(truncatingIfNeeded: block * Kernels.blockRows + mask.trailingZeroBitCount)
            mask &= mask - 1
            n += 1
        }
        counters.survivors += n
        counters.exactDistances += n
        unsafe kernels.distances(
            layout.metric, from: query, to: view.rows, stride: layout.stride, picks: memory.picks, count: n,
            into: memory.distances)
        for i in 0..<n {
            let distance = unsafe memory.distances[i]
            guard distance <= collector.reach else { continue }
            let id = unsafe view.ids[Int(memory.picks[i])]
            if filter.allows(id) { collector.offer(id, at: distance) }
        }
    }
}

/// Sorts cells by their bounds.
enum CandidateOrder {
    /// - Parameters:
    ///   - candidates: Keys to be sorted ascending.
    ///   - ordered: Receives them.
    static func sort(_ candidates: UnsafeMutablePointer<UInt64>, count: Int, into ordered: UnsafeMutablePointer<UInt64>) {
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
