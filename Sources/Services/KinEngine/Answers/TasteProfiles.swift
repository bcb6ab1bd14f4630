package import KinCore
package import KinPleasure
package import KinStore

extension TasteProfiles {
    /// Reads the profile's history and the sessions of a person from a store, O(sessions).
    ///
    /// - Returns: nil when neither a profile nor a session is known by then.
    package init?(of user: String, at instant: Timestamp, in store: Store) throws(KinError) {
        let history = TasteHistory(
            sessions: try store.sessions(of: user, limit: .max), declared: try store.profileHistory(of: user))
        guard let profiles = history.profiles(at: instant) else { return nil }
        self = profiles
    }
}
