public import KinCore
public import KinPleasure

extension Store {
    /// Inserts a version of a profile that holds from an instant on. Other versions stay; one with the same instant is
    /// replaced.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ profile: PleasureProfile, since: Timestamp) throws(KinError) {
        try put([ProfileVersion(since: since, profile: profile)])
    }

    /// Inserts versions of profiles, of any people: all of them or, when this throws, none.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ versions: [ProfileVersion]) throws(KinError) {
        try putAll(versions, "profiles")
    }

    /// The profile of a person at an instant; nil before the first version.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - instant: The instant; the latest version when nil.
    /// - Throws: `.corruptFile` when it is not as it was written; `.inputOutput`.
    /// - Complexity: O(log size).
    public nonisolated func profile(of user: String, at instant: Timestamp? = nil) throws(KinError) -> PleasureProfile?
    {
        try read("read the profile of \(user)") {
            try RecordQuery<ProfileVersion>(
                of: user, "AND since <= ? ORDER BY since DESC LIMIT 1", [.integer(instant?.microseconds ?? .max)]
            ).first(in: $0)?.profile
        }
    }

    /// All versions of a person's profile, by ascending start.
    ///
    /// - Throws: As ``profile(of:at:)``.
    public nonisolated func profileHistory(of user: String) throws(KinError) -> [ProfileVersion] {
        try read("read the profiles of \(user)") { try RecordQuery(of: user, "ORDER BY since").all(in: $0) }
    }

    /// The ids of all people with a record, ascending.
    ///
    /// - Throws: As ``profile(of:at:)``.
    public nonisolated func users() throws(KinError) -> [String] {
        try read("list the people") { database in
            try SQLStatement("SELECT uid FROM person ORDER BY uid", in: database).all { row in
                let user = row.text(0)
                guard let id = try? RecordID.checked(user, field: "uid"), id == user else {
                    throw KinError(
                        .corruptFile, "a person has an id that nobody gave them; restore a copy of the database")
                }
                return user
            }
        }
    }
}
