import KinCore
import KinLinearAlgebra

/// A search through the cells of a store, nearest boxes first.
///
/// A cell is visited while its box is within reach: not farther from the query than the k-th nearest row found so far. In a
/// cell the same is asked of each block's box, and the blocks within reach are screened. What is passed over
/// cannot hold a neighbour, whatever the order, so the order only decides how soon the reach gets short.
struct CellScan {
    let store: CellStore
    let filter: Filter
    var extent: SearchExtent
    /// The rows to visit one by one, when they are few.
    let slots: [Int]?

    init(store: CellStore, filter: Filter = .all, extent: SearchExtent = .exact) {
        self.store = store
        self.filter = filter
        self.extent = extent
        slots = nil
    }

    init(_ plan: FilterPlan, extent: SearchExtent, index: CellStore) {
        self.extent = extent
        switch plan {
        case .walk(let filter): (store, self.filter, slots) = (index, filter, nil)
        case .subset(let subset):
            (store, filter, slots) = (subset, .all, nil)
            // How far to look for a recall was measured among all vectors. Among few of them it may not be far enough (.94
            // where .95 was asked for), and an exact search takes little.
            if subset.count < index.count / 16 { self.extent.relaxation = 1 }
        case .visit(let slots): (store, filter, self.slots) = (index, .all, slots)
        }
    }

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
        var walk = unsafe CellWalk(
            scan: self, query: query, memory: memory, collector: NearestCollector(into: results))
        walk.run()
        memory.counters.add(walk.counters)
        return walk.collector.finish()
    }

    /// Finds every row within a radius, nearest first.
    func within(_ radius: Double, of query: UnsafePointer<Float>, memory: CellScanMemory) -> [Neighbor] {
        var walk = unsafe CellWalk(
            scan: self, query: query, memory: memory, collector: RangeCollector(radius: radius))
        walk.run()
        memory.counters.add(walk.counters)
        return walk.collector.found.sorted()
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

    var isExact: Bool { relaxation >= 1 && probes == .max }
}
