import GRDB

/// A transaction that writes records and collects the numbers of changed rows.
final class WriteTransaction {
    let database: Database
    private var changes = ChangeCollector()
    private var digest = HashChain(0)
    private var people: [String: Int64] = [:]
    /// The numbers of the people who may have lost their last record.
    private var possibleLeavers: Set<Int64> = []
    /// The number of records by kind that were skipped because the stored record is a later version.
    var older: [RecordKind: Int] = [:]
    /// The number of records by kind that were skipped because the stored record has a different outcome.
    var conflicting: [RecordKind: Int] = [:]
    /// The keys of people's assignments by their ids in an app, for people with an imported assignment.
    var assignments: [String: [JSONTree: [SQLValue]]] = [:]
    /// The keeper, the baby and the new id of each imported event that had no id.
    var namedEvents: Set<[String]> = []
    /// The outcomes of people's assignments that were reported or corrected and that the policies have not learned, by
    /// the assignments' keys.
    var outcomes: [String: [[SQLValue]: UserChallenge]] = [:]
    private var tables: [ObjectIdentifier: TableWriter] = [:]
    /// The row of a record that is written on its own.
    private var row = RowBytes()

    /// The keeper of the log that was looked up last; reset when owners change.
    private var lastLog: (user: String, baby: String, keeper: String?)?

    /// The source of the naming key.
    let naming: NamingKeySource
    private let cache: DerivedCache?
    /// Caches the values that the transaction made.
    private var made: [(DerivedCache, StoreVersion) -> Void] = []

    /// Creates a transaction on a connection that is in one.
    ///
    /// - Parameter cache: The cache of derived values; nil to derive them for each call.
    init(_ database: Database, naming: NamingKeySource, cache: DerivedCache? = nil) {
        self.database = database
        self.naming = naming
        self.cache = cache
    }

    /// A derived value as the transaction sees it. The cached value is used until the transaction changes one of its
    /// sources; after that the value is derived for each call.
    func derived<Value: DerivedValue>(_ type: Value.Type, for key: Value.Key) throws -> Value {
        let isChanged = Value.sources.contains { kind in changes.changes.contains { $0.kind == kind.name } }
        guard !isChanged, let cache else { return try Value(for: key, in: database) }
        return try cache.upToDate(type, for: key, in: database)
    }

    /// Replaces a cached value by a value that the transaction made, once the transaction is committed.
    func cache<Value: DerivedValue>(_ value: Value, for key: Value.Key) {
        made.append { cache, version in cache.keep(value, for: key, at: version) }
    }

    /// Caches the values that the transaction made, after it was committed as a version.
    func committed(as version: StoreVersion) {
        guard let cache else { return }
        for keep in made { keep(cache, version) }
    }

    /// The owner who keeps the log that a person shares of a baby; nil if the person shares no log of the baby.
    func keeper(of user: String, baby: String) throws -> String? {
        if let last = lastLog, last.baby == baby, last.user == user || last.keeper == user { return last.keeper }
        let keeper = try BabyOwners.keeper(of: user, baby: baby, in: database)
        lastLog = (user, baby, keeper)
        return keeper
    }

    /// Changes the table of owners, and logs the change for the people whose logs depend on it.
    func changeOwners(of people: some Sequence<String>, _ sql: String, _ values: [SQLValue]) throws {
        try SQLStatement(sql, in: database).run(values)
        for person in people { noteRemoved(BabyRecord.kind, 0, person: try number(ofPerson: person)) }
        lastLog = nil
    }

    /// Inserts or replaces a record by its key. A record in a baby's log is written to the log that its user shares.
    ///
    /// The written row is read again, because members of records are variables, and their values are not checked.
    ///
    /// - Parameter isReport: Whether the record may be an earlier version of the stored one (``StoredRecord/isEarlier``),
    ///   and is then skipped and counted in ``older``. A command has read the stored record, and always replaces it.
    /// - Returns: The number of the row.
    /// - Throws: `.invalidArgument` if the stored record belongs to a different person, or could not be read again.
    @discardableResult
    func put<Record: StoredRecord>(_ record: Record, isReport: Bool = false) throws -> Int64 {
        row.removeAll()
        row.append(record)
        let number = try row.withRow(at: 0..<row.count) { row in
            let writeParts = Record.writeParts.map { write in { number in try write(record, number, self.database) } }
            return try put(
                row, of: Record.self, owner: record.owner, isReport: isReport, reading: { record },
                writeParts: writeParts)
        }
        // Only a policy has parts. It checks its own values, and its state may take megabytes.
        guard Record.writeParts == nil else { return number }
        do {
            _ = try RecordQuery<Record>("WHERE number = ?", [.integer(number)]).first(in: database)
        } catch let error as KinError where error.code == .corruptFile {
            throw Record.unstorable(error)
        }
        return number
    }

    /// Inserts or replaces a record by its row; as ``put(_:isReport:)``. A row that equals the stored row is not a change.
    ///
    /// Not generic, because a copy for each kind of record would take a hundred kilobytes.
    ///
    /// - Parameters:
    ///   - row: The row, whose numbers are set.
    ///   - type: The type of the record.
    ///   - owner: The id of the person who owns the record.
    ///   - isReport: As for ``put(_:isReport:)``.
    ///   - record: Returns the record of the row.
    ///   - writeParts: Writes the record's parts in other tables after the row with the given number was written;
    ///     returns their checksum. nil for a record without parts.
    @discardableResult
    func put(
        _ row: RowView, of type: any StoredRecord.Type, owner: String?, isReport: Bool,
        reading record: () throws -> any StoredRecord, writeParts: ((Int64) throws -> UInt32)? = nil
    ) throws -> Int64 {
        let kind = type.kind
        if let owner, kind.babyColumn != nil, let baby = row.values[2].text,
            let keeper = try keeper(of: owner, baby: baby), keeper != owner
        {
            let moved = try record().kept(by: keeper)
            var kept = RowBytes()
            kept.append(moved)
            return try kept.withRow(at: 0..<kept.count) {
                try put($0, of: type, owner: keeper, isReport: isReport, reading: { moved })
            }
        }
        let person = try owner.map { try self.number(ofPerson: $0) }
        if let person { row.set(person: person) }
        let table = try writer(of: kind)
        let number: Int64
        if let inserted = try table.insert(row) {
            try requireVisibleKey(of: row, table)
            number = inserted
        } else {
            number = try self.number(of: row, person: person, table)
            if isReport, hasVersions(type), try isSuperseded(record(), at: number) { return number }
            row.set(number: number)
            guard try table.update.write(row) || writeParts != nil else { return number }
        }
        digest.mix(row.checksum)
        digest.mix(try writeParts?(number) ?? 0)
        changes.log(kind, number, person: person)
        return number
    }

    private func hasVersions<Record: StoredRecord>(_ type: Record.Type) -> Bool { Record.isEarlier != nil }

    /// Whether a report contradicts the stored record with a number or is earlier, and is therefore skipped; counts it.
    private func isSuperseded<Record: StoredRecord>(_ record: Record, at number: Int64) throws -> Bool {
        guard let stored = try RecordQuery<Record>("WHERE number = ?", [.integer(number)]).first(in: database) else {
            return false
        }
        if record.conflicts(with: stored) {
            conflicting[Record.kind, default: 0] += 1
        } else if Record.isEarlier?(record, stored) ?? false {
            older[Record.kind, default: 0] += 1
        } else {
            return false
        }
        return true
    }

    /// Writes an imported record, adapted by its kind.
    func adopt<Record: StoredRecord>(_ record: Record) throws -> Int64 {
        try put(record.adopted(by: self), isReport: true)
    }

    /// Records a change by other statements: of a row's parts in a separate table, with the checksum of the parts, or the
    /// deletion of the row with its person.
    func noteChanged(_ kind: RecordKind, _ number: Int64, checksum: UInt32 = 0) {
        digest.mix(checksum)
        changes.log(kind, number, person: nil)
    }

    /// Deletes the record with a key.
    ///
    /// - Returns: Whether the record existed.
    func remove(_ kind: RecordKind, key: [SQLValue]) throws -> Bool {
        let find = try SQLStatement(kind.find, in: database)
        guard let (number, person) = try Self.found(by: find, key, of: kind) else { return false }
        try remove(kind, number, person: person)
        return true
    }

    /// Deletes the row with a number.
    func remove(_ kind: RecordKind, _ number: Int64, person: Int64?) throws {
        if kind == OwnContribution.kind { try noteRecipients(where: Self.ofContribution, [.integer(number)]) }
        try RowNumbers.keep(for: [kind], in: database)
        try SQLStatement(kind.delete, in: database).run([.integer(number)])
        digest.mix(number)
        noteRemoved(kind, number, person: person)
    }

    /// Logs a removed row. Its person may then have no record.
    private func noteRemoved(_ kind: RecordKind, _ number: Int64, person: Int64?) {
        changes.log(kind, number, person: person)
        if let person { possibleLeavers.insert(person) }
    }

    private static let ofContribution = "contribution = (SELECT id FROM contribution WHERE number = ?)"

    /// Records that people may lose their last record with the inbox items that meet a condition.
    func noteRecipients(where condition: String, _ values: [SQLValue] = []) throws {
        let query = "SELECT DISTINCT person FROM inbox WHERE \(condition)"
        possibleLeavers.formUnion(try SQLStatement(query, in: database).all(values) { $0.integer(0) })
    }

    /// Appends the changes to the change log, and deletes the people whose last record was removed.
    ///
    /// - Returns: The version after the transaction.
    func finish() throws -> StoreVersion {
        // Statements are released here: the database cannot be closed and reopened while one exists.
        tables = [:]
        let version =
            changes.changes.isEmpty
            ? try ChangeLog.version(in: database)
            : try ChangeLog.append(changes.changes, digest: digest, in: database)
        for person in possibleLeavers { try People.removeWithoutRecords(among: person...person, in: database) }
        return version
    }

    // MARK: - Rows

    /// Requires that the ids in the key of a new row have no hidden character.
    private func requireVisibleKey(of row: RowView, _ table: TableWriter) throws {
        try row.forEach { position, value in
            guard case .text(let bytes) = value, table.keyPositions.contains(position),
                unsafe bytes.contains(where: { $0 >= 0x7F })
            else { return }
            try unsafe RecordID.requireVisible(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The number of the stored row with the same key as a row.
    ///
    /// - Throws: `.invalidArgument` if the stored row belongs to a different person.
    private func number(of row: RowView, person: Int64?, _ table: TableWriter) throws -> Int64 {
        let kind = table.kind
        let values = row.values
        let key = table.keyPositions.map { values[$0] }
        guard let found = try Self.found(by: table.find, key, of: kind) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "index of \(kind.name)")
        }
        guard found.person == person else {
            throw KinError(
                .invalidArgument,
                "a \(kind.name) with this id belongs to a different person; use a different id"
            ).within(kind.name, key.last?.text ?? "")
        }
        return found.number
    }

    /// The number of the row with a key and the number of its person; nil if there is no such row.
    private static func found(
        by find: SQLStatement, _ key: [SQLValue], of kind: RecordKind
    ) throws -> (number: Int64, person: Int64?)? {
        try find.first(key) { row in (row.integer(0), kind.isOwned ? row.integer(1) : nil) }
    }

    private func writer(of kind: RecordKind) throws -> TableWriter {
        if let table = tables[ObjectIdentifier(kind)] { return table }
        let table = try TableWriter(kind, in: database)
        tables[ObjectIdentifier(kind)] = table
        return table
    }

    /// The number of a person; a new person is inserted.
    func number(ofPerson uid: String) throws -> Int64 {
        if let number = people[uid] { return number }
        let insert = try SQLStatement("INSERT INTO person (uid) VALUES (?) ON CONFLICT DO NOTHING", in: database)
        try insert.run([.text(uid)])
        if database.changesCount > 0 { try RecordID.requireVisible(uid) }
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
    /// The positions of the key in a row.
    let keyPositions: [Int]
    private let insert: SQLStatement
    private var next: Int64

    init(_ kind: RecordKind, in database: Database) throws {
        self.kind = kind
        insert = try SQLStatement(kind.insert, in: database)
        update = try SQLStatement(kind.update, in: database)
        find = try SQLStatement(kind.find, in: database)
        keyPositions = kind.key.map { kind.columns.firstIndex(of: $0)! + 1 }
        next = try RowNumbers.largest(of: kind, in: database) + 1
    }

    /// Inserts a row under the next number; nil if its key exists.
    func insert(_ row: RowView) throws -> Int64? {
        row.set(number: next)
        guard try insert.write(row) else { return nil }
        defer { next += 1 }
        return next
    }
}

/// The row numbers in use. No number is assigned twice: apps store row numbers (``Store/put(_:threads:)`` returns them)
/// and must not reach a different record by an old number.
///
/// The largest number of a table is the number of its last row or, after deletions, the stored number.
enum RowNumbers {
    /// The largest row number that a kind has used; 0 if none.
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
    /// The number of a person; nil for a person without records.
    ///
    /// - Throws: `.invalidArgument` for a malformed id.
    static func number(of uid: String, in database: Database) throws -> Int64? {
        try SQLStatement("SELECT number FROM person WHERE uid = ?", in: database)
            .first([.id(uid, "user")]) { $0.integer(0) }
    }

    /// Deletes the people without records who share no baby's log. Their bytes are erased when a person is forgotten.
    ///
    /// - Parameter numbers: The numbers of the people to look at. Default: all.
    static func removeWithoutRecords(among numbers: ClosedRange<Int64> = .min ... .max, in database: Database) throws {
        let tables = RecordKind.all.filter(\.isOwned).map(\.name) + ["baby_owner"]
        let conditions = tables.map { " AND NOT EXISTS (SELECT 1 FROM \($0) WHERE person = person.number)" }.joined()
        let removed = try SQLStatement(
            "DELETE FROM person WHERE number BETWEEN ? AND ?\(conditions) RETURNING number", in: database
        ).all([.integer(numbers.lowerBound), .integer(numbers.upperBound)]) { $0.integer(0) }
        for person in removed { try ChangeLog.removeOwner(person, in: database) }
        if !removed.isEmpty { try Erasure.enter(.removed, in: database) }
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
