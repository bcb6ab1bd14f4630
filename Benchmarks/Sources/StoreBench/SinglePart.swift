import Foundation
import GRDBSQLite
import Kin
import KinStore
import Measuring

/// Single inserts, each on the disk when the call returns, beside SQLite without the store and the disk without SQLite.
///
/// The three take turns, insert by insert, so that what else the machine does disturbs all alike.
struct SinglePart {
    let folder: String
    let count: Int

    func run() async throws {
        let sessions = try SampleSessions(count: count, people: 7, seed: 5).all
        let store = try Store(at: "\(folder)/single.db")
        let plain = try PlainSQLite(path: "\(folder)/plain.db")
        let disk = try PlainFile(path: "\(folder)/plain.file")
        var times: [[Double]] = [[], [], []]
        for session in sessions {
            times[0].append(try await seconds { try await store.put([session]) }.1)
            times[1].append(try Timing.seconds { try plain.insert(session) })
            times[2].append(try Timing.seconds { try disk.append() })
        }
        try await store.close()
        row("one insert, durable", "median µs", "of SQLite's")
        row("---", "---:", "---:")
        let medians = times.map { $0.sorted()[$0.count / 2] }
        let names = [
            "store", "SQLite alone: the same row in the same table, with the same indexes and settings",
            "4 KiB appended and fsync",
        ]
        for (name, median) in zip(names, medians) {
            row(name, digits(median * 1e6), digits(median / medians[1]))
        }
        print("")
    }
}

/// A table like the store's, by SQLite's own functions.
@safe
private final class PlainSQLite {
    private let database: OpaquePointer
    private let insert: OpaquePointer
    private var number: Int64 = 0

    init(path: String) throws {
        var handle: OpaquePointer?
        guard unsafe sqlite3_open(path, &handle) == SQLITE_OK, let open = unsafe handle else {
            throw WrongResult(description: "SQLite does not open \(path)")
        }
        unsafe database = open
        let schema = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
            CREATE TABLE session (number INTEGER PRIMARY KEY, person INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
                start INTEGER NOT NULL, state TEXT NOT NULL, vector BLOB NOT NULL, body TEXT NOT NULL, seal INTEGER NOT NULL);
            CREATE INDEX session_by_person ON session (person, start, id);
            """
        guard unsafe sqlite3_exec(database, schema, nil, nil, nil) == SQLITE_OK else {
            throw WrongResult(description: "SQLite does not make the table")
        }
        var statement: OpaquePointer?
        let sql = "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        guard unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
            let prepared = unsafe statement
        else { throw WrongResult(description: "SQLite does not prepare \(sql)") }
        unsafe insert = prepared
    }

    deinit {
        unsafe sqlite3_finalize(insert)
        unsafe sqlite3_close(database)
    }

    func insert(_ session: PleasureSession) throws {
        number += 1
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        unsafe sqlite3_bind_int64(insert, 1, number)
        unsafe sqlite3_bind_int64(insert, 2, number % 7)
        unsafe sqlite3_bind_text(insert, 3, session.id, -1, transient)
        unsafe sqlite3_bind_int64(insert, 4, session.start.microseconds)
        unsafe sqlite3_bind_text(insert, 5, session.state.name, -1, transient)
        unsafe session.embedding.vector.withUnsafeBytes { bytes in
            _ = unsafe sqlite3_bind_blob(insert, 6, bytes.baseAddress, CInt(bytes.count), transient)
        }
        unsafe sqlite3_bind_text(insert, 7, session.json, -1, transient)
        unsafe sqlite3_bind_int64(insert, 8, number)
        let status = unsafe sqlite3_step(insert)
        unsafe sqlite3_reset(insert)
        guard status == SQLITE_DONE else { throw WrongResult(description: "SQLite inserts no row: \(status)") }
    }
}

/// A file that grows by a page at a time, each on the disk.
private struct PlainFile {
    private let descriptor: CInt

    init(path: String) throws {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw WrongResult(description: "\(path) cannot be made") }
    }

    func append() throws {
        let page = [UInt8](repeating: 1, count: 4096)
        guard unsafe write(descriptor, page, page.count) == page.count, fsync(descriptor) == 0 else {
            throw WrongResult(description: "the disk takes no page")
        }
    }
}
