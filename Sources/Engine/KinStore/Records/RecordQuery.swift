import GRDB

/// A query for records of one kind: a condition and an order.
struct RecordQuery<Record: StoredRecord> {
    /// The SQL after `SELECT … FROM table`: joins, WHERE, ORDER BY, LIMIT.
    let condition: String
    let values: [SQLValue]

    init(_ condition: String = "", _ values: [SQLValue] = []) {
        self.condition = condition
        self.values = values
    }

    /// The query for a person's records; it has no results for a person who is not in the store.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - condition: The SQL after the condition on the person: AND, ORDER BY, LIMIT.
    ///   - values: The values of the condition.
    /// - Throws: `.invalidArgument` for a malformed id.
    init(of user: String, _ condition: String = "", _ values: [SQLValue] = []) throws(KinError) {
        self.init(
            "WHERE person = (SELECT number FROM person WHERE uid = ?) \(condition)", [try .id(user, "user")] + values)
    }

    /// Reads the records one after the other.
    ///
    /// - Parameter body: Receives a record and its row number.
    /// - Throws: `.cancelled`, the errors of the body, and the errors of the database.
    func forEach(in database: Database, _ body: (Record, Int64) throws -> Void) throws {
        try forEachRow(in: database) { row in try body(row.record(), row.number) }
    }

    /// Reads and verifies the rows of the records one after the other; as ``forEach(in:_:)``.
    func forEachRow(in database: Database, _ body: (StoredRow) throws -> Void) throws {
        try statement(in: database).query(values, reportingTo: LongWork(of: nil)) { row in
            try body(StoredRow(row, of: Record.kind, in: database))
        }
    }

    /// All records with their row numbers, in the order of the query.
    ///
    /// - Throws: `.corruptFile` for a damaged row; `.cancelled`.
    func numbered(in database: Database) throws -> [(number: Int64, record: Record)] {
        try map(in: database) { record, number in (number, record) }
    }

    func all(in database: Database) throws -> [Record] { try map(in: database) { record, _ in record } }

    private func map<Result>(in database: Database, _ transform: (Record, Int64) -> Result) throws -> [Result] {
        var results: [Result] = []
        try forEach(in: database) { record, number in results.append(transform(record, number)) }
        return results
    }

    func first(in database: Database) throws -> Record? {
        try statement(in: database).first(values) { try StoredRow($0, of: Record.kind, in: database).record() }
    }

    private func statement(in database: Database) throws -> SQLStatement {
        try SQLStatement("\(Record.kind.select) \(condition)", in: database)
    }
}

extension StoredRow {
    /// Reads the record in the row's body.
    ///
    /// - Throws: `.corruptFile` if the checksum matches but the body is not a record of the type.
    func record<Record: StoredRecord>(_: Record.Type = Record.self) throws(KinError) -> Record {
        do throws(KinError) {
            return try Record(row: self, body: body)
        } catch {
            throw KinError(.corruptFile, "row \(number) of table \(kind.name) is no \(kind.name): \(error)")
        }
    }
}
