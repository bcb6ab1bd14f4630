public import KinCore
public import KinRhythms

extension Store {
    /// Inserts or replaces babies by id: all of them or, when this throws, none.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ babies: [BabyRecord]) throws(KinError) {
        try putAll(babies, "babies")
    }

    /// Inserts or replaces events of babies' logs by id: all of them or, when this throws, none. An event whose
    /// `updated` is earlier than that of the stored one is skipped.
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
    /// - Throws: `.corruptFile` when one is not as it was written; `.inputOutput`.
    public nonisolated func babies(of user: String) throws(KinError) -> [BabyRecord] {
        try read("list the babies of \(user)") { try RecordQuery(of: user, "ORDER BY id").all(in: $0) }
    }

    /// The log of a baby: its events by ascending start, for forecasts and analyses.
    ///
    /// - Returns: nil when neither the baby nor an event is stored.
    /// - Throws: As ``babies(of:)``.
    /// - Complexity: O(events).
    public nonisolated func rhythmLog(of user: String, baby: String) throws(KinError) -> RhythmLog? {
        try forecaster(of: user, baby: baby)?.log
    }
}
