extension IVFIndex {
    /// How the vectors lie in the cells. O(cells · dimension).
    public var cellReport: CellReport { CellReport(store, partition: partition.name) }

    /// What was measured of searches in mode ``SearchMode/recall(_:)``.
    public var recallReport: RecallReport { RecallReport(dial) }

    /// What a search in mode ``SearchMode/recall(_:)`` was measured to find.
    ///
    /// - Parameters:
    ///   - recall: The recall that is asked for, above 0 and at most 1.
    ///   - k: How many neighbours are wanted. Measured are 1, 10 and 100; for numbers between them this is the lesser of both
    ///     sides, above 100 the measurement at 100.
    /// - Returns: The measurement, or nil for an index that has none and searches exactly.
    public func measuredRecall(asking recall: Double, k: Int) -> RecallReport.Row? { dial.row(asking: recall, k: k) }
}
