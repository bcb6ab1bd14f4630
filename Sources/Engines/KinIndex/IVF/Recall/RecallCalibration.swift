import KinCore
import KinLinearAlgebra

/// The measured recall of pruned searches, from which a pruning factor is chosen for a target recall.
///
/// A search with pruning factor a < 1 skips every box farther than m + a (r − m), where r is the distance of the k-th neighbour found so
/// far and m that of the nearest box (all in the units of ``ListTraversal``). With a = 1 it is exact; a smaller a loses neighbours in
/// far corners of their boxes, how many depends on the data. So recall is measured: with some rows of the index as queries, their own
/// row left out, at several a and k.
struct RecallCalibration: Sendable, Equatable {
    /// Recall at each of ``pruningFactors``, for each of ``widths``: the mean over the queries, and its standard error.
    struct Measure: Sendable, Equatable {
        var recall: Double
        var error: Double
    }

    /// The indices of the measured k on either side of one, both the same for a measured one; beyond the largest those of the two largest.
    static func widths(around k: Int) -> (lower: Int, upper: Int) {
        let upper = widths.firstIndex { $0 >= k } ?? widths.count - 1
        return (widths[upper] == k ? upper : max(0, upper - 1), upper)
    }

    /// The pruning factors that are measured, ascending. Between two of them recall is interpolated linearly; the true curve lies above.
    static let pruningFactors: [Double] = [
        0.03, 0.1, 0.17, 0.25, 0.33, 0.41, 0.5, 0.6, 0.7, 0.8, 0.9,
    ]

    /// The values of k that are measured.
    static let widths = [1, 10, 100]

    /// The number of queries for each k: about as many neighbours are searched for at every k, since the recall of a single query is all
    /// or nothing at k = 1 and nearly the mean at k = 100.
    static let queriesPerWidth = [1024, 256, 128]

    /// widths × pruningFactors; empty before the first measurement.
    private(set) var measures: [[Measure]] = []
    /// The share of all blocks that an exact search for 10 neighbours screens, in the mean.
    private(set) var exactShare = 0.0
    /// The number of vectors at the measurement.
    private(set) var measuredCount = 0
    /// The number of queries at k = 1, the largest.
    private(set) var queries = 0
    /// The number of vectors inserted, replaced or removed since.
    private(set) var changes = 0

    /// Whether recall is measured at all: not for an index that is only ever searched exactly.
    private let isWanted: Bool

    init(isWanted: Bool = true) { self.isWanted = isWanted }

    /// Creates a calibration from the numbers of a file.
    init(measures: [[Measure]], exactShare: Double, measuredCount: Int, queries: Int, changes: Int) {
        self.exactShare = exactShare
        self.measures = measures
        self.measuredCount = measuredCount
        self.queries = queries
        self.changes = changes
        isWanted = true
    }

    /// A calibration without a measurement, for the same kind of index.
    var unmeasured: RecallCalibration { RecallCalibration(isWanted: isWanted) }

    mutating func note(_ n: Int) { changes += n }

    /// Whether an index of so many vectors is measured. Below 10,000 every search is exact.
    func isMeasured(at count: Int) -> Bool { isWanted && count >= Self.smallestCount }

    static let smallestCount = 10_000

    /// The smallest pruning factor whose measured recall, less one standard error, is at least `recall`; 1 without a measurement.
    func pruningFactor(for recall: Double, k: Int) -> Double {
        guard recall < 1, !measures.isEmpty else { return 1 }
        // Between two measured k the larger of both factors.
        let (lower, upper) = Self.widths(around: k)
        return max(pruningFactor(for: recall, measures[lower]), pruningFactor(for: recall, measures[upper]))
    }

    private func pruningFactor(for recall: Double, _ row: [Measure]) -> Double {
        var below = (a: 0.0, recall: 0.0)
        for (a, measure) in zip(Self.pruningFactors, row) {
            let sure = measure.recall - measure.error
            if sure >= recall {
                let share = sure > below.recall ? (recall - below.recall) / (sure - below.recall) : 1
                return max(Self.pruningFactors[0], below.a + share * (a - below.a))
            }
            below = (a, max(below.recall, sure))
        }
        return below.recall < 1 ? below.a + (recall - below.recall) / (1 - below.recall) * (1 - below.a) : 1
    }
}

extension RecallCalibration.Measure {
    /// The mean of the shares of the true neighbours that some searches found, and its standard error.
    init(_ shares: [Double]) {
        let n = Double(shares.count)
        let mean = shares.reduce(0, +) / n
        let variance = shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, n - 1)
        self.init(recall: mean, error: (variance / n).squareRoot())
    }
}

extension RecallCalibration {
    /// Measures the recall of searches in an index.
    ///
    /// - Parameter image: The scratch file that the index is mapped from, of which searches shall not keep much in memory.
    /// - Throws: `.cancelled`.
    init(measuring index: IVFIndex, in image: FileImage? = nil, threads: Int) throws(KinError) {
        self.init()
        measuredCount = index.count
        queries = Self.queriesPerWidth[0]
        let work = LongWork(of: Self.queriesPerWidth.reduce(64, +))
        for (k, queries) in zip(Self.widths, Self.queriesPerWidth) {
            measures.append(
                try RecallProbe(index: index, image: image, queries: queries, work: work)
                    .measure(k: k, threads: threads))
        }
        exactShare = try RecallProbe(index: index, image: image, queries: 64, work: work).exactShare(k: 10)
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

    /// Recall at k for each pruningFactor.
    ///
    /// - Throws: `.cancelled`.
    func measure(k: Int, threads: Int) throws(KinError) -> [RecallCalibration.Measure] {
        let slots = slots()
        let pruningFactors = RecallCalibration.pruningFactors
        // queries × pruningFactors.
        let recalls = unsafe [Double](unsafeUninitializedCapacity: queries * pruningFactors.count) { recalls, n in
            concurrently(threads, taking: queries, memory: { ListScanMemory(store: index.store) }) { q, memory in
                guard work.advance() else { return }
                if q % 64 == 0 { image?.release() }
                let truth = neighbors(of: slots[q], k: k, pruningFactor: 1, memory: memory)
                var isComplete = false
                for (i, a) in pruningFactors.enumerated() {
                    // A larger factor finds all that a smaller one found.
                    guard !isComplete else {
                        unsafe recalls[q * pruningFactors.count + i] = 1
                        continue
                    }
                    let found = neighbors(of: slots[q], k: k, pruningFactor: a, memory: memory)
                    unsafe recalls[q * pruningFactors.count + i] =
                        truth.isEmpty ? 1 : Double(found.intersection(truth).count) / Double(truth.count)
                    isComplete = found.isSuperset(of: truth)
                }
            }
            n = queries * pruningFactors.count
        }
        try work.check()
        return pruningFactors.indices.map { i in
            RecallCalibration.Measure((0..<queries).map { recalls[$0 * pruningFactors.count + i] })
        }
    }

    /// The share of all blocks that exact searches screen.
    ///
    /// - Throws: `.cancelled`.
    func exactShare(k: Int) throws(KinError) -> Double {
        let memory = ListScanMemory(store: index.store)
        for slot in slots() {
            try work.step()
            _ = neighbors(of: slot, k: k, pruningFactor: 1, memory: memory)
        }
        return Double(memory.counters.blocksScreened) / Double(queries * max(1, index.store.blockCount))
    }

    /// The neighbours of a row, itself left out.
    private func neighbors(of slot: Int, k: Int, pruningFactor: Double, memory: ListScanMemory) -> Set<VectorID> {
        let (c, r) = index.store.location(of: slot)
        let chunk = index.store.lists[c].chunk
        let own = unsafe chunk.ids[r]
        var scan = ListScan(store: index.store)
        scan.parameters.pruningFactor = pruningFactor
        let found = unsafe [Neighbor](unsafeUninitializedCapacity: k + 1) { results, n in
            n = unsafe scan.nearest(
                to: chunk.row(r), into: UnsafeMutableBufferPointer(rebasing: results[..<(k + 1)]), memory: memory)
        }
        return Set(found.map(\.id).filter { $0 != own }.prefix(k))
    }
}
