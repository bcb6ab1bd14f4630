import KinCore
import KinLinearAlgebra

/// The measured recall of pruned searches, from which a pruning factor is chosen for a target recall.
///
/// A search with pruning factor a < 1 skips every box farther than m + a (r − m), where r is the distance of the k-th neighbour found so
/// far and m that of the nearest box (all in the units of ``ListTraversal``). With a = 1 it is exact; a smaller a loses neighbours in far
/// corners of their boxes, how many depends on the data. So recall is measured: with some rows of the index as queries, their own row left out, at several a and k.
struct RecallCalibration: Sendable, Equatable {
    /// The recall of searches for some k at a pruning factor: the mean over the queries, and its standard error.
    struct Measure: Sendable, Equatable {
        var recall: Double
        var error: Double
    }

    /// The values of k that are measured.
    static let widths = [1, 10, 100]

    /// The number of queries for each k: about as many neighbours are searched for at every k, since the recall of a single query is all
    /// or nothing at k = 1 and nearly the mean at k = 100.
    static let queriesPerWidth = [1024, 256, 128]

    /// The recall of pruned searches; nil before the first measurement.
    let recall: MeasuredRecall?
    /// The share of all blocks that an exact search for 10 neighbours screens, in the mean.
    let exactShare: Double
    /// The number of vectors at the measurement.
    let measuredCount: Int
    /// The number of queries at k = 1, the largest.
    let queries: Int
    /// The number of vectors inserted, replaced or removed since.
    private(set) var changes: Int

    /// Whether recall is measured at all: not for an index that is only ever searched exactly.
    private let isWanted: Bool

    init(isWanted: Bool = true) {
        (recall, exactShare, measuredCount, queries, changes) = (nil, 0, 0, 0, 0)
        self.isWanted = isWanted
    }

    /// Creates a calibration from what was measured.
    init(recall: MeasuredRecall, exactShare: Double, measuredCount: Int, queries: Int, changes: Int) {
        self.recall = recall
        self.exactShare = exactShare
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

    /// The parameters of a search with a recall of at least `recall`: those of an exact one without a measurement.
    func parameters(for recall: Double, k: Int) -> SearchParameters {
        // Not by a variable, which would count a reference to what all searches share.
        SearchParameters(pruningFactor: self.recall?.pruningFactor(for: recall, k: k) ?? 1)
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
