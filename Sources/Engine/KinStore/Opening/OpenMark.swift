import GRDB

/// A mark in the database header of an open store. It identifies a copy of the database file without the log.
///
/// While a store is open for writing, its latest records are in the log, and a copy of the database file alone does not
/// have them. The mark is the header's `user_version`: 1 from the opening for writing until the store is closed, 0 in a
/// closed store and in backups. A database with the mark has its log or, after a crash, at least its writer's note next
/// to it. Release 0.2.0 neither sets nor reads the mark.
enum OpenMark {
    /// Sets or removes the mark in the next checkpoint of the log.
    static func set(_ isOpen: Bool, in pool: any DatabaseWriter) throws {
        guard try pool.read(isSet) != isOpen else { return }
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(isOpen ? 1 : 0)") }
    }

    /// Requires that a database without a log is not a copy of an open store.
    ///
    /// A different process may open the store for writing after the note was read, and the mark is then its own. So a
    /// reader looks again: at the note, then at the mark, then for a writer.
    ///
    /// - Parameter note: The writer's note. A closed store's note next to a marked database belongs to a different
    ///   file, unless release 0.2.0 wrote it: that release writes no lineage and leaves the mark of a crashed store.
    static func requireOriginal(
        _ note: WriterNote?, in pool: any DatabaseWriter, at paths: StorePaths, for access: Store.Access
    ) throws {
        guard try isCopy(note, in: pool) else { return }
        if access == .reading {
            guard WriterNote(ofFile: paths.writerNote) == note, try isCopy(note, in: pool),
                !WriterLock.isHeld(at: paths.writerNote)
            else { return }
        }
        throw KinError(
            .corruptFile,
            """
            the file is a copy of an open store without its log \(paths.log), so its latest records are missing. Copy the store by \
            `kin store backup`, or close it first and copy it then
            """
        ).within("file", paths.database)
    }

    private static func isCopy(_ note: WriterNote?, in pool: any DatabaseWriter) throws -> Bool {
        let (isMarked, version) = try pool.read { try (isSet($0), ChangeLog.version(in: $0)) }
        return isMarked && note.map { $0.isClosed && ($0.lineage != nil || $0.change != version.number) } ?? true
    }

    private static func isSet(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "PRAGMA user_version") != 0
    }
}
