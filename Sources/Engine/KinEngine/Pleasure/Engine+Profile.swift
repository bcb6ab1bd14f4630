extension Engine {
    /// A person's declared, learned and target profiles at an instant.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - instant: The instant; nil for now.
    ///   - zone: The person's time zone; nil for the zone in their preferences, else UTC.
    ///   - moods: The person's moods; nil for the mood, if any, that their profile's `current_state` names.
    /// - Throws: `.unknownID` for a person with neither a profile nor a session by then, and for an unknown time zone;
    ///   `.corruptFile`, `.inputOutput`.
    public func profile(
        of user: String, at instant: Timestamp? = nil, in zone: LocalZone? = nil, moods: Set<Mood>? = nil
    ) throws(KinError) -> PersonProfile {
        let instant = try self.instant(instant)
        return try profile(of: user, at: instant, time: self.zone(of: user, zone).timeOfDay(at: instant), moods: moods)
    }

    /// The versions of a person's declared profile, by ascending start.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public func profileHistory(of user: String) throws(KinError) -> [ProfileVersion] {
        try store.withHistory(of: user) { $0.taste.declared }
    }

    /// The profiles at an instant, with the target at a time of day and in moods.
    func profile(of user: String, at instant: Timestamp, time: TimeOfDay, moods: Set<Mood>?) throws(KinError)
        -> PersonProfile
    {
        try store.withHistory(of: user) { history throws(KinError) in
            guard let taste = history.taste.profiles(at: instant) else {
                throw KinError(
                    .unknownID, "\(user) has neither a profile nor a session at \(instant); `users` lists all people")
            }
            let target = taste.target(at: time)
            let moods = moods ?? Set(taste.declared?.currentState.flatMap(Mood.init(words:)).map { [$0] } ?? [])
            let mood = history.taste.influence(of: moods, at: instant, learned: taste.learned, target: target)
            return PersonProfile(
                user: user, instant: instant, slot: DayPart(at: time), declared: taste.declared, learned: taste.learned,
                mood: mood, target: mood?.target ?? target, sessionCount: taste.sessionCount)
        }
    }

    /// The profiles at an instant, with the target in the middle of a part of the day or at the instant.
    func profile(of user: String, in slot: DayPart?, at instant: Timestamp?, zone: LocalZone?, moods: Set<Mood>?)
        throws(KinError) -> PersonProfile
    {
        let instant = try self.instant(instant)
        let zone = try self.zone(of: user, zone)
        let time = slot.map(TimeOfDay.init(middleOf:)) ?? zone.timeOfDay(at: instant)
        return try profile(of: user, at: instant, time: time, moods: moods)
    }
}

/// The profiles of a person at an instant.
public struct PersonProfile: Sendable {
    /// The id of the person.
    public let user: String
    /// The instant of the profiles.
    public let instant: Timestamp
    /// The part of the day at the instant.
    public let slot: DayPart
    /// The latest declared profile; nil if none was declared.
    public let declared: PleasureProfile?
    /// The declared profile moved towards the sessions that ended since.
    public let learned: Pleasure
    /// The moods in force and their effects; nil for none.
    public let mood: MoodInfluence?
    /// The learned profile, shaped by the declared circadian profile at the time of day, then by the moods.
    public let target: Pleasure
    /// The number of sessions behind ``learned``.
    public let sessionCount: Int
}
