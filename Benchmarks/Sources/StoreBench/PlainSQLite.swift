import GRDBSQLite
import Kin
import KinStore

/// The rows of a store's table of sessions, with those of its people.
struct StoredSessions {
    /// A row of the table `session`.
    struct Row {
        let number: Int64
        let person: Int64
        let id: [UInt8]
        let start: Int64
        let state: [UInt8]
        let vector: [UInt8]
        let body: [UInt8]
        let checksum: Int64
    }

    private(set) var people: [(number: Int64, uid: [UInt8])] = []
    private(set) var rows: [Row] = []

    /// Puts sessions into a new store at a path, closes it and reads its rows, by ascending number.
    init(_ sessions: [PleasureSession], through path: String) async throws {
        let store = try Store(at: path)
        try await store.put(sessions)
        try await store.close()
        let database = try PlainSQLite(path: path)
        try database.query("SELECT number, uid FROM person ORDER BY number") { row in
            people.append((row.integer(0), row.bytes(1)))
        }
        try database.query(
            "SELECT number, person, id, start, state, vector, body, seal FROM session ORDER BY number"
        ) { row in
            rows.append(
                Row(
                    number: row.integer(0), person: row.integer(1), id: row.bytes(2), start: row.integer(3),
                    state: row.bytes(4), vector: row.bytes(5), body: row.bytes(6), checksum: row.integer(7)))
        }
    }
}

/// A database by SQLite's own functions, with the settings of a store.
@safe
final class PlainSQLite {
    private let database: OpaquePointer
    private var insert: OpaquePointer?

    /// Opens a database, which may be a store that is closed.
    init(path: String) throws {
        var handle: OpaquePointer?
        guard unsafe sqlite3_open(path, &handle) == SQLITE_OK, let open = unsafe handle else {
            throw WrongResult(description: "SQLite does not open \(path)")
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
        unsafe sqlite3_finalize(insert)
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
        try insert(people: sessions.people)
        for row in sessions.rows { try insert(row) }
        try execute("COMMIT")
    }

    /// Inserts people.
    func insert(people: [(number: Int64, uid: [UInt8])]) throws {
        let person = unsafe try prepare("INSERT INTO person VALUES (?, ?)")
        defer { unsafe sqlite3_finalize(person) }
        for (number, uid) in people {
            unsafe sqlite3_bind_int64(person, 1, number)
            unsafe bind(text: uid, to: 2, of: person)
            try unsafe step(person)
        }
    }

    /// Inserts one session.
    func insert(_ row: StoredSessions.Row) throws {
        if unsafe insert == nil { unsafe insert = try prepare("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)") }
        unsafe sqlite3_bind_int64(insert, 1, row.number)
        unsafe sqlite3_bind_int64(insert, 2, row.person)
        unsafe bind(text: row.id, to: 3, of: insert)
        unsafe sqlite3_bind_int64(insert, 4, row.start)
        unsafe bind(text: row.state, to: 5, of: insert)
        unsafe sqlite3_bind_blob(insert, 6, row.vector, CInt(row.vector.count), Self.transient)
        unsafe bind(text: row.body, to: 7, of: insert)
        unsafe sqlite3_bind_int64(insert, 8, row.checksum)
        try unsafe step(insert)
    }

    /// Executes SQL without results.
    func execute(_ sql: String) throws {
        guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw WrongResult(
                description: "SQLite does not execute \(sql): \(unsafe String(cString: sqlite3_errmsg(database)))")
        }
    }

    /// A row of a query, valid within the call that receives it.
    @safe
    struct Row {
        fileprivate let statement: OpaquePointer?

        func integer(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

        func bytes(_ column: CInt) -> [UInt8] {
            let start = unsafe sqlite3_column_blob(statement, column)
            return unsafe Array(
                UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
        }
    }

    /// Calls a body with each row of a query.
    func query(_ sql: String, _ body: (Row) throws -> Void) throws {
        let statement = unsafe try prepare(sql)
        defer { unsafe sqlite3_finalize(statement) }
        while unsafe sqlite3_step(statement) == SQLITE_ROW { try unsafe body(Row(statement: statement)) }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw WrongResult(description: "SQLite does not prepare \(sql)")
        }
        return unsafe statement
    }

    private func bind(text: [UInt8], to position: CInt, of statement: OpaquePointer?) {
        unsafe text.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            _ = unsafe sqlite3_bind_text(statement, position, start, CInt(bytes.count), Self.transient)
        }
    }

    private func step(_ statement: OpaquePointer?) throws {
        let status = unsafe sqlite3_step(statement)
        unsafe sqlite3_reset(statement)
        guard status == SQLITE_DONE else { throw WrongResult(description: "SQLite inserts no row: \(status)") }
    }

    /// `SQLITE_TRANSIENT`, a macro in C: SQLite copies the bytes.
    private static var transient: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
