import GRDB
import KinCore

/// Removes what was forgotten from every file: rows are only the beginning.
///
/// SQLite overwrites deleted rows (`secure_delete`), but cells that were moved within a page may leave copies in its free space, and
/// the log holds older forms of pages. So the database is written anew (`VACUUM`) and the log is cut to nothing; index files
/// are removed first. That work is noted in the database, in the transaction that deletes the rows: when a process ends in
/// the middle, the next one that opens the store finishes it.
struct Erasing {
    let place: StorePlace
    let pool: DatabasePool

    private static let duty = "erase"

    /// Notes the work in the transaction of the deletion.
    static func begin(in database: Database) throws {
        try database.execute(sql: "INSERT INTO duty VALUES (?) ON CONFLICT DO NOTHING", arguments: [duty])
    }

    /// Does the work if there is any.
    ///
    /// - Throws: `.busy` when a reader holds an older state for longer than five seconds: the rows are gone, and the rest is done at
    ///   the next forgetting or opening; `.inputOutput`, likewise.
    func finish() throws(KinError) {
        try attempting("remove what was forgotten", at: place) {
            let isDue = try pool.read { database in
                try Bool.fetchOne(database, sql: "SELECT count(*) FROM duty WHERE name = ?", arguments: [Self.duty])!
            }
            guard isDue else { return }
            try IndexFolder(path: place.indexFolder).empty()
            try pool.writeWithoutTransaction { database in try database.execute(sql: "VACUUM") }
            guard try emptyLog() else { throw stillRead }
            try pool.write { database in
                SharedMemory.clear(database)
                try database.execute(sql: "DELETE FROM duty WHERE name = ?", arguments: [Self.duty])
            }
        }
    }

    /// Clears what a recovery of the log may have left of this process's memory in the file of shared memory.
    ///
    /// Where a reader keeps the log from being emptied, the log was in use and has not been recovered.
    func clearSharedMemory() throws(KinError) {
        try attempting("empty the log", at: place) {
            // Not worth waiting for.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
            defer { try? pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 5000") } }
            if try emptyLog() { try pool.write { SharedMemory.clear($0) } }
        }
    }

    /// Brings the log into the database and cuts it to nothing; returns whether nobody kept it from that.
    private func emptyLog() throws -> Bool {
        try pool.writeWithoutTransaction { database in
            try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == false
        }
    }

    private var stillRead: KinError {
        KinError(
            .busy,
            """
            the records are gone, but a reader holds an older state of the store, so their bytes are not; forget again, or open \
            the store anew, when it is done
            """
        ).within("file", place.database)
    }
}
