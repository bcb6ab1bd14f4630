import GRDB
import KinCore

/// A transaction that writes records and collects the changed rows.
final class WriteTransaction {
    let database: Database
    private var changes = ChangeCollector()
    private var digest = HashChain(0)
    private var people: [String: Int64] = [:]
    /// The number of skipped records by kind, whose stored form was updated later.
    private(set) var older: [RecordKind: Int] = [:]
    private var tables: [String: TableWriter] = [:]

    /// The source of the naming key.
    let naming: NamingKeySource

    init(_ database: Database, naming: NamingKeySource) {
        self.database = database
        self.naming = naming
    }

    /// Inserts or replaces a record by its key; skips it, counting it in ``older``, when the stored one was updated
    /// later.
    ///
    /// - Returns: The number of the row.
    /// - Throws: `.invalidArgument` when the stored record belongs to another person.
    @discardableResult
    func put<Record: StoredRecord>(_ record: Record) throws -> Int64 {
        let kind = Record.kind
        let person = try record.owner.map { try number(ofPerson: $0) }
        var values = record.values
        if let person { values.insert(.integer(person), at: 0) }
        let table = try writer(of: kind)
        guard let row = try table.insert(values) else {
            let found = try row(of: values, person: person, table)
            if let updated = record.updated {
                let known = try RecordQuery<Record>("WHERE number = ?", [.integer(found)]).first(in: database)
                if let latest = known?.updated, latest > updated {
                    older[kind, default: 0] += 1
                    return found
                }
            }
            try replace(found, values, person: person, table)
            digest.mix(try record.writeParts(of: found, in: database))
            return found
        }
        digest.mix(row.checksum)
        digest.mix(try record.writeParts(of: row.number, in: database))
        changes.note(kind, row.number, person: person)
        return row.number
    }

    /// Notes that the parts of a row in another table were changed, with their checksum.
    func notePartsChanged(of kind: RecordKind, _ number: Int64, checksum: UInt32) {
        digest.mix(checksum)
        changes.note(kind, number, person: nil)
    }

    /// Deletes the record with a key.
    ///
    /// - Returns: Whether there was one.
    func remove(_ kind: RecordKind, key: [SQLValue]) throws -> Bool {
        let find = try SQLStatement(kind.find, in: database)
        guard let (number, person) = try Self.found(by: find, key, of: kind) else { return false }
        try RowNumbers.keep(for: [kind], in: database)
        try SQLStatement(kind.delete, in: database).run([.integer(number)])
        digest.mix(number)
        changes.note(kind, number, person: person)
        return true
    }

    /// Appends the changes to the change log.
    ///
    /// - Returns: The version after the transaction.
    func finish() throws -> StoreVersion {
        changes.changes.isEmpty
            ? try ChangeLog.version(in: database)
            : try ChangeLog.append(changes.changes, digest: digest, in: database)
    }

    // MARK: - Rows

    /// The number of the row with the key in some values.
    ///
    /// - Throws: `.invalidArgument` when the row belongs to another person.
    private func row(of values: [SQLValue], person: Int64?, _ table: TableWriter) throws -> Int64 {
        let kind = table.kind
        let key = kind.key.map { values[kind.columns.firstIndex(of: $0)!] }
        guard let found = try Self.found(by: table.find, key, of: kind) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "index of \(kind.name)")
        }
        guard found.person == person else {
            throw KinError(
                .invalidArgument,
                "a \(kind.name) with this id belongs to another person; give it an id of its own"
            ).within(kind.name, key.last?.text ?? "")
        }
        return found.number
    }

    /// The number of the row with a key and that of its person; nil when there is none.
    private static func found(
        by find: SQLStatement, _ key: [SQLValue], of kind: RecordKind
    ) throws -> (number: Int64, person: Int64?)? {
        try find.first(key) { row in (row.integer(0), kind.isOwned ? row.integer(1) : nil) }
    }

    private func replace(_ number: Int64, _ values: [SQLValue], person: Int64?, _ table: TableWriter) throws {
        let checksum = StoredRow.checksum(number: number, values)
        try table.update.run(values + [.integer(Int64(checksum)), .integer(number)])
        digest.mix(checksum)
        changes.note(table.kind, number, person: person)
    }

    private func writer(of kind: RecordKind) throws -> TableWriter {
        if let table = tables[kind.name] { return table }
        let table = try TableWriter(kind, in: database)
        tables[kind.name] = table
        return table
    }

    /// The number of a person, inserted when new.
    private func number(ofPerson uid: String) throws -> Int64 {
        if let number = people[uid] { return number }
        let insert = try SQLStatement("INSERT INTO person (uid) VALUES (?) ON CONFLICT DO NOTHING", in: database)
        try insert.run([.text(uid)])
        let number = try People.number(of: uid, in: database)
        guard let number else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "index of person") }
        people[uid] = number
        return number
    }
}

/// The prepared statements for many rows of one table.
private final class TableWriter {
    let kind: RecordKind
    let find: SQLStatement
    let update: SQLStatement
    private let database: Database
    private let insert: SQLStatement
    private var next: Int64

    init(_ kind: RecordKind, in database: Database) throws {
        self.kind = kind
        self.database = database
        insert = try SQLStatement(kind.insert, in: database)
        update = try SQLStatement(kind.update, in: database)
        find = try SQLStatement(kind.find, in: database)
        next = try RowNumbers.largest(of: kind, in: database) + 1
    }

    /// Inserts a row; nil when its key exists.
    func insert(_ values: [SQLValue]) throws -> (number: Int64, checksum: UInt32)? {
        let number = next
        let checksum = StoredRow.checksum(number: number, values)
        var row: [SQLValue] = []
        row.reserveCapacity(values.count + 2)
        row.append(.integer(number))
        row += values
        row.append(.integer(Int64(checksum)))
        try insert.run(row)
        guard database.changesCount > 0 else { return nil }
        next += 1
        return (number, checksum)
    }
}

/// The row numbers in use: none is assigned twice, since apps keep them (``Store/put(_:)-([PleasureSession])`` returns
/// them) and must not reach another record by them.
///
/// The largest number of a table is that of its last row or, after deletions, the stored one.
enum RowNumbers {
    /// The largest row number that a kind has used; 0 when none.
    static func largest(of kind: RecordKind, in database: Database) throws -> Int64 {
        let query = """
            SELECT max(ifnull((SELECT max(number) FROM \(kind.name)), 0), ifnull((SELECT largest FROM numbering WHERE kind = ?), 0))
            """
        return try SQLStatement(query, in: database).first([.text(kind.name)]) { $0.integer(0) } ?? 0
    }

    /// Stores the largest numbers of kinds before rows are deleted.
    static func keep(for kinds: [RecordKind], in database: Database) throws {
        let keep = try SQLStatement(
            "INSERT INTO numbering VALUES (?1, ?2) ON CONFLICT DO UPDATE SET largest = ?2", in: database)
        for kind in kinds {
            let largest = try largest(of: kind, in: database)
            if largest > 0 { try keep.run([.text(kind.name), .integer(largest)]) }
        }
    }
}

/// The table of people.
enum People {
    /// The number of a person; nil when there is no record of theirs.
    ///
    /// - Throws: `.invalidArgument` for a malformed id.
    static func number(of uid: String, in database: Database) throws -> Int64? {
        try SQLStatement("SELECT number FROM person WHERE uid = ?", in: database)
            .first([.id(uid, "user")]) { $0.integer(0) }
    }

    /// Requires that a person has a record.
    ///
    /// - Throws: `.unknownID`.
    static func require(_ uid: String, in database: Database) throws {
        guard try number(of: uid, in: database) == nil else { return }
        throw KinError(
            .unknownID,
            "nothing is known of \"\(uid.prefix(40))\"; a person begins with a record of theirs, such as preferences")
    }
}
