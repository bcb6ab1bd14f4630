import Foundation
import GRDB

extension Store {
    /// Writes a backup: a consistent copy of the store in one file, while the store is in use.
    ///
    ///     try store.backup(to: "/backups/people.db")
    ///
    /// The copy contains the state of the store at the beginning of the call, without later writes. It is made next to
    /// its path, checked as ``check()`` does, synchronized to the disk and renamed into place. It has no log, writer's
    /// note or index files. Only its owner can read and write it (mode 0600). It opens as a store by itself, anywhere.
    /// ``restore(from:to:)`` replaces a store by it.
    ///
    /// An erased person is in no later backup, but earlier backups still contain them. An erasure that is still pending
    /// is also pending in the copy: its first opening for writing completes it.
    ///
    /// - Parameters:
    ///   - path: The path of the backup; its folder must exist.
    ///   - overwrite: Whether to replace an earlier backup at the path. A store in use or any other file is never
    ///     replaced.
    /// - Returns: The version of the backup.
    /// - Throws: `.invalidArgument` if the path belongs to this store or to a file that must not be replaced;
    ///   `.corruptFile` if this store is damaged; `.inputOutput`; `.cancelled` by a progress handler, which counts
    ///   pages. If this throws, an earlier backup is unchanged.
    /// - Complexity: O(size of the database). The log is not truncated during the copying.
    @discardableResult
    public nonisolated func backup(to path: String, overwrite: Bool = false) throws(KinError) -> StoreVersion {
        try requireOpen()
        try connections.requireCurrent()
        try requireBackupPath(path, overwrite: overwrite)
        return try attempting("copy the store", at: paths) {
            try connections.withSnapshot {
                try StoreCopy(files: files, replacesStore: overwrite).write($0, to: path)
            }
        }
    }

    /// Requires that a backup may be written to a path.
    private nonisolated func requireBackupPath(_ path: String, overwrite: Bool) throws(KinError) {
        let content = try FileContent(of: path, files: files)
        let wasStore = content == .special ? false : try StorePaths(resolving: path).wasOpenForWriting
        let problem: String
        switch content {
        case .nothing where wasStore, .database(isStore: true) where wasStore:
            problem = "there are files of a store that was opened for writing, not a backup; choose another path"
        case .nothing: return
        case .database(isStore: true) where overwrite: return
        case .database(isStore: true):
            problem =
                "there is a backup already; choose another path, or allow overwriting (`overwrite`, or --force in the tool)"
        default: problem = "the file is not a backup of a store; choose another path, or remove it first"
        }
        throw KinError(.invalidArgument, problem).within("output", path)
    }

    /// Replaces a store by a backup.
    ///
    ///     try Store.restore(from: "/backups/people.db", to: "people.db")
    ///
    /// The store continues from the state of the backup under a new lineage, so that the notes and index files of the
    /// replaced store do not apply to it. The backup is not changed. Any store's database file can serve as a backup.
    /// If that file is the store's own database, the store continues from that file, without the changes that the file
    /// lacks.
    ///
    /// After a failure, or the end of the process at any moment, either the old store is intact, with its log, or the
    /// new store is. No process may have the store open for writing. A process that has it open for reading either prevents
    /// the restoration, or must open the store again: each of its calls says so.
    ///
    /// - Parameters:
    ///   - backup: The path of the backup.
    ///   - path: The path of the store, which may be missing or damaged.
    /// - Throws:
    ///   - `.busy` while the store is open.
    ///   - `.corruptFile` if the backup is damaged.
    ///   - `.unsupportedFormat` if the backup was written by a newer release or is not a store.
    ///   - `.invalidArgument` if the file at the path is not a store.
    ///   - `.inputOutput`.
    ///   - `.cancelled` by a progress handler, which counts pages.
    /// - Complexity: O(size of the backup).
    public static func restore(from backup: String, to path: String) throws(KinError) {
        try restore(from: backup, to: path, files: SystemFiles())
    }

    package static func restore(
        from backup: String, to path: String, files: some FileOperations
    ) throws(KinError) {
        let content = try FileContent(of: backup)
        guard content == .database(isStore: true) else {
            throw KinError(
                content == .nothing ? .inputOutput : .unsupportedFormat,
                "the file is \(content == .nothing ? "missing or empty" : "not a store"); give the path of a backup"
            ).within("input", backup)
        }
        guard [.nothing, .database(isStore: true)].contains(try FileContent(of: path)) else {
            throw KinError(.invalidArgument, "the file here is not a store, and would be lost; choose another path")
                .within("output", path)
        }
        let (paths, origin) = (try StorePaths(resolving: path), try StorePaths(resolving: backup))
        let lock = try WriterLock(path: paths.writerNote)
        let source = try attempting("open the backup", at: origin) {
            var configuration = Configuration()
            configuration.readonly = true
            return try DatabaseQueue(path: origin.database, configuration: configuration)
        }
        defer { try? source.end() }
        let lineage = Lineage()
        let version = try withOverwriting { () throws(KinError) in
            try StoreCopy(files: files, lineage: lineage).write(source, to: paths.database) { () throws(KinError) in
                // The backup may be the database that is replaced.
                try attempting("close the backup", at: origin) { try source.end() }
                // The note must bind the old database as before, but not the new one.
                if var note = lock.noteBefore, note.lineage == nil {
                    note.lineage = Lineage()
                    try lock.write(note)
                }
                try foldLog(of: paths, files: files)
                try IndexFolder(path: paths.indexFolder, files: files).empty()
            }
        }
        lock.belong(to: lineage)
        try lock.write(WriterNote(change: version.number, isClosed: true))
    }

    /// Moves the log of the replaced database into that database, and removes the files that SQLite would replay into
    /// the new database: the log and the rollback journal. SQLite leaves a journal if the removal fails.
    ///
    /// - Throws: `.busy` while the database has other connections.
    private static func foldLog(of paths: StorePaths, files: some FileOperations) throws(KinError) {
        do throws(KinError) {
            guard try FileContent(of: paths.database) != .nothing else { throw KinError(.corruptFile, "") }
            guard unsafe Foundation.access(paths.database, W_OK) == 0 else {
                throw .system("replace the database", at: paths.database)
            }
            try attempting("move the log into the replaced database", at: paths) {
                let old = try DatabaseQueue(path: paths.database)
                defer { try? old.end() }
                // Only the last connection may leave the log mode.
                let mode = try old.writeWithoutTransaction {
                    try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE")
                }
                guard mode == "delete" else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
            }
        } catch {
            // The log of a missing or damaged database is useless.
            guard error.code == .corruptFile else { throw error }
        }
        try KinIndex.removeFiles(at: paths.replayed, files: files)
    }
}
