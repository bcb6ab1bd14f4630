/// The exactness of a search of a ``VectorIndex`` with lists: an argument of each call, not a state of the index.
public enum SearchMode: Sendable, Hashable {
    /// Visits every box that could contain a neighbour. The result equals that of a scan in double precision. This is
    /// the default.
    case exact

    /// Prunes the search so that its calibrated mean recall is at least this share of the true neighbours, above 0 and
    /// at most 1.
    ///
    /// The recall is measured on vectors of the index, each excluded from its own result (``VectorIndex/recallReport``,
    /// ``VectorIndex/calibrate(threads:)``). Without a measurement, as below 10,000 vectors, the search is exact. So are
    /// searches for more than 100 neighbours or for groups, and under filters that reject many of the nearest vectors.
    /// A batch is searched exactly if that is faster.
    case recall(Double)

    /// Visits this number of inverted lists, 1 or more, nearest first; under the inner product, those whose vectors
    /// typically have the largest products first. Visits further lists while fewer vectors than requested are found, for
    /// example under a narrow filter.
    case probes(Int)

    /// Requires a recall or a number of lists within its range.
    ///
    /// - Throws: `.invalidArgument`, also for a number of lists in a layout without lists.
    func check(hasLists: Bool) throws(KinError) {
        switch self {
        case .exact: return
        case .recall(let recall):
            guard recall > 0, recall <= 1 else {
                throw KinError(.invalidArgument, "recall must be above 0 and at most 1, not \(recall)")
            }
        case .probes(let lists):
            guard hasLists else {
                throw KinError(.invalidArgument, "probes counts lists, and a flat index has none; leave it out")
            }
            guard lists >= 1 else { throw KinError(.invalidArgument, "probes must be 1 or more, not \(lists)") }
        }
    }
}

/// The parameters that limit the lists and blocks a search visits.
struct SearchParameters {
    /// The factor on the part of the radius beyond the nearest box, in the metric's units. Boxes within the reduced
    /// radius are visited. With 1, a search is exact.
    var pruningFactor = 1.0
    /// The largest number of lists to visit.
    var probes = Int.max
    /// The largest number of rows that a filter may reject. Beyond it, the search is repeated with ``widerFactor`` and
    /// ``widerRejected`` instead, and then exactly.
    var mostRejected = Int.max
    var widerFactor = 1.0
    var widerRejected = Int.max

    static let exact = SearchParameters()

    var isExact: Bool { pruningFactor >= 1 && !isProbing }

    /// Whether the number of lists to visit is fixed.
    var isProbing: Bool { probes < .max }

    mutating func widen() {
        (pruningFactor, mostRejected) = (widerFactor, widerRejected)
        (widerFactor, widerRejected) = (1, .max)
    }
}
