import Kin
import KinJSON
import KinStore

// What every answer is made with.

extension PeopleSession {
    /// Prints one line of JSON.
    func say(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        body(&writer)
        console.print(writer.text)
    }

    /// A session that is there.
    func session(_ id: String) throws -> Session {
        guard let session = try store.session(id) else {
            throw KinError(.unknownID, "there is no session \(id); `sessions USER` lists a person's")
        }
        return session
    }

    /// All sessions of a person who has some, the oldest first.
    func lived(by user: String) throws -> [Session] {
        let sessions = try store.sessions(of: user, limit: .max)
        guard !sessions.isEmpty else {
            throw KinError(.unknownID, "\(user) has no sessions; `users` lists everybody")
        }
        return sessions.reversed()
    }

    /// What is known of a person's taste at an instant.
    func taste(of user: String, at instant: Timestamp) throws -> LivedTaste {
        guard let taste = try LivedTaste(of: user, at: instant, in: store) else {
            throw KinError(.unknownID, "nothing is known of \(user) at \(instant); `users` lists everybody")
        }
        return taste
    }
}

/// A person's taste at an instant, from what was told and what was lived until then.
struct LivedTaste {
    /// The profile as it was last put in; nil when nobody has told.
    let told: Profile?
    /// The told profile moved towards the sessions that ended since.
    let lived: Pleasure
    /// How many sessions that are.
    let sessionCount: Int

    /// - Returns: nil when neither a profile nor a session is known by then.
    init?(of user: String, at instant: Timestamp, in store: Store) throws(KinError) {
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
    func wish(at time: LocalTime) throws(KinError) -> Pleasure {
        try Profile(userID: "-", pleasure: lived, circadian: told?.circadian ?? CircadianProfile()).query(at: time)
    }
}
