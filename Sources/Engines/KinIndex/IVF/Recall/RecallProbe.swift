import KinCore
import KinLinearAlgebra

extension RecallCalibration {
    /// The share of blocks that exact searches screen above which both rules are measured: below it, neighbours lie in so few boxes that
    /// the rule by distance is the cheaper one.
    private static let leastShareForGaps = 0.02

    /// The most that searches by weighted gaps may cost of what those by distance do.
    private static let mostOfDistance = 0.95

    /// Measures the recall of searches in an index.
    ///
    /// - Parameter image: The scratch file that the index is mapped from, of which searches shall not keep much in memory.
    /// - Throws: `.cancelled`.
    init(measuring index: IVFIndex, in image: FileImage? = nil, threads: Int) throws(KinError) {
        let work = LongWork(of: Self.queriesPerWidth.reduce(64, +))
        func probe(_ queries: Int) -> RecallProbe {
            RecallProbe(index: index, image: image, queries: queries, work: work)
        }
        let exactShare = try probe(64).exactShare(k: 10)
        let mayWeigh = index.metric != .innerProduct && exactShare > Self.leastShareForGaps
        let rules = mayWeigh ? [BoxRule.distance, .weightedGaps] : [.distance]
        // Widths × rules.
        var measures: [[[Measure]]] = []
        for (k, queries) in zip(Self.widths, Self.queriesPerWidth) {
            measures.append(try probe(queries).measure(k: k, by: rules, threads: threads))
        }
        let found = rules.indices.map { i in
            RuleRecall(
                rule: rules[i], factors: rules[i].factors(dimension: index.dimension), measures: measures.map { $0[i] })
        }
        func cost(of recall: RuleRecall) -> Double {
            [0.95, 0.99].reduce(0) { sum, wanted in
                sum + probe(64).cost(k: 10, recall, for: wanted) / probe(64).cost(k: 10, found[0], for: wanted)
            }
        }
        let isCheaper = mayWeigh && cost(of: found[1]) <= 2 * Self.mostOfDistance
        self.init(
            byDistance: found[0], byGaps: isCheaper ? found[1] : nil, exactShare: exactShare,
            measuredCount: index.count, queries: Self.queriesPerWidth[0], changes: 0)
    }
}

/// A measurement of recall with rows of an index as queries.
struct RecallProbe {
    let index: IVFIndex
    let image: FileImage?
    let queries: Int
    /// The measurement that this is a part of, in queries.
    let work: LongWork

    /// The slot of a query: queries are spread evenly over the lists' rows.
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

    /// Recall at k for each factor of some rules: rules × factors.
    ///
    /// - Throws: `.cancelled`.
    func measure(k: Int, by rules: [BoxRule], threads: Int) throws(KinError) -> [[RecallCalibration.Measure]] {
        let slots = slots()
        let factors = rules.map { $0.factors(dimension: index.dimension) }
        let settings = factors.reduce(0) { $0 + $1.count }
        // queries × settings.
        let recalls = unsafe [Double](unsafeUninitializedCapacity: queries * settings) { recalls, n in
            concurrently(threads, taking: queries, memory: { index.store.withView { ListScanMemory(store: $0) } }) {
                q, memory in
                guard work.advance() else { return }
                if q % 64 == 0 { image?.release() }
                let truth = neighbors(of: slots[q], k: k, .exact, memory: memory)
                var place = q * settings
                for (rule, factors) in zip(rules, factors) {
                    var isComplete = false
                    for factor in factors {
                        // A larger factor finds all that a smaller one found.
                        let found =
                            isComplete ? truth : neighbors(of: slots[q], k: k, rule.parameters(factor), memory: memory)
                        unsafe recalls[place] =
                            truth.isEmpty ? 1 : Double(found.intersection(truth).count) / Double(truth.count)
                        isComplete = isComplete || found.isSuperset(of: truth)
                        place += 1
                    }
                }
            }
            n = queries * settings
        }
        try work.check()
        var first = 0
        return factors.map { factors in
            defer { first += factors.count }
            return (first..<first + factors.count).map { i in
                RecallCalibration.Measure((0..<queries).map { recalls[$0 * settings + i] })
            }
        }
    }

    /// The share of all blocks that exact searches screen.
    ///
    /// - Throws: `.cancelled`.
    func exactShare(k: Int) throws(KinError) -> Double {
        let memory = index.store.withView { ListScanMemory(store: $0) }
        for slot in slots() {
            try work.step()
            _ = neighbors(of: slot, k: k, .exact, memory: memory)
        }
        return Double(memory.counters.blocksScreened) / Double(queries * max(1, index.store.blockCount))
    }

    /// The blocks that searches screen and the lists that they visit, either of which takes about as long, with the blocks that take as long
    /// as what weighing the gaps of all lists adds.
    func cost(k: Int, _ measured: RuleRecall, for recall: Double) -> Double {
        let parameters = measured.parameters(for: recall, k: k)
        let memory = index.store.withView { ListScanMemory(store: $0) }
        for slot in slots() { _ = neighbors(of: slot, k: k, parameters, memory: memory) }
        let weighing = parameters.weighsGaps ? Double(queries * index.listCount) / 256 : 0
        return Double(memory.counters.blocksScreened + memory.counters.listsVisited) + weighing
    }

    /// The neighbours of a row, itself left out.
    private func neighbors(
        of slot: Int, k: Int, _ parameters: SearchParameters, memory: ListScanMemory
    ) -> Set<VectorID> {
        let (c, r) = index.store.location(of: slot)
        let chunk = index.store.lists[c].chunk
        let own = unsafe chunk.ids[r]
        let found = unsafe [Neighbor](unsafeUninitializedCapacity: k + 1) { results, n in
            n = index.store.withView { store in
                unsafe ListScan(store: store, parameters: parameters).nearest(
                    to: chunk.row(r), into: UnsafeMutableBufferPointer(rebasing: results[..<(k + 1)]), memory: memory)
            }
        }
        return Set(found.map(\.id).filter { $0 != own }.prefix(k))
    }
}
