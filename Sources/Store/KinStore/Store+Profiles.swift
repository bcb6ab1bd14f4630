public import KinCore
public import KinPleasure

extension Store {
    /// Puts a profile in as it is from an instant on. Earlier versions stay, one with the same instant is replaced.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ profile: PleasureProfile, since: Timestamp) throws(KinError) {
        try put([ProfileVersion(since: since, profile: profile)])
    }

    /// Puts versions of profiles in, of whatever people: all of them or, when this throws, none.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ versions: [ProfileVersion]) throws(KinError) {
        try write("put in \(versions.count) profiles") { transaction in
            for version in versions { try transaction.put(version) }
        }
    }

    /// A person's profile as it was at an instant; nil before the first version.
    ///
    /// - Parameters:
    ///   - user: Whose profile.
    ///   - instant: The latest version is returned when it is nil.
    /// - Throws: `.corruptFile` when it is not as it was written; `.inputOutput`.
    /// - Complexity: O(log size).
    public nonisolated func profile(of user: String, at instant: Timestamp? = nil) throws(KinError) -> PleasureProfile?
    {
        try read("read the profile of \(user)") { database in
            guard let person = try People.number(of: user, in: database) else { return nil }
            let instant = instant?.microseconds ?? .max
            return try RecordQuery<ProfileVersion>(
                "WHERE person = ? AND since <= ? ORDER BY since DESC LIMIT 1", [.integer(person), .integer(instant)]
            ).first(in: database)?.profile
        }
    }

    /// All versions of a person's profile, the oldest first.
    ///
    /// - Throws: As ``profile(of:at:)``.
    public nonisolated func profileHistory(of user: String) throws(KinError) -> [ProfileVersion] {
        try read("read the profiles of \(user)") { database in
            guard let person = try People.number(of: user, in: database) else { return [] }
            return try RecordQuery<ProfileVersion>("WHERE person = ? ORDER BY since", [.integer(person)])
                .all(in: database)
        }
    }

    /// Refuses somebody of whom nothing is known, so that a mistyped id makes nobody.
    ///
    /// - Throws: `.unknownID`; `.inputOutput`.
    package nonisolated func requireKnown(_ user: String) throws(KinError) {
        try read("look for \(user)") { try People.require(user, in: $0) }
    }

    /// Everybody of whom there is a record, by ascending id.
    ///
    /// - Throws: As ``profile(of:at:)``.
    public nonisolated func users() throws(KinError) -> [String] {
        try read("list the people") { database in
            var users: [String] = []
            try SQLStatement("SELECT uid FROM person ORDER BY uid", in: database).query { row in
                users.append(row.text(0))
                return true
            }
            return users
        }
    }
}
