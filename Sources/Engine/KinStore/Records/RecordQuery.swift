import GRDB
import KinCore

/// A query for records of one kind: a condition and an order.
struct RecordQuery<Record: StoredRecord> {
    /// The SQL after `SELECT … FROM table`: joins, WHERE, ORDER BY, LIMIT.
    let condition: String
    let values: [SQLValue]

    init(_ condition: String = "", _ values: [SQLValue] = []) {
        self.condition = condition
        self.values = values
    }

    /// The query for a person's records; there are none of somebody who is not in the store.
    ///
    /// - Parameters:
    ///   - user: The person's id.
    ///   - condition: The SQL behind the condition on the person: AND, ORDER BY, LIMIT.
    ///   - values: The values of the condition.
    /// - Throws: `.invalidArgument` for a malformed id.
    init(of user: String, _ condition: String = "", _ values: [SQLValue] = []) throws(KinError) {
        self.init(
            "WHERE person = (SELECT number FROM person WHERE uid = ?) \(condition)", [try .id(user, "user")] + values)
    }

    /// Reads the records in turn.
    ///
    /// - Parameter body: Receives a record and its row number; returns whether to go on.
    /// - Throws: `.cancelled`, what the body throws, and the errors of the database.
    func forEach(in database: Database, _ body: (Record, Int64) throws -> Bool) throws {
        try forEachRow(in: database) { row in try body(row.record(), row.number) }
    }

    /// Reads the rows of the records in turn, verified; as ``forEach(in:_:)``.
    func forEachRow(in database: Database, _ body: (StoredRow) throws -> Bool) throws {
        let statement = try SQLStatement("\(Record.kind.select) \(condition)", in: database)
        let work = LongWork(of: nil)
        var read = 0
        try statement.query(values) { row in
            read += 1
            if read % 256 == 0 { try work.step(by: 256) }
            return try body(StoredRow(row, of: Record.kind, in: database))
        }
    }

    /// All records with their row numbers, in the order of the query.
    ///
    /// - Throws: `.corruptFile` for a row that is not as it was written; `.cancelled`.
    func numbered(in database: Database) throws -> [(number: Int64, record: Record)] {
        try map(in: database) { record, number in (number, record) }
    }

    func all(in database: Database) throws -> [Record] { try map(in: database) { record, _ in record } }

    private func map<Result>(in database: Database, _ transform: (Record, Int64) -> Result) throws -> [Result] {
        var results: [Result] = []
        try forEach(in: database) { record, number in
            results.append(transform(record, number))
            return true
        }
        return results
    }

    func first(in database: Database) throws -> Record? {
        var found: Record?
        try forEach(in: database) { record, _ in
            found = record
            return false
        }
        return found
    }
}

extension StoredRow {
    /// Reads the record in the row's body.
    ///
    /// - Throws: `.corruptFile` for a body that is no such record although its checksum holds.
    func record<Record: StoredRecord>(_: Record.Type = Record.self) throws(KinError) -> Record {
        do throws(KinError) {
            return try Record(row: self, body: body)
        } catch {
            throw KinError(.corruptFile, "row \(number) of table \(kind.name) is no \(kind.name): \(error)")
        }
    }
}
