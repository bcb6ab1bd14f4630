import GRDB
import KinCore
import KinIndex

/// Removes what was forgotten from every file: rows are only the beginning.
///
/// SQLite overwrites deleted rows (`secure_delete`), but cells that were moved within a page may leave copies in its free space, and
/// the log holds older forms of pages. So the database is written anew (`VACUUM`) and the log is cut to nothing; index files
/// are removed first. That work is noted in the database, in the transaction that deletes the rows: when a process ends in
/// the middle, the next one that opens the store finishes it.
struct Erasure {
    let paths: StorePaths
    let pool: DatabasePool
    let files: any FileOperations

    /// A step of an erasure that has not been done. The table and its values keep the names that they have in files of release 0.1.0.
    private enum PendingTask: String, CaseIterable {
        /// The database and its log.
        case database = "erase"
        /// The index files.
        case indexes = "erase indexes"

        /// The step's consequence while it is pending, as a warning of ``Store/check()``.
        var warning: String {
            switch self {
            case .database: "the database and its log may still have bytes of somebody who was forgotten"
            case .indexes: "an index file that cannot be removed may still have bytes of somebody who was forgotten"
            }
        }
    }

    /// Notes the work in the transaction of the deletion.
    static func begin(in database: Database) throws {
        for task in PendingTask.allCases { try note(task, in: database) }
    }

    private static func note(_ task: PendingTask, in database: Database) throws {
        try database.execute(sql: "INSERT INTO duty VALUES (?) ON CONFLICT DO NOTHING", arguments: [task.rawValue])
    }

    private static func pending(in database: Database) throws -> [PendingTask] {
        let names = Set(try String.fetchAll(database, sql: "SELECT name FROM duty"))
        return PendingTask.allCases.filter { names.contains($0.rawValue) }
    }

    /// One sentence for each pending step of an erasure.
    static func warnings(in database: Database) throws -> [String] {
        try pending(in: database).map {
            "\($0.warning); it is tried again whenever the store is opened for writing and when somebody is forgotten"
        }
    }

    /// Does the work if there is any, as much of it as can be done.
    ///
    /// - Throws: `.busy` when a reader holds an older state for longer than five seconds, `.inputOutput`: the rows are gone, and the rest is
    ///   done at the next forgetting or opening.
    func finish() throws(KinError) {
        try attempting("remove what was forgotten", at: paths) {
            let pending = try pool.read { try Self.pending(in: $0) }
            guard !pending.isEmpty else { return }
            var failure: KinError?
            var done: [PendingTask] = []
            do throws(KinError) {
                try IndexFolder(path: paths.indexFolder, files: files).empty()
                done.append(.indexes)
            } catch {
                failure = error
            }
            if pending.contains(.database) {
                try pool.writeWithoutTransaction { database in try database.execute(sql: "VACUUM") }
                guard try emptyLog() else { throw stillRead }
                done.append(.database)
            }
            try pool.write { database in
                if done.contains(.database) { SharedMemory.clear(database) }
                // A release that had one task for both may have noted it.
                if !done.contains(.indexes) { try Self.note(.indexes, in: database) }
                for task in done {
                    try database.execute(sql: "DELETE FROM duty WHERE name = ?", arguments: [task.rawValue])
                }
            }
            if let failure { throw stillThere(failure) }
        }
    }

    /// Clears what a recovery of the log may have left of this process's memory in the file of shared memory.
    ///
    /// Where a reader keeps the log from being emptied, the log was in use and has not been recovered.
    func clearSharedMemory() throws(KinError) {
        try attempting("empty the log", at: paths) {
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
        ).within("file", paths.database)
    }

    private func stillThere(_ failure: KinError) -> KinError {
        var error = KinError(
            failure.code,
            "the records are gone, but an index file that may have their bytes is not (\(failure.message)); remove it, then forget again or open the store anew"
        )
        for fact in failure.context { error = error.within(fact.name, fact.value) }
        return error
    }
}
