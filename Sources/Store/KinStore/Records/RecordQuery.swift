import GRDB
import KinCore

/// Records of one kind that fulfil a condition, in an order.
struct RecordQuery<Record: StoredRecord> {
    /// What follows `SELECT … FROM table`: joins, WHERE, ORDER BY, LIMIT.
    let condition: String
    let values: [SQLValue]

    init(_ condition: String = "", _ values: [SQLValue] = []) {
        self.condition = condition
        self.values = values
    }

    /// Reads the records one after the other.
    ///
    /// - Parameter body: returns whether it wants more.
    func forEach(in database: Database, _ body: (Record, Int64) throws -> Bool) throws {
        let statement = try SQLStatement("\(Record.kind.select) \(condition)", in: database)
        try statement.query(values) { row in
            let row = try StoredRow(row, of: Record.kind)
            return try body(row.record(), row.number)
        }
    }

    func all(in database: Database) throws -> [Record] {
        var records: [Record] = []
        try forEach(in: database) { record, _ in
            records.append(record)
            return true
        }
        return records
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
    /// The row's record.
    ///
    /// - Throws: `.corruptFile` for a body that a damaged program wrote: its checksum is whole, but it is no such record.
    func record<Record: StoredRecord>(_: Record.Type = Record.self) throws(KinError) -> Record {
        do throws(KinError) {
            return try Record(row: self, body: body)
        } catch {
            throw KinError(.corruptFile, "row \(number) of table \(kind.name) is no \(kind.name): \(error)")
        }
    }
}
