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
            try emptyLog()
            try pool.write { database in
                try database.execute(sql: "DELETE FROM duty WHERE name = ?", arguments: [Self.duty])
            }
        }
    }

    private func emptyLog() throws {
        let isBusy = try pool.writeWithoutTransaction { database in
            try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") ?? true
        }
        guard isBusy else { return }
        throw KinError(
            .busy,
            """
            the records are gone, but a reader holds an older state of the store, so their bytes are not; forget again, or open \
            the store anew, when it is done
            """
        ).within("file", place.database)
    }
}
