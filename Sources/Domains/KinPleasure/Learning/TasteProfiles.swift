/// A person's declared and learned profiles at an instant.
public struct TasteProfiles: Sendable, Hashable {
    /// The latest profile declared by then; nil if none was declared.
    public let declared: PleasureProfile?
    /// The declared profile moved towards the sessions that ended since its start, or towards all sessions if no
    /// different pleasures were declared before.
    public let learned: Pleasure
    /// The number of sessions behind ``learned``.
    public let sessionCount: Int

    /// The target profile at a time of day: the learned one, shaped by the declared circadian profile.
    public func target(at time: TimeOfDay) -> Pleasure {
        learned.target(at: time, circadian: declared?.circadian ?? CircadianProfile())
    }
}
