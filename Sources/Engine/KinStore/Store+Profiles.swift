extension Store {
    /// Inserts a version of a profile that is valid from an instant on. A version with the same instant is replaced;
    /// other versions remain.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ profile: PleasureProfile, since: Timestamp) throws(KinError) {
        try put([ProfileVersion(since: since, profile: profile)])
    }

    /// Inserts versions of profiles, of any people. If this throws, no version is stored.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ versions: [ProfileVersion]) throws(KinError) {
        try putAll(versions, "profiles")
    }

    /// A person's profile at an instant; nil before the first version.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - instant: The instant; nil for the latest version.
    /// - Throws: `.corruptFile` if the version is damaged; `.inputOutput`.
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
                        .corruptFile, "a person has an invalid id; restore a copy of the database")
                }
                return user
            }
        }
    }
}
