import GRDB

/// A row of a record's table, read with ``RecordKind/select`` and verified by its checksum.
///
/// The checksum is the CRC-32C of the row's number and values: SQLite detects damage to the structure of its file, but
/// not to a text or a number.
struct StoredRow {
    let kind: RecordKind
    /// The database, for records with parts in a second table.
    let database: Database
    private let row: SQLRow

    /// Verifies the checksum of a row.
    ///
    /// - Throws: `.corruptFile` if the checksum does not match.
    init(_ row: SQLRow, of kind: RecordKind, in database: Database) throws(KinError) {
        self.row = row
        self.database = database
        self.kind = kind
        var checksum = CRC32C()
        for column in 0...kind.columns.count { row.update(&checksum, column) }
        guard row.integer(kind.columns.count + 1) == Int64(checksum.value) else {
            throw KinError(
                .corruptFile,
                "row \(number) of table \(kind.name) is not what was written; restore a copy of the database")
        }
    }

    /// The number of the row, and the id of its vector if it has one.
    var number: Int64 { row.integer(0) }

    func integer(_ column: String) -> Int64 { row.integer(position(of: column)) }

    func isNull(_ column: String) -> Bool { row.isNull(position(of: column)) }

    func text(_ column: String) -> String { row.text(position(of: column)) }

    func withBytes<Result>(
        _ column: String, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        unsafe try row.withBytes(position(of: column), body)
    }

    /// The record as JSON in UTF-8.
    var body: [UInt8] { row.bytes(kind.columns.count) }

    /// Whether the columns between person and body have the values of the record. The body may differ: a different
    /// release may write the same record differently.
    func agrees(with values: [SQLValue]) -> Bool {
        var (here, there) = (CRC32C(), CRC32C())
        let first = kind.isOwned ? 2 : 1
        guard values.count == kind.columns.count + 1 - first else { return false }
        for (column, value) in zip(first...kind.columns.count, values) where kind.columns[column - 1] != "body" {
            row.update(&here, column)
            there.update(value)
        }
        return here.value == there.value
    }

    private func position(of column: String) -> Int {
        guard let position = kind.columns.firstIndex(of: column) else {
            preconditionFailure("table \(kind.name) has no column \(column)")
        }
        return position + 1
    }

    /// Computes the checksum of a row.
    static func checksum(number: Int64, _ values: [SQLValue]) -> UInt32 {
        var checksum = CRC32C()
        checksum.update(.integer(number))
        for value in values { checksum.update(value) }
        return checksum.value
    }
}
