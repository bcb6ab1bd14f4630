public import KinCore

/// A person's declared and learned profiles at an instant.
public struct TasteProfiles: Sendable, Hashable {
    /// The latest profile declared by then; nil when there is none.
    public let declared: PleasureProfile?
    /// The declared profile moved towards the sessions that ended since it came into force; towards all sessions when no
    /// other pleasures were declared before.
    public let learned: Pleasure
    /// The number of sessions that ``learned`` rests on.
    public let sessionCount: Int

    /// The target profile at a time of day: the learned one, shaped by the declared circadian profile.
    public func target(at time: TimeOfDay) -> Pleasure {
        learned.target(at: time, circadian: declared?.circadian ?? CircadianProfile())
    }
}
