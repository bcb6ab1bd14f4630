import Foundation
import GRDB

/// Opens the database of a store, verifies it and migrates it to the current schema.
struct StoreOpening {
    let paths: StorePaths
    let access: Store.Access
    let check: Store.OpeningCheck
    var locksFiles = true
    /// The longest time to wait for a process that creates or writes the store.
    var timeout = Duration.zero
    /// The file that the connections have open.
    private(set) var file = ConnectedFile()

    /// The application id of an SQLite file: "KinS".
    private static let applicationID: Int64 = 0x4B69_6E53

    /// The database of a store in memory, with its tables.
    static func inMemory() throws(KinError) -> StoreConnections {
        let opening = StoreOpening(paths: StorePaths(database: ""), access: .writing, check: .brief)
        let pool = try attempting("make a database in memory", at: opening.paths) {
            let database = try DatabaseQueue(configuration: opening.configuration)
            try Migrations.migrator.migrate(database)
            return database
        }
        return StoreConnections(pool, nil, of: opening)
    }

    func open() throws(KinError) -> (connections: StoreConnections, lock: WriterLock?) {
        var (holder, since) = (Int32?.none, ContinuousClock.now)
        while true {
            do throws(KinError) { return try openOnce() } catch {
                // A restore may replace the database between two connections of a reader.
                if access == .reading, let known = file.identity, let now = FileIdentity(paths.database), now != known {
                    var again = self
                    again.file = ConnectedFile()
                    return try again.open()
                }
                let note = WriterNote(ofFile: paths.writerNote)
                if note?.process != holder { (holder, since) = (note?.process, .now) }
                guard error.code == .busy, ContinuousClock.now - since < timeout, !isOld(note) else { throw error }
                // Random, so that waiting processes do not try at the same time.
                Thread.sleep(forTimeInterval: .random(in: 0.005...0.03))
            }
        }
    }

    /// Whether the process that wrote a note is running, has the store open and wrote longer ago than ``timeout``.
    private func isOld(_ note: WriterNote?) -> Bool {
        guard let note, !note.isClosed, !note.processHasEnded else { return false }
        let file = try? FileManager.default.attributesOfItem(atPath: paths.writerNote)
        return (file?[.modificationDate] as? Date).map { -$0.timeIntervalSinceNow > timeout / .seconds(1) } ?? false
    }

    private func openOnce() throws(KinError) -> (connections: StoreConnections, lock: WriterLock?) {
        let lock = access == .writing ? try WriterLock(path: paths.writerNote) : nil
        do throws(KinError) { return (try connections(lock), lock) } catch {
            lock?.removeUnlessNoted()
            throw error
        }
    }

    private func connections(_ lock: WriterLock?) throws(KinError) -> StoreConnections {
        let note = lock?.noteBefore ?? WriterNote(ofFile: paths.writerNote)
        // Read after the note: a process that creates the store writes the note last.
        let size = FileIdentity.look(at: paths.database)?.size
        if access == .reading, size == nil {
            throw KinError(.inputOutput, "there is no store; check the path, or open it for writing to make one")
                .within("file", paths.database)
        }
        if size == 0, note != nil {
            try requireNoCreator()
            throw KinError(
                .corruptFile,
                "the database is empty, though it was not; restore a backup, or remove the database to begin a new one"
            ).within("file", paths.database)
        }
        if let lock, size == nil {
            // The note of a database that was removed on purpose is removed as well. The new file has its owner-only
            // mode before it has content; SQLite gives its own files the same mode.
            try lock.clear()
            try OwnerOnly.create(paths.database)
        }
        // Read before SQLite makes a log.
        let hasLog = (FileIdentity.look(at: paths.log)?.size ?? 0) > StoreFiles.logHeaderSize
        let pool = try attempting("open the database", at: paths) { try self.pool() }
        try attempting("open the database", at: paths) {
            try prepare(pool)
            if size != nil {
                try Self.requireAcknowledged(note, in: pool, at: paths)
                if !hasLog { try OpenMark.requireOriginal(note, in: pool, at: paths, for: access) }
            }
            let isUnclean = note?.indicatesUncleanShutdown ?? false
            if check == .complete || (check == .automatic && isUnclean) { try requireIntegrity(of: pool) }
        }
        if let lock {
            let version = try attempting("read the last change", at: paths) { try pool.read(ChangeLog.version) }
            // A disk too full for the 16 bytes does not prevent opening.
            lock.belong(to: try? Lineage.settled(in: pool))
            try lock.write(WriterNote(change: version.number))
            // A full or failing disk does not prevent opening.
            if note == nil { lock.synchronize() }
            try? OpenMark.set(true, in: pool)
        }
        return StoreConnections(pool, lock, of: self)
    }

    /// Connections to the database: a single one if no thread can be started, because a pool needs threads when it is
    /// closed.
    func pool() throws -> any DatabaseWriter {
        try requireFilesForDispatch()
        let pool: any DatabaseWriter
        if canStartDispatch() {
            pool = try DatabasePool(path: paths.database, configuration: configuration)
        } else {
            var single = configuration
            single.journalMode = .wal
            pool = try DatabaseQueue(path: paths.database, configuration: single)
            pool.outliveOwners()
        }
        if access == .writing {
            // A write has returned only when it is on the disk. GRDB's default for logs guarantees less.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        }
        return pool
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.readonly = access == .reading
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = 8
        // Needed only for the moments when SQLite locks all connections out, such as the recovery of a log: there is no
        // other writer.
        configuration.busyMode = .timeout(5)
        configuration.label = "kin store"
        let isWriter = access == .writing
        configuration.prepareDatabase { [paths, file] database in
            if !paths.isInMemory { try file.require(at: paths.database) }
            // Before a pool of connections changes the journal mode of a file.
            try Self.requireStoreOrNothing(database, at: paths)
            guard isWriter else { return }
            // Deleted content is overwritten with zeros.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // On Apple's systems a plain fsync leaves the bytes in the drive's own cache.
            try database.execute(sql: "PRAGMA fullfsync = ON")
            try database.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
            // An import is one transaction, and its log would otherwise retain its size.
            try database.execute(sql: "PRAGMA journal_size_limit = 67108864")
            // 64 MiB, so that the indexes on a million sessions are updated in memory.
            try database.execute(sql: "PRAGMA cache_size = -65536")
        }
        return configuration
    }

    /// Requires a store, or a database without content that becomes one.
    private static func requireStoreOrNothing(_ database: Database, at paths: StorePaths) throws {
        let application = try Int64.fetchOne(database, sql: "PRAGMA application_id")
        guard application != applicationID else { return }
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
        guard application == 0, count == 0 else {
            throw KinError(.unsupportedFormat, "the file is a database of another program; choose another path")
                .within("file", paths.database)
        }
    }

    /// Creates or migrates the tables, or throws the reason if it cannot.
    ///
    /// - Parameter isFirst: Whether the state of the tables has not been read before.
    private func prepare(_ pool: any DatabaseWriter, isFirst: Bool = true) throws {
        let migrator = Migrations.migrator
        let (application, isNew, isNewer, isComplete) = try pool.read { database in
            (
                try Int64.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
                try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0,
                try migrator.hasBeenSuperseded(database), try migrator.hasCompletedMigrations(database)
            )
        }
        guard !isNewer else {
            throw KinError(.unsupportedFormat, "the store was written by a newer release of Kin; use that release")
                .within("file", paths.database)
        }
        guard access == .writing else {
            if isComplete { return }
            try requireNoCreator()
            // The process may have completed the tables before the lock was looked at.
            if isFirst { return try prepare(pool, isFirst: false) }
            // The log of changes of a new store begins with the number 1.
            let isEmpty = (try? pool.read(ChangeLog.version))?.number == 1
            throw KinError(
                .unsupportedFormat,
                isNew
                    ? "the file is empty; check the path, or open it for writing to make a store of it"
                    : """
                    the store \(isEmpty ? "is empty, and its tables are incomplete" : "has an older format"); open it for writing \
                    once to \(isEmpty ? "complete" : "update") it, in the tool with kin save_indexes --store PATH
                    """
            ).within("file", paths.database)
        }
        if application != Self.applicationID {
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = \(Self.applicationID)") }
        }
        try migrator.migrate(pool)
    }

    /// Requires that a reader does not see the files of a store that a different process is creating or updating.
    ///
    /// - Throws: `.busy`.
    private func requireNoCreator() throws(KinError) {
        guard access == .reading, WriterLock.isHeld(at: paths.writerNote) else { return }
        throw KinError(.busy, "a different process is creating or updating the store; try again in a moment")
            .within("file", paths.database)
    }

    /// Requires that the database has every acknowledged change of its lineage.
    static func requireAcknowledged(_ note: WriterNote?, in pool: any DatabaseWriter, at paths: StorePaths) throws {
        guard let note else { return }
        let (version, lineage) = try pool.read { try (ChangeLog.version(in: $0), Lineage(of: $0)) }
        guard version.number < note.change, note.binds(lineage) else { return }
        throw KinError(
            .corruptFile,
            """
            the database ends at change \(version.number), but change \(note.change) was acknowledged: its log was damaged or \
            removed, or the file is an older copy. Put the newer files back, restore a backup, or restore from this very \
            file to go on without the later changes
            """
        ).within("file", paths.database)
    }

    /// Requires that SQLite's integrity and foreign key checks find nothing.
    private func requireIntegrity(of pool: any DatabaseWriter) throws {
        try pool.read { database in
            let found = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") ?? "no answer"
            guard found == "ok" else {
                throw KinError(.corruptFile, "the database is damaged (\(found)); restore a copy")
                    .within("file", paths.database)
            }
            if let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") {
                let table: String = row["table"] ?? "?"
                throw KinError(
                    .corruptFile, "a row of table \(table) has no person; restore a copy of the database"
                ).within("file", paths.database)
            }
        }
    }
}
