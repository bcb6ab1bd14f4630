public import KinCore
import KinLinearAlgebra

extension FlatIndex {
    /// Searches as `search(_:k:where:threads:radius:)` does, on one thread, and reports the work it took.
    ///
    /// - Throws: As `search(_:k:where:threads:radius:)`.
    public func explain(
        _ query: [Float], k: Int, where filter: SearchFilter = .all, radius: Double = .infinity
    ) throws(KinError) -> SearchReport {
        try validation.checkArguments(k: k, threads: 1)
        try validation.check(query: query.span)
        try validation.check(radius: radius)
        let filter = try filter.resolved(by: attributes, rows: store, for: .fewRows)
        var counters = SearchCounters()
        let neighbors = nearest(
            to: query, k: k, within: radius, scan: scan(under: filter), threads: 1, counters: &counters)
        let layout = store.layout
        return SearchReport(
            neighbors: neighbors, rows: count, lists: nil,
            blocksScreened: counters.allBlocksScreened,
            survivors: counters.survivors, exactDistances: counters.exactDistances,
            bytesRead: counters.blocksScreened * layout.blockBytes
                + counters.principalBlocksScreened * store.principalMaker.blockBytes
                + counters.exactDistances * layout.stride * 4,
            simdLevel: Kernels.active.name, codeBits: Kernels.active.precision.bits,
            plan: describe(counters, filter: filter))
    }

    private func describe(_ counters: SearchCounters, filter: SearchFilter) -> String {
        if case .visit(let slots) = plan(for: filter) {
            return "the filter allows only \(slots.count) of \(count) vectors: each was visited by itself"
        }
        let exact = "\(counters.exactDistances) distances in double precision"
        let blocks = counters.allBlocksScreened
        if blocks == 0 {
            return "every vector was compared: \(exact)"
        }
        let principal = counters.principalBlocksScreened
        let ways = principal > 0 ? " (\(principal) along principal axes)" : ""
        let screened = "\(blocks) blocks of codes screened\(ways), \(counters.survivors) survivors; \(exact)"
        guard counters.chunksUnscreened > 0 else { return screened }
        return screened + "; \(counters.chunksUnscreened) chunks compared without a screen"
    }
}
