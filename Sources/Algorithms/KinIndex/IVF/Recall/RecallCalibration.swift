/// The measured recall of pruned searches, used to choose a pruning factor for a target recall.
///
/// Let r be the distance of the k-th neighbour found so far and m the distance of the nearest box, in the units of
/// ``ListTraversal``. A search with pruning factor a < 1 skips every box farther than m + a (r − m). With a = 1 it is
/// exact. A smaller a loses neighbours in far corners of their boxes; how many depends on the data. So recall is
/// measured for several a and k, with rows of the index as queries, each excluded from its own result.
struct RecallCalibration: Sendable, Equatable {
    /// The mean recall of searches at one pruning factor and k, over the queries, and its standard error.
    struct Measure: Sendable, Equatable {
        var recall: Double
        var error: Double
    }

    /// The measured values of k.
    static let widths = [1, 10, 100]

    /// The number of queries for each k. All k search for a similar total of neighbours, since the recall of a single
    /// query is 0 or 1 at k = 1 and close to the mean at k = 100.
    static let queriesPerWidth = [1024, 256, 128]

    /// The recall of pruned searches; nil before the first measurement.
    let recall: MeasuredRecall?
    /// The mean share of all blocks that an exact search for 10 neighbours screens.
    let exactShare: Double
    /// The number of vectors at the time of measurement.
    let measuredCount: Int
    /// The number of queries at k = 1, the largest number.
    let queries: Int
    /// The number of vectors inserted, replaced or removed since then.
    private(set) var changes: Int

    /// Whether recall is measured at all; false for an index that only supports exact searches.
    private let isWanted: Bool

    init(isWanted: Bool = true) {
        (recall, exactShare, measuredCount, queries, changes) = (nil, 0, 0, 0, 0)
        self.isWanted = isWanted
    }

    /// Creates a calibration from a measurement.
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

    /// Whether the changes since then exceed a tenth of ``measuredCount``.
    var isOutdated: Bool { changes > measuredCount / 10 }

    /// Whether recall is measured for an index with this number of vectors. Below 10,000, every search is exact.
    func isMeasured(at count: Int) -> Bool { isWanted && count >= Self.smallestCount }

    static let smallestCount = 10_000

    /// The parameters of a search with a recall of at least `recall`; exact without a measurement.
    ///
    /// Under a filter, the k allowed rows can be the farthest of n rows within the radius, which a search misses first.
    /// The misses among all n are measured, and may be at most those among the k that the target permits.
    func parameters(for recall: Double, k: Int, isFiltered: Bool = false) -> SearchParameters {
        // Not through a local variable, which would change a reference count that all searches share.
        func factor(_ recall: Double, _ k: Int) -> Double { self.recall?.pruningFactor(for: recall, k: k) ?? 1 }
        var parameters = SearchParameters(pruningFactor: factor(recall, k))
        guard isFiltered, parameters.pruningFactor < 1 else { return parameters }
        // The measurement rejects one row, too: the query itself.
        parameters.mostRejected = 1
        let n = min(8 * k, Self.widths.last!)
        if n >= 2 * k {
            parameters.widerFactor = factor(1 - (1 - recall) * Double(k) / Double(n), n)
            parameters.widerRejected = n - k
        }
        return parameters
    }
}

extension RecallCalibration.Measure {
    /// The mean, over a number of searches, of the share of true neighbours found, and its standard error.
    init(_ shares: [Double]) {
        let n = Double(shares.count)
        let mean = shares.reduce(0, +) / n
        let variance = shares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / max(1, n - 1)
        self.init(recall: mean, error: (variance / n).squareRoot())
    }
}
