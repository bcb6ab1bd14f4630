package import KinCore
package import KinPleasure
package import KinStore

/// A person's taste at an instant, from what was told and what was lived until then.
package struct LivedTaste: Sendable {
    /// The profile as it was last put in; nil when nobody has told.
    package let told: Profile?
    /// The told profile moved towards the sessions that ended since it was told; towards all of them where no other taste was told before.
    package let lived: Pleasure
    /// How many sessions that are.
    package let sessionCount: Int

    /// - Returns: nil when neither a profile nor a session is known by then.
    package init?(of user: String, at instant: Timestamp, in store: Store) throws(KinError) {
        let history = try store.profileHistory(of: user)
        let version = history.declaration(at: instant)
        // A taste that takes another's place begins anew; one that is told again, or for the first time, takes nothing away.
        let first = version?.since == history.first?.since ? nil : version?.since
        let sessions = try store.sessions(of: user, limit: .max).filter { session in
            let end = session.end ?? session.start
            return end <= instant && first.map { end >= $0 } ?? true
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
