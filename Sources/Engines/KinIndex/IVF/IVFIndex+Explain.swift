public import KinCore
import KinLinearAlgebra

extension IVFIndex {
    /// Searches as ``search(_:k:mode:where:)`` does and tells what it took.
    ///
    /// - Throws: As ``search(_:k:mode:where:)``.
    public func explain(
        _ query: [Float], k: Int, mode: SearchMode = .exact, where filter: Filter = .all
    ) throws(KinError) -> SearchReport {
        try door.checkArguments(k: k, threads: 1)
        try door.check(query: query.span)
        let plan = try plan(under: filter, for: .fewRows, queries: 1, threads: 1)
        let scan = CellScan(plan, extent: try extent(of: mode, k: k), index: store)
        let memory = CellScanMemory(store: scan.store)
        let neighbors = nearest(to: query, k: k, scan: scan, memory: memory)
        let counters = memory.counters
        let layout = store.layout
        return SearchReport(
            neighbors: neighbors, rows: count, cells: (counters.cellsVisited, scan.store.cells.count),
            blocksScreened: counters.blocksScreened, survivors: counters.survivors,
            exactDistances: counters.exactDistances,
            bytesRead: counters.blocksScreened * layout.blockBytes + counters.exactDistances * layout.stride * 4,
            simdLevel: Kernels.active.name, codeBits: Kernels.active.reading == .eightBits ? 8 : 6,
            plan: scan.describe(counters, mode: mode))
    }
}

extension CellScan {
    /// What was done, in a sentence.
    func describe(_ counters: SearchCounters, mode: SearchMode) -> String {
        if let slots { return "the filter allows only \(slots.count) vectors: each was visited by itself" }
        let how =
            switch mode {
            case .exact: "exact: every box within reach"
            case .recall(let recall):
                "recall \(recall): boxes within \((extent.relaxation * 1000).rounded() / 10) % of the reach"
            case .probes(1): "the nearest cell"
            case .probes(let cells): "the nearest \(cells) cells"
            }
        return "\(how); \(counters.cellsVisited) of \(store.cells.count) cells visited, "
            + "\(counters.blocksScreened) of \(store.blockCount) blocks screened, \(counters.survivors) survivors, "
            + "\(counters.exactDistances) distances in double precision"
    }
}
