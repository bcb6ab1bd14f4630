public import KinCore
public import KinRhythms

extension Store {
    /// Inserts or replaces babies by id. If this throws, no baby is stored.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ babies: [BabyRecord]) throws(KinError) {
        try putAll(babies, "babies")
    }

    /// Inserts or replaces events of babies' logs by id. If this throws, no event is stored.
    ///
    /// An event whose `updated` is earlier than the stored event's is skipped.
    ///
    /// - Returns: The number of skipped events.
    /// - Throws: `.inputOutput`.
    /// - Complexity: O(n log size); one synchronization of the disk.
    @discardableResult
    public func put(_ events: [CareEvent]) throws(KinError) -> Int {
        try putAll(events, "events")
    }

    /// A person's babies, by ascending id.
    ///
    /// - Throws: `.corruptFile` if a record is damaged; `.inputOutput`.
    public nonisolated func babies(of user: String) throws(KinError) -> [BabyRecord] {
        try read("list the babies of \(user)") { try RecordQuery(of: user, "ORDER BY id").all(in: $0) }
    }

    /// A baby's events by ascending start, for forecasts and analyses.
    ///
    /// - Returns: nil if neither the baby nor an event is stored.
    /// - Throws: As ``babies(of:)``.
    /// - Complexity: O(events).
    public nonisolated func rhythmLog(of user: String, baby: String) throws(KinError) -> RhythmLog? {
        try forecaster(of: user, baby: baby)?.log
    }
}
