public import KinCore
import KinLinearAlgebra

extension IVFIndex {
    /// Searches as ``search(_:k:mode:where:radius:)`` does and reports the work it took.
    ///
    /// - Throws: As ``search(_:k:mode:where:radius:)``.
    public func explain(
        _ query: [Float], k: Int, mode: SearchMode = .exact, where filter: SearchFilter = .all,
        radius: Double = .infinity
    ) throws(KinError) -> SearchReport {
        try validation.checkArguments(k: k, threads: 1)
        try validation.check(query: query.span)
        try validation.check(radius: radius)
        let plan = try plan(under: filter, for: .fewRows, queries: 1, threads: 1)
        return plan.scan(store, by: try parameters(for: mode, k: k)) { scan in
            let memory = ListScanMemory(store: scan.store)
            let neighbors = scan.nearest(min(k, count), to: query, within: radius, memory: memory)
            let counters = memory.counters
            let layout = store.layout
            return SearchReport(
                neighbors: neighbors, rows: count, lists: (counters.listsVisited, scan.store.views.count),
                blocksScreened: counters.blocksScreened, survivors: counters.survivors,
                exactDistances: counters.exactDistances,
                bytesRead: counters.blocksScreened * layout.blockBytes + counters.exactDistances * layout.stride * 4,
                simdLevel: Kernels.active.name, codeBits: Kernels.active.precision(ofBlocks: metric).bits,
                plan: scan.describe(counters, mode: mode))
        }
    }
}

extension ListScan {
    /// A description of the plan and the counts, for people.
    func describe(_ counters: SearchCounters, mode: SearchMode) -> String {
        if let slots { return "the filter allows only \(slots.count) vectors: each was visited by itself" }
        let how =
            switch mode {
            case .exact: "exact: every box within the radius"
            case .recall(let recall):
                "recall \(recall): boxes within \((parameters.pruningFactor * 1000).rounded() / 10) % of the radius"
            case .probes(1): "the nearest list"
            case .probes(let lists): "the nearest \(lists) lists"
            }
        return "\(how); \(counters.listsVisited) of \(store.views.count) lists visited, "
            + "\(counters.blocksScreened) of \(store.blockCount) blocks screened, \(counters.survivors) survivors, "
            + "\(counters.exactDistances) distances in double precision"
    }
}
