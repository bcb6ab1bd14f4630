import KinCore
import KinLinearAlgebra

/// A search of the lists of a store, nearest boxes first.
///
/// A list is visited while its box is within the radius: not farther from the query than the k-th nearest row found so far. In a list
/// the same holds for each block's box, and the blocks within the radius are screened. A box that is skipped cannot hold a neighbour,
/// whatever the order; the order only decides how soon the radius shrinks.
struct ListScan {
    let store: ListStore
    let filter: SearchFilter
    var parameters: SearchParameters
    /// The rows to visit one by one, when they are few.
    let slots: [Int]?
    /// The work that a batch is, in units of queries; nil for what is not cancelled.
    var work: LongWork?

    init(store: ListStore, filter: SearchFilter = .all, parameters: SearchParameters = .exact) {
        self.store = store
        self.filter = filter
        self.parameters = parameters
        slots = nil
    }

    init(_ plan: FilterPlan, parameters: SearchParameters, index: ListStore) {
        self.parameters = parameters
        switch plan {
        case .traversal(let filter): (store, self.filter, slots) = (index, filter, nil)
        case .subset(let subset):
            (store, filter, slots) = (subset, .all, nil)
            // The factor was measured among all vectors. Among few of them it may be too small (recall .94
            // where .95 was asked for), and an exact search takes little.
            if subset.count < index.count / 16 { (self.parameters.pruningFactor, self.parameters.gapFactor) = (1, 1) }
        case .visit(let slots): (store, filter, self.slots) = (index, .all, slots)
        }
    }

    var layout: RowLayout { store.layout }

    /// Finds the nearest rows.
    ///
    /// - Parameters:
    ///   - query: stride floats.
    ///   - radius: The largest distance of a result.
    ///   - results: Receives the neighbours, nearest first.
    /// - Returns: Their number.
    func nearest(
        to query: UnsafePointer<Float>, within radius: Double = .infinity,
        into results: UnsafeMutableBufferPointer<Neighbor>, memory: ListScanMemory
    ) -> Int {
        parameters.weighsGaps
            ? unsafe run(query, LikelyCollector(into: results, within: radius), memory: memory)
            : unsafe run(query, NearestCollector(into: results, within: radius), memory: memory)
    }

    /// Searches for one query.
    @inline(__always)
    private func run(
        _ query: UnsafePointer<Float>, _ collector: some RankingCollector, memory: ListScanMemory
    ) -> Int {
        var traversal = unsafe ListTraversal(scan: self, query: query, memory: memory, collector: collector)
        traversal.run()
        memory.counters.add(traversal.counters)
        return traversal.collector.finish()
    }

    /// Finds every row within a radius, nearest first.
    func within(_ radius: Double, of query: UnsafePointer<Float>, memory: ListScanMemory) -> [Neighbor] {
        var traversal = unsafe ListTraversal(
            scan: self, query: query, memory: memory, collector: RangeCollector(radius: radius))
        traversal.run()
        memory.counters.add(traversal.counters)
        return traversal.collector.found.sorted()
    }
}
