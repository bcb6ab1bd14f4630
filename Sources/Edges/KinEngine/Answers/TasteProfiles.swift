package import KinCore
package import KinPleasure
package import KinStore

/// A person's declared and learned profiles at an instant.
package struct TasteProfiles: Sendable {
    /// The latest profile put in by then; nil when there is none.
    package let declared: PleasureProfile?
    /// The declared profile moved towards the sessions that ended since it came into force; towards all sessions when no
    /// other profile came before it.
    package let learned: Pleasure
    /// The number of sessions that ``learned`` rests on.
    package let sessionCount: Int

    /// Reads the profile's history and the sessions of a person from a store, O(sessions).
    ///
    /// - Returns: nil when neither a profile nor a session is known by then.
    package init?(of user: String, at instant: Timestamp, in store: Store) throws(KinError) {
        let history = try store.profileHistory(of: user)
        let version = history.declaration(at: instant)
        // A profile that replaces another starts anew; the first one, put in again or not, keeps all sessions.
        let first = version?.since == history.first?.since ? nil : version?.since
        let sessions = try store.sessions(of: user, limit: .max).filter { session in
            let end = session.end ?? session.start
            return end <= instant && first.map { end >= $0 } ?? true
        }
        guard let since = version?.since ?? sessions.map(\.start).min() else { return nil }
        declared = version?.profile
        // Without a declared profile the start has no weight.
        var learner = try ProfileLearner(
            start: declared?.pleasure ?? Pleasure(), since: since,
            parameters: .init(startWeight: declared == nil ? 0 : ProfileLearner.Parameters().startWeight))
        for session in sessions { learner.learn(session) }
        learned = learner.profile()
        sessionCount = sessions.count
    }

    /// The target profile at a time of day: the learned one, shaped by the declared circadian profile.
    package func target(at time: TimeOfDay) throws(KinError) -> Pleasure {
        try PleasureProfile(userID: "-", pleasure: learned, circadian: declared?.circadian ?? CircadianProfile())
            .target(at: time)
    }
}
