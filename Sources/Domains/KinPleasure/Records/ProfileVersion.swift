public import KinCore

/// A profile that holds from an instant until the next version.
public struct ProfileVersion: Sendable, Hashable {
    /// The first instant of the version.
    public let since: Timestamp
    /// The profile that holds from then on.
    public let profile: PleasureProfile

    /// Creates a version of a profile.
    public init(since: Timestamp, profile: PleasureProfile) {
        self.since = since
        self.profile = profile
    }
}

extension [ProfileVersion] {
    /// The version that holds at an instant, dated back to when its pleasures were first declared without a change
    /// since. The versions are in ascending order.
    ///
    /// A version that changes other fields only is no new declaration, so sessions since the earlier one still count.
    ///
    /// - Returns: nil before the first version.
    public func declaration(at instant: Timestamp) -> ProfileVersion? {
        guard let last = lastIndex(where: { $0.since <= instant }) else { return nil }
        let before = self[..<last].lastIndex { $0.profile.pleasure != self[last].profile.pleasure }
        return ProfileVersion(
            since: self[before.map { $0 + 1 } ?? startIndex].since, profile: self[last].profile)
    }
}
