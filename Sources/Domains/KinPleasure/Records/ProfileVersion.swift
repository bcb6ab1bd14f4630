/// A profile that holds from an instant until the next version.
public struct ProfileVersion: Sendable, Hashable {
    /// The first instant of the version.
    public let since: Timestamp
    /// The profile that holds from that instant.
    public let profile: PleasureProfile

    /// Creates a version of a profile.
    public init(since: Timestamp, profile: PleasureProfile) {
        self.since = since
        self.profile = profile
    }
}
