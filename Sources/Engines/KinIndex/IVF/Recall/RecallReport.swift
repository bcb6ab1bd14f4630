/// The measured recall of searches in mode ``SearchMode/recall(_:)``.
///
/// The queries are vectors of the index, each held out of its own result: their neighbours in an exact search are compared with those of
/// pruned searches. A load that rebuilds the index measures, and ``IVFIndex/calibrate(threads:)`` does. An index of fewer than 10,000
/// vectors has no measurement and is always searched exactly.
public struct RecallReport: Sendable, Hashable {
    /// The measured recall for one target recall and one k.
    public struct Row: Sendable, Hashable {
        /// The target recall, above 0 and at most 1.
        public let asked: Double
        /// The number of neighbours searched for.
        public let k: Int
        /// The mean over the queries of the share of true neighbours found, 0…1; interpolated linearly between two measured pruning
        /// factors.
        public let measured: Double
        /// The standard error of the mean ``measured``.
        public let standardError: Double
        /// The pruning factor of such a search, 0…1: the factor on the radius beyond the nearest box; 1 is an exact search.
        public let pruningFactor: Double
    }

    /// The number of vectors when recall was measured; 0 when it was not.
    public let vectors: Int
    /// The number of queries at k = 1; fewer at larger k, where each gives more information.
    public let queries: Int
    /// The number of vectors inserted, replaced or removed since.
    public let changes: Int
    /// The measured recall for targets of 0.8, 0.9, 0.95 and 0.99 with 1, 10 and 100 neighbours; empty without a measurement.
    public let rows: [Row]

    /// Whether recall has been measured.
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
    /// The measured recall for a target; nil without a measurement.
    func row(asking recall: Double, k: Int) -> RecallReport.Row? {
        guard !measures.isEmpty else { return nil }
        let pruningFactor = pruningFactor(for: recall, k: k)
        let measure = measure(pruningFactor: pruningFactor, k: k)
        return RecallReport.Row(
            asked: recall, k: k, measured: measure.recall, standardError: measure.error, pruningFactor: pruningFactor)
    }

    /// The measured recall at a pruning factor; of the two measured k next to `k` the lower one.
    private func measure(pruningFactor a: Double, k: Int) -> Measure {
        let (lower, upper) = Self.widths(around: k)
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
    /// The measured recall of searches in mode ``SearchMode/recall(_:)``.
    public var recallReport: RecallReport { RecallReport(calibration) }

    /// The measured recall of a search in mode ``SearchMode/recall(_:)``.
    ///
    /// - Parameters:
    ///   - recall: The target recall, above 0 and at most 1.
    ///   - k: The number of neighbours. Measured are 1, 10 and 100; between them this is the lower of both sides, above 100 that of 10
    ///     and 100.
    /// - Returns: The measurement; nil for an index that has none and is searched exactly.
    public func measuredRecall(asking recall: Double, k: Int) -> RecallReport.Row? {
        calibration.row(asking: recall, k: k)
    }
}
