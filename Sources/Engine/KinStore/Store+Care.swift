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

    /// The time zone of a person's preferences; nil without them, for UTC, which is their default, and for an unknown zone. Its clocks read the times of events with an offset that come without a zone.
    ///
    /// - Throws: As ``babies(of:)``; `.invalidArgument` for a malformed id.
    public nonisolated func knownZone(of user: String) throws(KinError) -> LocalZone? {
        try read("read the time zone of \(user)") { try CachedChallenges.knownZone(of: user, in: $0) }
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
