import KinCore
import KinLinearAlgebra

/// One query on its way through the cells.
@safe
struct CellWalk<Target: Collector> {
    private let scan: CellScan
    private let memory: CellScanMemory
    private let query: UnsafePointer<Float>
    private let uncertainty: Float
    private let scratch: ScanTile<Target>.Scratch
    var tile: ScanTile<Target>
    /// The nearest that any row can be, as far as the boxes say; where relaxation starts from.
    private var nearest = 0.0
    private var probesLeft: Int

    init(scan: CellScan, tile: ScanTile<Target>, query: UnsafePointer<Float>, memory: CellScanMemory) {
        self.scan = scan
        self.tile = tile
        unsafe self.query = query
        self.memory = memory
        scratch = unsafe .init(hits: memory.scratch.hits, distances: memory.scratch.distances)
        probesLeft = scan.extent.probes
        uncertainty = unsafe scan.store.frame.place(query, into: memory.coordinates)
    }

    private var metric: Metric { scan.layout.metric }

    /// The distance beyond which boxes are passed over.
    @inline(__always)
    private var reach: Double {
        let reach = unsafe tile.collectors[0].reach
        guard scan.extent.relaxation < 1 else { return boxDistance(reach) }
        return nearest + scan.extent.relaxation * (boxDistance(reach) - nearest)
    }

    /// A distance of the metric in the units of the boxes: for cosine the squared distance of unit vectors, which is twice as
    /// large; what is added covers rounding as in `QueryBound`.
    @inline(__always)
    private func boxDistance(_ distance: Double) -> Double {
        (metric == .cosine ? 2 * distance + 0x1p-34 : distance) * scan.store.frame.stretch
    }

    private func code(for table: BoxTable, into codes: UnsafeMutablePointer<UInt8>) -> BoxQuery {
        if metric == .innerProduct {
            return unsafe BoxQuery(
                product: memory.coordinates, grid: table.grid, dimension: table.dimension,
                weights: UnsafeMutableRawPointer(codes).assumingMemoryBound(to: Int8.self))
        }
        return unsafe BoxQuery(
            squared: memory.coordinates, uncertainty: uncertainty, grid: table.grid, dimension: table.dimension,
            codes: codes)
    }
}

// MARK: - Cells

extension CellWalk {
    mutating func run() {
        guard let table = scan.store.boxes else {
            for c in scan.store.cells.indices where probesLeft > 0 { visit(c) }
            return
        }
        let boxQuery = unsafe code(for: table, into: memory.cellCodes)
        let bounds = unsafe memory.cellBounds
        unsafe boxQuery.bound(table, codes: memory.cellCodes, into: bounds)
        let n = scan.store.cells.count
        var first = 0
        for c in 1..<max(n, 1) where unsafe bounds[c] < bounds[first] { first = c }
        nearest = unsafe boxQuery.distance(bounds[first])
        visit(first)
        guard let limit = boxQuery.limit(distance: reach) else { return }
        var count = 0
        for c in 0..<n {
            let bound = unsafe bounds[c]
            unsafe memory.candidates[count] = UInt64(UInt32(bitPattern: bound ^ .min)) << 32 | UInt64(c)
            count += bound <= limit && c != first ? 1 : 0
        }
        visitInOrder(count, from: unsafe bounds[first], limit: limit, boxQuery)
    }

    /// Visits the candidates in ascending order of their bounds while they are within reach.
    private mutating func visitInOrder(_ count: Int, from least: Int32, limit: Int32, _ boxQuery: BoxQuery) {
        unsafe CandidateOrder.sort(memory.candidates, count: count, into: memory.ordered)
        var limit = limit
        for i in 0..<count {
            let candidate = unsafe memory.ordered[i]
            let bound = Int32(bitPattern: UInt32(candidate >> 32)) ^ .min
            guard bound <= limit, probesLeft > 0 else { return }
            let before = unsafe tile.collectors[0].reach
            visit(Int(candidate & 0xFFFF_FFFF))
            if unsafe tile.collectors[0].reach < before {
                guard let shorter = boxQuery.limit(distance: reach) else { return }
                limit = shorter
            }
        }
    }

    /// Looks through a cell.
    private mutating func visit(_ c: Int) {
        probesLeft -= 1
        tile.counters.cellsVisited += 1
        let cell = scan.store.cells[c]
        guard cell.count > 0 else { return }
        guard let boxes = cell.boxes else {
            tile.scan(
                cell.chunk, blocks: 0..<cell.chunk.blocks, exceptions: true, where: scan.filter, scratch: scratch)
            return
        }
        let boxQuery = unsafe code(for: boxes, into: memory.blockCodes)
        let bounds = unsafe memory.blockBounds
        unsafe boxQuery.bound(boxes, codes: memory.blockCodes, into: bounds)
        unsafe visitBlocks(of: cell.chunk, bounds: bounds, boxQuery)
    }

    /// Screens the blocks within reach, the nearest first.
    private mutating func visitBlocks(of chunk: Chunk, bounds: UnsafeMutablePointer<Int32>, _ boxQuery: BoxQuery) {
        var nearest = 0
        for b in 1..<chunk.blocks where unsafe bounds[b] < bounds[nearest] { nearest = b }
        guard var limit = boxQuery.limit(distance: reach), unsafe bounds[nearest] <= limit else { return }
        tile.scan(
            chunk, blocks: nearest..<nearest + 1, exceptions: true, where: scan.filter, scratch: scratch)
        var reached = unsafe tile.collectors[0].reach
        limit = boxQuery.limit(distance: reach) ?? .min
        for b in 0..<chunk.blocks where unsafe b != nearest && bounds[b] <= limit {
            tile.scan(chunk, blocks: b..<b + 1, exceptions: false, where: scan.filter, scratch: scratch)
            let now = unsafe tile.collectors[0].reach
            if now < reached {
                reached = now
                limit = boxQuery.limit(distance: reach) ?? .min
            }
        }
    }
}

/// Sorts cells by their bounds, nearly: in 64 classes of equal width, which is all that a good order needs.
enum CandidateOrder {
    /// - Parameters:
    ///   - candidates: Keys whose upper halves are what counts.
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
