/// How much of an IVF index a search looks at: a choice of each call, never a state of the index.
public enum SearchMode: Sendable, Hashable {
    /// Everything that could hold a neighbour: the result is that of a scan in double precision.
    case exact

    /// As little as gives this share of the true neighbours on average, above 0 and at most 1.
    ///
    /// How little that is, the index measures on vectors of its own (``IVFIndex/recallReport``, ``IVFIndex/calibrate(threads:)``).
    case recall(Double)

    /// The given number of lists, the nearest ones, and more while fewer vectors than wanted are found, as under a narrow filter.
    case probes(Int)
}

/// How far a search goes.
struct SearchParameters {
    /// The share of the way from the nearest box to the radius within which boxes are looked at, in the metric's units;
    /// 1 makes a search exact.
    var pruningFactor = 1.0
    /// The most lists to visit.
    var probes = Int.max

    static let exact = SearchParameters()

    var isExact: Bool { pruningFactor >= 1 && probes == .max }
}
