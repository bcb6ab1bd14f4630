import GRDB
import SystemPackage

/// The erasure of forgotten records from every file.
///
/// SQLite overwrites deleted rows (`secure_delete`), but copies of moved cells may remain in the free space of pages,
/// and the log has older pages. So index files are removed, the database is rewritten and the log truncated. `VACUUM`
/// would write all people's records to the system's temporary folder, so the database is rewritten through a file next
/// to it. The transaction that deletes the rows also enters the steps in the database; after a crash the next opening
/// completes them.
struct Erasure {
    let paths: StorePaths
    let pool: any DatabaseWriter
    let files: any FileOperations

    /// A pending step of an erasure, by its name in the table `duty` (the table's name since release 0.1.0).
    enum PendingTask: String {
        /// Rewriting the database and truncating its log.
        case database = "erase"
        /// Removing the index files.
        case indexes = "erase indexes"
        /// Both, when a person is forgotten: the last record of a person was removed, and the person is then unknown.
        case removed

        /// The steps that an erasure takes.
        static let steps = [database, indexes]

        /// The consequence of the pending step, for ``StoreReport/warnings``.
        var warning: String {
            self == .indexes
                ? "an index file that cannot be removed may still have bytes of a forgotten person"
                : "the database and its log may still have bytes of a forgotten person"
        }
    }

    /// Enters all steps as pending, in the transaction of the deletion.
    static func begin(in database: Database) throws {
        for task in PendingTask.steps { try enter(task, in: database) }
    }

    /// Enters a pending step.
    static func enter(_ task: PendingTask, in database: Database) throws {
        try database.execute(sql: "INSERT INTO duty VALUES (?) ON CONFLICT DO NOTHING", arguments: [task.rawValue])
    }

    private static func pending(in database: Database) throws -> [PendingTask] {
        let entered = try entered(in: database)
        return PendingTask.steps.filter(entered.contains)
    }

    private static func entered(in database: Database) throws -> [PendingTask] {
        try String.fetchAll(database, sql: "SELECT name FROM duty").compactMap(PendingTask.init)
    }

    /// Enters all steps as pending if the last record of a person was removed since the last erasure.
    static func beginAfterRemoval(in database: Database) throws {
        if try entered(in: database).contains(.removed) { try begin(in: database) }
    }

    /// One sentence for each pending step.
    static func warnings(in database: Database) throws -> [String] {
        try pending(in: database).map {
            "\($0.warning); it is tried again whenever the store is opened for writing and when a person is forgotten"
        }
    }

    /// Executes the pending steps as far as possible.
    ///
    /// - Throws: `.busy` if a reader holds an older version for more than five seconds; `.inputOutput`. The rows are
    ///   gone; the next erasure or opening does the remaining steps.
    func finish() throws(KinError) {
        do throws(KinError) { try complete() } catch { throw incomplete(error) }
    }

    private func complete() throws(KinError) {
        try attempting("remove what was forgotten", at: paths) {
            let pending = try pool.read { try Self.pending(in: $0) }
            guard !pending.isEmpty else { return }
            guard !paths.isInMemory else {
                try pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM; DELETE FROM duty") }
                return
            }
            var failure: (any Error)?
            var done: [PendingTask] = []
            // Each step is tried, whether or not the other one fails.
            do {
                try IndexFolder(path: paths.indexFolder, files: files).empty()
                done.append(.indexes)
            } catch {
                failure = error
            }
            do {
                if pending.contains(.database) {
                    try rewrite()
                    guard try emptyLog() else {
                        throw KinError(.busy, "a reader holds an older state of the store")
                            .within("file", paths.database)
                    }
                    done += [.database, .removed]
                }
            } catch {
                failure = error
            }
            try pool.write { database in
                if done.contains(.database) { SharedMemory.clear(database) }
                // Release 0.1.0 had one step for both.
                if !done.contains(.indexes) { try Self.enter(.indexes, in: database) }
                for task in done {
                    try database.execute(sql: "DELETE FROM duty WHERE name = ?", arguments: [task.rawValue])
                }
            }
            if let failure { throw failure }
        }
    }

    /// Rewrites the database without its free pages.
    ///
    /// `VACUUM INTO` writes the database to a file next to it, and SQLite's online backup copies that file back in one transaction. A crash
    /// leaves the old pages or the new pages.
    private func rewrite() throws {
        try pool.read { try requireRoom(in: $0) }
        let place = paths.database + "-erasing"
        func remove() { try? files.remove(FilePath(place)) }
        // Removes the file of a process that ended during a rewrite.
        remove()
        try OwnerOnly.create(place)
        defer { remove() }
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM INTO ?", arguments: [place])
            let copy = try DatabaseQueue(path: place)
            defer { try? copy.end() }
            try copy.read { try $0.backup(to: database) }
        }
    }

    /// Requires space in the store's folder for the database twice: in the file next to it and in the log.
    ///
    /// - Throws: `.inputOutput` with the folder.
    func requireRoom(in database: Database) throws {
        func number(_ name: String) throws -> Int { try Int.fetchOne(database, sql: "PRAGMA \(name)") ?? 0 }
        let used = try (number("page_count") - number("freelist_count")) * number("page_size")
        let needed = 2 * used + used / 64 + 1 << 20
        let parent = FilePath(paths.database).removingLastComponent()
        let folder = parent.isEmpty ? FilePath(".") : parent
        guard !paths.isInMemory, let free = try? files.freeBytes(in: folder), free < needed else { return }
        throw KinError(
            .inputOutput,
            "forgetting needs \(needed) bytes of free space in the store's folder, which has \(free); free some space and try again"
        ).within("folder", folder.string)
    }

    /// Clears the shared memory file. A recovery of the log may have left parts of this process's memory in it.
    ///
    /// If a reader prevents emptying the log, the log was in use and was not recovered.
    func clearSharedMemory() throws(KinError) {
        try attempting("empty the log", at: paths) {
            // Without waiting for readers.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
            defer { try? pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA busy_timeout = 5000") } }
            if try emptyLog() { try pool.write { SharedMemory.clear($0) } }
        }
    }

    /// Moves the log into the database and truncates it.
    ///
    /// - Returns: Whether no reader prevented it.
    private func emptyLog() throws -> Bool {
        try pool.writeWithoutTransaction { database in
            try Bool.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == false
        }
    }

    /// The error of an erasure that is not complete: the records are gone, the bytes are not.
    private func incomplete(_ failure: KinError) -> KinError {
        KinError(
            failure.code,
            """
            the records are gone, but their bytes may remain (\(failure.message)); resolve this, then forget again or reopen \
            the store
            """, context: failure.context)
    }
}
