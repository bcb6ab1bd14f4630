/// What was measured of searches that ask for a recall below 1: see ``SearchMode/recall(_:)``.
///
/// The measurement is of vectors of the index as queries, each left out of its own answer: their neighbours in an exact
/// search, and how many of them searches that look at less find. It is made when the index is filled, and again when a
/// quarter of the vectors have changed. An index of fewer than 10,000 vectors has none, and always searches exactly.
public struct RecallReport: Sendable, Hashable {
    /// What one recall that may be asked for comes to.
    public struct Row: Sendable, Hashable {
        /// The recall that is asked for.
        public let asked: Double
        /// How many neighbours are wanted.
        public let k: Int
        /// The share of the true neighbours that such a search finds, in the mean over the queries; between two settings
        /// that were tried it is interpolated linearly.
        public let measured: Double
        /// The standard error of ``measured``.
        public let standardError: Double
        /// How far such a search goes: 1 is to all boxes within the radius of the k-th neighbour, as in an exact search.
        public let pruningFactor: Double
    }

    /// How many vectors there were when recall was measured; 0 when it was not.
    public let vectors: Int
    /// How many queries it was measured with at k = 1; fewer at larger k, where each says more.
    public let queries: Int
    /// Vectors put in, replaced or taken out since.
    public let changes: Int
    /// For 1, 10 and 100 neighbours what a recall of .8, .9, .95 and .99 comes to; empty when nothing was measured.
    public let rows: [Row]

    /// Whether there is a measurement.
    public var isMeasured: Bool { !rows.isEmpty }
}

extension RecallReport {
    init(_ calibration: RecallCalibration) {
        vectors = calibration.measuredCount
        queries = calibration.queries
        changes = calibration.changes
        let asked = [0.8, 0.9, 0.95, 0.99]
        rows = RecallCalibration.widths.flatMap { k in asked.compactMap { calibration.row(asking: $0, k: k) } }
    }
}

extension RecallCalibration {
    /// What a recall comes to; nil when nothing was measured.
    func row(asking recall: Double, k: Int) -> RecallReport.Row? {
        guard !measures.isEmpty else { return nil }
        let pruningFactor = pruningFactor(for: recall, k: k)
        let measure = measure(pruningFactor: pruningFactor, k: k)
        return RecallReport.Row(
            asked: recall, k: k, measured: measure.recall, standardError: measure.error, pruningFactor: pruningFactor)
    }

    /// What was measured of searches so relaxed; of the two widths next to k the one that found less.
    private func measure(pruningFactor a: Double, k: Int) -> Measure {
        let upper = Self.widths.firstIndex { $0 >= k } ?? Self.widths.count - 1
        let lower = Self.widths[upper] == k ? upper : max(0, upper - 1)
        let (one, other) = (interpolate(measures[lower], at: a), interpolate(measures[upper], at: a))
        return one.recall <= other.recall ? one : other
    }

    /// Between the settings that were tried, the last of which is the exact search: all neighbours, without error.
    private func interpolate(_ row: [Measure], at a: Double) -> Measure {
        let settings = Self.pruningFactors + [1]
        let found = row + [Measure(recall: 1, error: 0)]
        guard let next = settings.firstIndex(where: { $0 >= a }) else { return found[found.count - 1] }
        guard next > 0 else { return found[0] }
        let share = (a - settings[next - 1]) / (settings[next] - settings[next - 1])
        func between(_ value: (Measure) -> Double) -> Double {
            value(found[next - 1]) + share * (value(found[next]) - value(found[next - 1]))
        }
        return Measure(recall: between(\.recall), error: between(\.error))
    }
}

extension IVFIndex {
    /// What was measured of searches in mode ``SearchMode/recall(_:)``.
    public var recallReport: RecallReport { RecallReport(calibration) }

    /// What a search in mode ``SearchMode/recall(_:)`` was measured to find.
    ///
    /// - Parameters:
    ///   - recall: The recall that is asked for, above 0 and at most 1.
    ///   - k: How many neighbours are wanted. Measured are 1, 10 and 100; for numbers between them this is the lesser of both
    ///     sides, above 100 the measurement at 100.
    /// - Returns: The measurement, or nil for an index that has none and searches exactly.
    public func measuredRecall(asking recall: Double, k: Int) -> RecallReport.Row? {
        calibration.row(asking: recall, k: k)
    }
}
