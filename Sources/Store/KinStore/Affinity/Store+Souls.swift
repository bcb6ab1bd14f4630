public import KinAffinity
public import KinCore

extension Store {
    /// Inserts or replaces souls by person: all of them or, when this throws, none.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ souls: [Soul]) throws(KinError) {
        try write("put in \(souls.count) souls") { transaction in
            for soul in souls { try transaction.put(soul) }
        }
    }

    /// The soul of a person; nil when there is none.
    ///
    /// - Throws: `.corruptFile` when it is not as it was written; `.inputOutput`.
    public nonisolated func soul(of user: String) throws(KinError) -> Soul? {
        try read("read the soul of \(user)") { database in
            guard let person = try People.number(of: user, in: database) else { return nil }
            return try RecordQuery<Soul>("WHERE person = ?", [.integer(person)]).first(in: database)
        }
    }

    /// All souls in the store.
    ///
    /// - Throws: As ``soul(of:)``.
    public nonisolated func souls() throws(KinError) -> [Soul] {
        try read("read the souls") { try RecordQuery<Soul>("ORDER BY number").all(in: $0) }
    }

    /// The anonymous name of a person; nil before the store has a naming key.
    ///
    /// - Throws: `.inputOutput`.
    public nonisolated func anonymousName(of user: String) throws(KinError) -> AnonymousName? {
        try read("name a person") { database in
            let id = try RecordID.checked(user, field: "user")
            if let person = try People.number(of: id, in: database),
                let known = try NameRecord.name(of: person, in: database)
            {
                return known
            }
            return try naming.key(in: database)?.name(of: id)
        }
    }
}
