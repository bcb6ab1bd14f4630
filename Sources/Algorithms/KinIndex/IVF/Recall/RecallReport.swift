/// The measured recall of searches in mode ``SearchMode/recall(_:)``.
///
/// The queries are vectors of the index, each excluded from its own result. Their neighbours in an exact search are
/// compared with those from pruned searches. A load that rebuilds the index measures recall, as does
/// ``VectorIndex/calibrate(threads:)``. An index of fewer than 10,000 vectors has no measurement and is always searched
/// exactly.
public struct RecallReport: Sendable, Hashable {
    /// The measured recall for one target recall and one k.
    public struct Row: Sendable, Hashable {
        /// The target recall, above 0 and at most 1.
        public let asked: Double
        /// The number of neighbours searched for.
        public let k: Int
        /// The mean over the queries of the share of true neighbours found, 0…1; interpolated linearly between two
        /// measured pruning factors.
        public let measured: Double
        /// The standard error of the mean ``measured``.
        public let standardError: Double
        /// The pruning factor of such a search, 0…1: the factor on the radius beyond the nearest box. With 1 the search
        /// is exact.
        public let pruningFactor: Double
    }

    /// The number of vectors when recall was measured; 0 without a measurement.
    public let vectors: Int
    /// The number of queries at k = 1. Larger k use fewer, since each query gives more information.
    public let queries: Int
    /// The number of vectors inserted, replaced or removed since then.
    public let changes: Int
    /// The measured recall for targets of 0.8, 0.9, 0.95 and 0.99 with 1, 10 and 100 neighbours; empty without a
    /// measurement.
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
        guard let found = self.recall else { return nil }
        let pruningFactor = found.pruningFactor(for: recall, k: k)
        let measure = found.measure(pruningFactor: pruningFactor, k: k)
        return RecallReport.Row(
            asked: recall, k: k, measured: measure.recall, standardError: measure.error, pruningFactor: pruningFactor)
    }
}

extension VectorIndex {
    private var calibration: RecallCalibration { invertedFile?.calibration ?? RecallCalibration() }

    /// The measured recall of searches in mode ``SearchMode/recall(_:)``; a flat index has none.
    public var recallReport: RecallReport { RecallReport(calibration) }

    /// The measured recall of a search in mode ``SearchMode/recall(_:)``.
    ///
    /// - Parameters:
    ///   - recall: The target recall, above 0 and at most 1.
    ///   - k: The number of neighbours. Recall is measured for 1, 10 and 100; for other k it is the lower value of the
    ///     two nearest of these. Above 100, searches are exact.
    /// - Returns: The measurement; nil for an index that has no measurement and is searched exactly.
    public func measuredRecall(asking recall: Double, k: Int) -> RecallReport.Row? {
        calibration.row(asking: recall, k: k)
    }
}
