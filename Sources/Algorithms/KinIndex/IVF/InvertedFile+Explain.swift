extension InvertedFile {
    /// Searches for one query, and reports the work done.
    func explain(
        _ query: [Float], k: Int, within radius: Double, in mode: SearchMode, by parameters: SearchParameters,
        _ plan: FilterPlan
    ) -> SearchReport {
        plan.scan(store, by: parameters) { scan in
            let memory = ListScanMemory(store: scan.store)
            let neighbors = scan.nearest(min(k, count), to: query, within: radius, memory: memory)
            let counters = memory.counters
            let layout = store.layout
            return SearchReport(
                neighbors: neighbors, rows: count, lists: (counters.listsVisited, scan.store.views.count),
                blocksScreened: counters.blocksScreened, survivors: counters.survivors,
                exactDistances: counters.exactDistances,
                bytesRead: counters.blocksScreened * layout.blockBytes + counters.exactDistances * layout.stride * 4,
                simdLevel: Kernels.active.name, codeBits: Kernels.active.precision(ofBlocks: layout.metric).bits,
                plan: scan.describe(counters, mode: mode))
        }
    }
}

extension ListScan {
    /// A readable description of the plan and the counts.
    func describe(_ counters: SearchCounters, mode: SearchMode) -> String {
        if let slots { return "the filter allows only \(slots.count) vectors: each was visited by itself" }
        let how =
            switch mode {
            case .exact: "exact: every box within the radius"
            case .recall(let recall):
                "recall \(recall): boxes within \((parameters.pruningFactor * 1000).rounded() / 10) % of the radius"
                    + (filter.isAll ? "" : ", or more if the filter rejects several vectors within it")
            case .probes(1): "the nearest list"
            case .probes(let lists): "the nearest \(lists) lists"
            }
        return "\(how); \(counters.listsVisited) of \(store.views.count) lists visited, "
            + "\(counters.blocksScreened) of \(store.blockCount) blocks screened, \(counters.survivors) survivors, "
            + "\(counters.exactDistances) distances in double precision"
    }
}
