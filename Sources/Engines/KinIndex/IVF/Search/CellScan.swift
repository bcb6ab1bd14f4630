import KinCore
import KinLinearAlgebra

/// A search for one query through the cells of a store, nearest boxes first.
///
/// A cell is visited while its box is within reach: not farther from the query than the k-th nearest row found so far. In a
/// cell the same is asked of each block's box, and the blocks within reach are screened. What is passed over
/// cannot hold a neighbour, whatever the order, so the order only decides how soon the reach gets short.
struct CellScan {
    let store: CellStore
    let filter: Filter
    var extent: SearchExtent

    var layout: RowLayout { store.layout }

    /// Finds the nearest rows.
    ///
    /// - Parameters:
    ///   - query: stride floats.
    ///   - results: Receives the neighbours, nearest first.
    /// - Returns: How many there are.
    func nearest(
        to query: UnsafePointer<Float>, into results: UnsafeMutableBufferPointer<Neighbor>, memory: CellScanMemory
    ) -> Int {
        var collector = unsafe NearestCollector(into: results)
        unsafe search(query, for: &collector, memory: memory)
        return collector.finish()
    }

    /// Gives a collector every row within its reach.
    func search<Target: Collector>(
        _ query: UnsafePointer<Float>, for collector: inout Target, memory: CellScanMemory
    ) {
        unsafe withUnsafeMutablePointer(to: &collector) { collectors in
            let tile = unsafe ScanTile(
                queries: query, count: 1, weights: memory.weights, limits: memory.limits, bounds: memory.bounds,
                collectors: collectors)
            var walk = unsafe CellWalk(scan: self, tile: tile, query: query, memory: memory)
            walk.run()
            memory.counters.add(walk.tile.counters)
        }
    }
}

/// How far a search goes.
struct SearchExtent {
    /// The share of the way from the nearest box to the reach within which boxes are looked at, in the metric's units;
    /// 1 makes a search exact.
    var relaxation = 1.0
    /// The most cells to visit.
    var probes = Int.max

    static let exact = SearchExtent()
}

/// The memory of one thread's searches in cells.
@safe
final class CellScanMemory {
    let weights: UnsafeMutablePointer<Int8>
    let limits: UnsafeMutablePointer<Int32>
    let bounds: UnsafeMutablePointer<QueryBound>
    let scratch: ScanTile<NearestCollector>.Scratch
    let rangeScratch: ScanTile<RangeCollector>.Scratch
    /// The query in the pruning frame.
    let coordinates: UnsafeMutablePointer<Float>
    /// The query on the grid of the cells' boxes, and on that of a cell's blocks.
    let cellCodes: UnsafeMutablePointer<UInt8>
    let blockCodes: UnsafeMutablePointer<UInt8>
    let cellBounds: UnsafeMutablePointer<Int32>
    let blockBounds: UnsafeMutablePointer<Int32>
    /// Cells to visit, with their bounds in the upper half; and the same in order.
    let candidates: UnsafeMutablePointer<UInt64>
    let ordered: UnsafeMutablePointer<UInt64>
    var counters = SearchCounters()

    private static let hits = 256

    init(store: CellStore) {
        let layout = store.layout
        let cells = (store.cells.count + Kernels.blockRows - 1) / Kernels.blockRows * Kernels.blockRows
        unsafe weights = .allocate(capacity: layout.groups * 4)
        unsafe limits = .allocate(capacity: 1)
        unsafe bounds = .allocate(capacity: 1)
        let hits = UnsafeMutableBufferPointer<ScreenHit>.allocate(capacity: Self.hits)
        let distances = UnsafeMutablePointer<Double>.allocate(capacity: Kernels.blockRows)
        unsafe scratch = .init(hits: hits, distances: distances)
        unsafe rangeScratch = .init(hits: hits, distances: distances)
        unsafe coordinates = .allocate(capacity: layout.stride)
        unsafe cellCodes = .allocate(capacity: 8 * layout.groups)
        unsafe blockCodes = .allocate(capacity: 8 * layout.groups)
        unsafe cellBounds = .allocate(capacity: cells)
        unsafe blockBounds = .allocate(capacity: max(Kernels.blockRows, layout.chunkRows / Kernels.blockRows))
        unsafe candidates = .allocate(capacity: cells)
        unsafe ordered = .allocate(capacity: cells)
    }

    deinit {
        unsafe weights.deallocate()
        unsafe limits.deallocate()
        unsafe bounds.deallocate()
        unsafe scratch.hits.deallocate()
        unsafe scratch.distances.deallocate()
        unsafe coordinates.deallocate()
        unsafe cellCodes.deallocate()
        unsafe blockCodes.deallocate()
        unsafe cellBounds.deallocate()
        unsafe blockBounds.deallocate()
        unsafe candidates.deallocate()
        unsafe ordered.deallocate()
    }
}
