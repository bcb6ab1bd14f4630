extension RecallCalibration {
    /// Measures the recall of searches in an index.
    ///
    /// - Parameter image: The scratch file that backs the index; its pages are released after every 64 queries. Nil for
    ///   an index in memory.
    /// - Throws: `.cancelled`.
    init(measuring index: InvertedFile, in image: FileImage? = nil, threads: Int) throws(KinError) {
        let work = LongWork(of: Self.queriesPerWidth.reduce(64, +))
        func probe(_ queries: Int) -> RecallProbe {
            RecallProbe(index: index, image: image, queries: queries, work: work)
        }
        let exactShare = try probe(64).exactShare(k: 10, threads: threads)
        var measures: [[Measure]] = []
        for (k, queries) in zip(Self.widths, Self.queriesPerWidth) {
            measures.append(try probe(queries).measure(k: k, threads: threads))
        }
        self.init(
            recall: MeasuredRecall(measures: measures), exactShare: exactShare, measuredCount: index.count,
            queries: Self.queriesPerWidth[0], changes: 0)
    }
}

/// A measurement of recall, with rows of the index as queries.
struct RecallProbe: ~Copyable {
    let index: InvertedFile
    let image: FileImage?
    let queries: Int
    /// The progress of the whole measurement, in queries.
    let work: LongWork

    /// The slots of the queries, which are spread evenly over the rows of all lists.
    private func slots() -> [Int] {
        var starts: [Int] = []
        var total = 0
        for list in index.store.lists {
            starts.append(total)
            total += list.count
        }
        var c = 0
        return (0..<queries).map { i in
            let row = i * total / queries
            while c + 1 < starts.count && starts[c + 1] <= row { c += 1 }
            return index.store.slot(list: c, row: row - starts[c])
        }
    }

    /// Recall at k for each of the factors.
    ///
    /// - Throws: `.cancelled`.
    func measure(k: Int, threads: Int) throws(KinError) -> [RecallCalibration.Measure] {
        let slots = slots()
        let factors = MeasuredRecall.factors
        let recalls = concurrentMap(threads, queries, memory: { index.store.withView { ListScanMemory(store: $0) } }) {
            q, memory -> [Double] in
            guard work.advance() else { return [] }
            if q % 64 == 0 { image?.release() }
            let truth = neighbors(of: slots[q], k: k, .exact, memory: memory)
            var isComplete = false
            return factors.map { factor in
                // A larger factor finds everything that a smaller one found.
                let found =
                    isComplete
                    ? truth
                    : neighbors(of: slots[q], k: k, SearchParameters(pruningFactor: factor), memory: memory)
                isComplete = isComplete || found.isSuperset(of: truth)
                return truth.isEmpty ? 1 : Double(found.intersection(truth).count) / Double(truth.count)
            }
        }
        try work.check()
        return factors.indices.map { i in RecallCalibration.Measure(recalls.map { $0[i] }) }
    }

    /// The share of all blocks that exact searches screen.
    ///
    /// - Throws: `.cancelled`.
    func exactShare(k: Int, threads: Int) throws(KinError) -> Double {
        let slots = slots()
        let screened = concurrentMap(threads, queries, memory: { index.store.withView { ListScanMemory(store: $0) } }) {
            q, memory in
            guard work.advance() else { return 0 }
            let before = memory.counters.blocksScreened
            _ = neighbors(of: slots[q], k: k, .exact, memory: memory)
            return memory.counters.blocksScreened - before
        }
        try work.check()
        return Double(screened.reduce(0, +)) / Double(queries * max(1, index.store.blockCount))
    }

    /// The neighbours of a row, without the row itself.
    ///
    /// A filter excludes the row. A search for k + 1 would prune less, unless the row is among them: under the inner
    /// product it often is not.
    private func neighbors(
        of slot: Int, k: Int, _ parameters: SearchParameters, memory: ListScanMemory
    ) -> Set<VectorID> {
        let (c, r) = index.store.location(of: slot)
        let chunk = index.store.lists[c].chunk
        let own = unsafe chunk.ids[r]
        let others = SearchFilter.predicate { $0 != own }
        let found = unsafe [Neighbor](unsafeUninitializedCapacity: k) { results, n in
            n = index.store.withView { store in
                unsafe ListScan(store: store, filter: others, parameters: parameters).nearest(
                    to: chunk.row(r), into: UnsafeMutableBufferPointer(rebasing: results[..<k]), memory: memory)
            }
        }
        return Set(found.map(\.id))
    }
}
