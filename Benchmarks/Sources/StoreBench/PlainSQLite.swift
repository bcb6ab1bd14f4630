import GRDBSQLite
import Kin
import KinStore

/// The rows of a store's session table, with the rows of its people.
struct StoredSessions {
    let people: [[PlainSQLite.Value]]
    let rows: [[PlainSQLite.Value]]

    /// Stores sessions in a new store at a path, closes it and reads its rows, by ascending number.
    init(_ sessions: [PleasureSession], through path: String) async throws {
        let store = try Store(at: path)
        try await store.put(sessions)
        try await store.close()
        let database = try PlainSQLite(path: path)
        people = try database.rows("SELECT number, uid FROM person ORDER BY number")
        rows = try database.rows(
            "SELECT number, person, id, start, state, vector, body, seal FROM session ORDER BY number")
    }
}

/// A database accessed through SQLite's own functions, with the settings of a store.
@safe
final class PlainSQLite {
    /// A value of a row.
    enum Value {
        case integer(Int64)
        case text([UInt8])
        case blob([UInt8])
    }

    private let database: OpaquePointer
    /// The statement that inserts a row, by table.
    private var inserts: [String: OpaquePointer] = unsafe [:]

    /// Opens a database, which may be a closed store.
    init(path: String) throws {
        var handle: OpaquePointer?
        guard unsafe sqlite3_open(path, &handle) == SQLITE_OK, let open = unsafe handle else {
            throw WrongResult(description: "SQLite cannot open \(path)")
        }
        unsafe database = open
        try execute(
            """
            PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
            PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA journal_size_limit = 67108864;
            PRAGMA cache_size = -65536;
            """)
    }

    deinit {
        unsafe inserts.values.forEach { unsafe sqlite3_finalize($0) }
        unsafe sqlite3_close(database)
    }

    /// Opens a new store's database, with its tables.
    convenience init(newStore path: String) async throws {
        try await Store(at: path).close()
        try self.init(path: path)
    }

    /// Inserts rows in one transaction.
    func insert(_ sessions: StoredSessions) throws {
        try execute("BEGIN IMMEDIATE")
        try insert(sessions.people, into: "person")
        try insert(sessions.rows, into: "session")
        try execute("COMMIT")
    }

    /// Inserts rows into a table; each has a value for every column.
    func insert(_ rows: [[Value]], into table: String) throws {
        for row in rows {
            if unsafe inserts[table] == nil {
                let places = Array(repeating: "?", count: row.count).joined(separator: ", ")
                unsafe inserts[table] = try prepare("INSERT INTO \(table) VALUES (\(places))")
            }
            let statement = unsafe inserts[table]
            for (column, value) in row.enumerated() { unsafe bind(value, to: CInt(column + 1), of: statement) }
            let status = unsafe sqlite3_step(statement)
            unsafe sqlite3_reset(statement)
            guard status == SQLITE_DONE else { throw WrongResult(description: "SQLite cannot insert a row: \(status)") }
        }
    }

    /// Executes SQL without results.
    func execute(_ sql: String) throws {
        guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw WrongResult(
                description: "SQLite cannot execute \(sql): \(unsafe String(cString: sqlite3_errmsg(database)))")
        }
    }

    /// The rows of a query.
    func rows(_ sql: String) throws -> [[Value]] {
        let statement = unsafe try prepare(sql)
        defer { unsafe sqlite3_finalize(statement) }
        var rows: [[Value]] = []
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            let columns = unsafe sqlite3_column_count(statement)
            rows.append((0..<columns).map { unsafe value(in: $0, of: statement) })
        }
        return rows
    }

    private func value(in column: CInt, of statement: OpaquePointer?) -> Value {
        let type = unsafe sqlite3_column_type(statement, column)
        guard type != SQLITE_INTEGER else { return .integer(unsafe sqlite3_column_int64(statement, column)) }
        let start = unsafe sqlite3_column_blob(statement, column)
        let bytes = unsafe Array(
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
        return type == SQLITE_TEXT ? .text(bytes) : .blob(bytes)
    }

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw WrongResult(description: "SQLite cannot prepare \(sql)")
        }
        return unsafe statement
    }

    private func bind(_ value: Value, to position: CInt, of statement: OpaquePointer?) {
        switch value {
        case .integer(let number): unsafe sqlite3_bind_int64(statement, position, number)
        case .blob(let bytes):
            unsafe sqlite3_bind_blob(statement, position, bytes, CInt(bytes.count), Self.transient)
        case .text(let bytes):
            unsafe bytes.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                _ = unsafe sqlite3_bind_text(statement, position, start, CInt(bytes.count), Self.transient)
            }
        }
    }

    /// `SQLITE_TRANSIENT`, a macro in C: SQLite copies the bytes.
    private static var transient: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
