package import KinCore
package import KinPleasure
package import KinStore

/// A person's taste at an instant, from what was told and what was lived until then.
package struct LivedTaste: Sendable {
    /// The profile as it was last put in; nil when nobody has told.
    package let told: Profile?
    /// The told profile moved towards the sessions that ended since.
    package let lived: Pleasure
    /// How many sessions that are.
    package let sessionCount: Int

    /// - Returns: nil when neither a profile nor a session is known by then.
    package init?(of user: String, at instant: Timestamp, in store: Store) throws(KinError) {
        let version = try store.profileHistory(of: user).last { $0.since <= instant }
        let sessions = try store.sessions(of: user, limit: .max).filter { session in
            let end = session.end ?? session.start
            return end <= instant && version.map { end >= $0.since } ?? true
        }
        guard let since = version?.since ?? sessions.map(\.start).min() else { return nil }
        told = version?.profile
        // Where nothing was told, the start counts for nothing.
        var learner = try ProfileLearner(
            start: told?.pleasure ?? Pleasure(), since: since,
            parameters: .init(startWeight: told == nil ? 0 : ProfileLearner.Parameters().startWeight))
        for session in sessions { learner.learn(session) }
        lived = learner.profile()
        sessionCount = sessions.count
    }

    /// What the person is after at a time of day.
    package func wish(at time: LocalTime) throws(KinError) -> Pleasure {
        try Profile(userID: "-", pleasure: lived, circadian: told?.circadian ?? CircadianProfile()).query(at: time)
    }
}
