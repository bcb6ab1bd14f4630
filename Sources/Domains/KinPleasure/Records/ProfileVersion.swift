public import KinCore

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

extension [ProfileVersion] {
    /// The version at an instant, with its start moved back to the first version that declared the same pleasures
    /// without a change since. The versions must be in ascending order.
    ///
    /// A version that changes other fields only is not a new declaration, so sessions since the earlier one still
    /// count.
    ///
    /// - Returns: nil before the first version.
    public func declaration(at instant: Timestamp) -> ProfileVersion? {
        guard let last = lastIndex(where: { $0.since <= instant }) else { return nil }
        let before = self[..<last].lastIndex { $0.profile.pleasure != self[last].profile.pleasure }
        return ProfileVersion(
            since: self[before.map { $0 + 1 } ?? startIndex].since, profile: self[last].profile)
    }
}
