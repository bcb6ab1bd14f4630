import GRDBSQLite
import Kin
import KinStore

/// The rows of a store's session table, with the rows of its people.
struct StoredSessions {
    let people: [[SQLiteValue]]
    let rows: [[SQLiteValue]]

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

/// A copy of a value in a row.
@safe
final class SQLiteValue {
    private let copy: OpaquePointer?

    init(column: Int, of statement: OpaquePointer?) {
        unsafe copy = sqlite3_value_dup(sqlite3_column_value(statement, CInt(column)))
    }

    deinit { unsafe sqlite3_value_free(copy) }

    /// Binds the value; SQLite copies its bytes.
    func bind(to column: Int, of statement: OpaquePointer?) {
        unsafe sqlite3_bind_value(statement, CInt(column + 1), copy)
    }
}

/// A database accessed through SQLite's own functions, with the settings of a store.
@safe
final class PlainSQLite {
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
    func insert(_ rows: [[SQLiteValue]], into table: String) throws {
        for row in rows {
            if unsafe inserts[table] == nil {
                let places = Array(repeating: "?", count: row.count).joined(separator: ", ")
                unsafe inserts[table] = try prepare("INSERT INTO \(table) VALUES (\(places))")
            }
            let statement = unsafe inserts[table]
            for (column, value) in row.enumerated() { unsafe value.bind(to: column, of: statement) }
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
    func rows(_ sql: String) throws -> [[SQLiteValue]] {
        let statement = unsafe try prepare(sql)
        defer { unsafe sqlite3_finalize(statement) }
        var rows: [[SQLiteValue]] = []
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            let columns = unsafe Int(sqlite3_column_count(statement))
            rows.append((0..<columns).map { unsafe SQLiteValue(column: $0, of: statement) })
        }
        return rows
    }

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw WrongResult(description: "SQLite cannot prepare \(sql)")
        }
        return unsafe statement
    }
}
