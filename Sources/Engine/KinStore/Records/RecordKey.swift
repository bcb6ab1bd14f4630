import GRDB

/// The key of a record of one type, for ``Store/change(_:_:)``.
public struct RecordKey<Record: Sendable & Hashable>: Sendable {
    private let kind: RecordKind
    /// The SQL condition on the key's columns, and their values.
    private let condition: String
    private let values: [SQLValue]
    /// Reads the record that meets a condition; nil if there is no such record.
    private let read: @Sendable (String, [SQLValue], Database) throws -> Record?
    /// Writes a record and returns the number of its row.
    private let put: @Sendable (Record, WriteTransaction) throws -> Int64

    /// Creates the key of a stored record.
    ///
    /// - Parameters:
    ///   - user: The person who owns the record; nil for shared records.
    ///   - values: The values of the key's columns after the person.
    ///   - check: Checks a changed record before it is written.
    init(
        user: SQLValue? = nil, _ values: SQLValue..., check: @escaping @Sendable (Record) throws -> Void = { _ in }
    ) where Record: StoredRecord {
        kind = Record.kind
        condition =
            "WHERE "
            + kind.key.map { $0 == "person" ? "person = (SELECT number FROM person WHERE uid = ?)" : "\($0) = ?" }
            .joined(separator: " AND ")
        self.values = (user.map { [$0] } ?? []) + values
        read = { try RecordQuery<Record>($0, $1).first(in: $2) }
        put = { record, transaction in
            try check(record)
            return try transaction.put(record)
        }
    }

    /// The name of the kind.
    var noun: String { kind.name }

    /// The stored record; nil if it does not exist.
    func find(in database: Database) throws -> Record? { try read(condition, values, database) }

    /// The number of the record's row and the number of its person; nil if the record does not exist.
    private func row(in database: Database) throws -> (number: Int64, person: Int64?)? {
        let owner = kind.isOwned ? "person" : "NULL"
        return try SQLStatement("SELECT number, \(owner) FROM \(kind.name) \(condition)", in: database).first(values) {
            ($0.integer(0), $0.isNull(1) ? nil : $0.integer(1))
        }
    }

    /// Changes the record inside a transaction.
    ///
    /// - Throws: The errors of the body; `.invalidArgument` if the body changes the key.
    func change<Result>(in transaction: WriteTransaction, _ body: (inout Record?) throws -> Result) throws -> Result {
        let database = transaction.database
        let before = try find(in: database)
        var record = before
        let result = try body(&record)
        guard record != before else { return result }
        guard let record else {
            if let row = try row(in: database) { try transaction.remove(kind, row.number, person: row.person) }
            return result
        }
        let written = try put(record, transaction)
        guard try row(in: database)?.number == written else {
            throw KinError(.invalidArgument, "a change of a \(noun) must keep its key; remove it and put the new one")
        }
        return result
    }
}

extension RecordKey<PleasureSession> {
    /// The session with an id.
    ///
    /// - Throws: `.invalidArgument` for a malformed id.
    public static func session(_ id: String) throws(KinError) -> RecordKey { RecordKey(try .id(id, "session")) }
}

extension RecordKey<ChallengePreferences> {
    /// The preferences of a person.
    ///
    /// - Throws: `.invalidArgument` for a malformed id.
    public static func preferences(of user: String) throws(KinError) -> RecordKey {
        RecordKey(user: try .id(user, "user"))
    }
}

extension RecordKey<ContentRotation> {
    /// The rotation of a person.
    ///
    /// - Throws: `.invalidArgument` for a malformed id.
    public static func rotation(of user: String) throws(KinError) -> RecordKey {
        RecordKey(user: try .id(user, "user"))
    }
}

extension RecordKey<Soul> {
    /// The soul of a person.
    ///
    /// - Throws: `.invalidArgument` for a malformed id.
    public static func soul(of user: String) throws(KinError) -> RecordKey { RecordKey(user: try .id(user, "user")) }
}

extension RecordKey<AffinitySettings> {
    /// The affinity settings of the store.
    public static var affinitySettings: RecordKey { RecordKey(.text(AffinitySettings.id)) { _ = try $0.checked() } }
}
