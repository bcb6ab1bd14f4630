import GRDB

/// The anonymous name of an author. It is derived from the naming key once and then stored, so that the author has the
/// same name in other stores.
struct NameRecord: Sendable, Hashable, StoredRecord, DeclaredRecord {
    let userID: String
    let name: AnonymousName

    static let table = RecordTable<NameRecord>("anonymous_name", owner: \.userID)

    static let form = RecordSchema<NameRecord>(
        "anonymous name", id: "uid",
        .required("uid", \.userID, .id),
        .required("name", \.name, .anonymousName)
    ) { user, name throws(KinError) in
        guard !name.description.isEmpty else {
            throw .field("name", "must not be empty")
        }
        return NameRecord(userID: try RecordID.checked(user, field: "uid"), name: name)
    }

    /// The stored anonymous name of a person; nil if no name is stored.
    static func name(of user: String, in database: Database) throws -> AnonymousName? {
        try RecordQuery<NameRecord>(of: user).first(in: database)?.name
    }
}

extension WriteTransaction {
    /// The anonymous name of a person; it is created and stored on first use.
    ///
    /// - Parameter other: The person's name in the store that the records come from; nil to derive a name from the
    ///   naming key.
    @discardableResult
    func name(_ user: String, as other: AnonymousName? = nil) throws -> AnonymousName {
        if let known = try NameRecord.name(of: user, in: database) { return known }
        let name = try other ?? naming.key(makingIn: database).name(of: user)
        try put(NameRecord(userID: user, name: name))
        return name
    }
}
