import Foundation
import GRDB
public import Logging
import Synchronization

/// A store of people's records: one SQLite database and a folder of index files.
///
/// The database is authoritative. Index files are caches, rebuilt if they are absent, damaged or of a different
/// version. A write that has returned is on the disk. One process at a time may write, any number may read. A read sees
/// the state of one moment and does not wait for the writer: reading functions are not isolated and may be called from
/// any thread.
///
///     let store = try Store(at: "people.db")
///     try await store.put([session])
///     let near = try store.nearestSessions(to: mood, k: 5, where: .user("u42") && .state(.drift))
///     try await store.forget("u42")
///
/// ``forget(_:)`` removes every record and every byte of a person.
public actor Store {
    /// The access of a store to its database.
    public enum Access: Sendable, Hashable {
        /// Reading and writing; held by at most one store of all processes at a time.
        case writing
        /// Reading, concurrently with any number of other stores; the files are not changed.
        case reading
    }

    /// The check of a database when it is opened.
    public enum OpeningCheck: Sendable, Hashable {
        /// The brief check or, if the machine went down while a writer had the store open, the complete check: the disk
        /// may then have lost synchronized writes. The end of a process, even a crash, damages nothing.
        case automatic
        /// SQLite's check of every page, index and foreign key: O(size of the database).
        case complete
        /// The application id, the migrations and the last acknowledged change: microseconds. Damaged rows are found
        /// when a record is read, or by ``Store/check()``.
        case brief
    }

    /// The path of the database file, absolute and with links followed; empty for a store in memory.
    public nonisolated var path: String { paths.database }
    /// The access that the store was opened with.
    public nonisolated let access: Access

    nonisolated let paths: StorePaths
    nonisolated let connections: StoreConnections
    nonisolated let cache: DerivedCache
    nonisolated let observers = ChangeObservers()
    nonisolated let files: any FileOperations
    nonisolated let naming: NamingKeySource
    nonisolated let log: StoreLog
    private var lock: WriterLock?
    /// Whether ``close()`` was called.
    private nonisolated let isClosed = Atomic(false)
    /// The last change of this process. It is the latest change while this process holds the writer's lock.
    private nonisolated let lastChange = KnownVersion()
    /// The failure to write the last acknowledged change to the writer's note; nil if it was written.
    nonisolated let unnoted: Mutex<KinError?> = Mutex(nil)

    /// Opens a store at a path. If the file does not exist, opening for writing creates it.
    ///
    /// An erasure that an earlier process began is completed first. If it cannot be, ``check()`` reports it and the
    /// next opening tries again.
    ///
    /// New files are readable and writable only by their owner (mode 0600, folders 0700), regardless of the umask.
    ///
    /// - Parameters:
    ///   - path: The path of the database file. Links are followed once, here, so that the store remains the same if
    ///     the process changes its working directory.
    ///   - access: Writing or reading. Default: writing.
    ///   - check: The check at opening. Default: automatic.
    ///   - namingKey: The key of anonymous names and contribution ids, 16 bytes or more, stored by the caller, for
    ///     example in a keychain. nil: the store's own key, which is in the database. For a given key the database
    ///     stores a fingerprint, and every later call that needs names requires the same key. If the given key is the
    ///     store's own (``storedNamingKey()``), its bytes are erased from the database.
    ///   - memoryBudget: The largest number of bytes for data derived from records (indexes, matchers, learned
    ///     profiles). Default: ``Store/defaultMemoryBudget``. The least recently used data is evicted first. A single value
    ///     larger than the budget is cached alone.
    ///   - logger: Receives openings, closings, rebuilt and evicted derived data, recovered writes and failures.
    ///     Messages contain kinds, counts and times, never an id, a person's text or a path. nil: no logging.
    /// - Throws: All errors include the path.
    ///   - `.invalidArgument` for a naming key that is too short or not the store's, and for a negative budget.
    ///   - `.busy` if another store has the database open for writing or, for a reader, is creating or updating it.
    ///   - `.corruptFile` if the database is damaged or lacks acknowledged changes.
    ///   - `.unsupportedFormat` if the database belongs to a different program or a newer release or, for a reader, has
    ///     the format of an earlier release.
    ///   - `.inputOutput`, also for a dangling link, a missing folder and a file with several hard links.
    public init(
        at path: String, for access: Access = .writing, check: OpeningCheck = .automatic,
        namingKey: [UInt8]? = nil, memoryBudget: Int = Store.defaultMemoryBudget, logger: Logger? = nil
    ) throws(KinError) {
        try self.init(
            at: path, for: access, check: check, namingKey: namingKey, memoryBudget: memoryBudget,
            in: StoreEnvironment(logger: logger))
    }

    /// The default budget for derived data: a quarter of the machine's memory, limited to 256 MiB…2 GiB.
    ///
    /// A million sessions, a hundred thousand items and a hundred thousand souls take about 700 MB.
    public static let defaultMemoryBudget = min(
        max(Int(clamping: ProcessInfo.processInfo.physicalMemory / 4), 256 << 20), 2 << 30)

    package init(
        at path: String, for access: Access, check: OpeningCheck, namingKey: [UInt8]? = nil,
        memoryBudget: Int = Store.defaultMemoryBudget, in environment: StoreEnvironment
    ) throws(KinError) {
        let start = ContinuousClock.now
        try KinError.requireCount(memoryBudget, "memory_budget")
        let naming = try NamingKeySource(given: namingKey)
        let paths = try StorePaths(resolving: path)
        let files = environment.files
        let log = StoreLog(logger: environment.logger)
        let opening = StoreOpening(
            paths: paths, access: access, check: check, locksFiles: environment.locksFiles,
            timeout: environment.timeout)
        let opened = try opening.open()
        self.paths = paths
        self.access = access
        self.files = files
        self.naming = naming
        connections = opened.connections
        lock = opened.lock
        self.log = log
        cache = DerivedCache(
            budget: memoryBudget, folder: IndexFolder(path: paths.indexFolder, files: files), log: log)
        try attempting("look for the naming key", at: paths) {
            let pool = opened.connections.pool
            try pool.read { try naming.require(in: $0) }
            if access == .writing, namingKey != nil { _ = try pool.write { try naming.settle(in: $0) } }
        }
        if access == .writing {
            IndexFolder(path: paths.indexFolder, files: files).removeUnfinished()
            let erasure = Erasure(paths: paths, pool: opened.connections.pool, files: files)
            // A pending erasure does not prevent opening: it remains in the table and is tried again.
            try? erasure.finish()
            // A disk too full to empty the log does not prevent opening: the log contains nothing to erase.
            try? erasure.clearSharedMemory()
            lastChange.version = try? connections.read(ChangeLog.version)
        }
        if log.logger != nil { try log.opened(access, after: opened.lock?.noteBefore, at: version(), since: start) }
    }

    /// Creates a store in memory with all the functions of a store on a disk. Its records are lost when it is freed.
    ///
    /// Its reads wait for its writes and for each other. Code that runs inside a write must not read the store.
    ///
    /// - Parameters:
    ///   - namingKey: The key of anonymous names, 16 bytes or more; nil for a random key.
    ///   - memoryBudget: The largest number of bytes for derived data, in addition to the records.
    ///   - logger: As for a store on a disk.
    /// - Throws: `.invalidArgument` for a naming key that is too short and for a negative budget; `.inputOutput` if
    ///   memory is exhausted.
    public init(
        namingKey: [UInt8]? = nil, memoryBudget: Int = Store.defaultMemoryBudget, logger: Logger? = nil
    ) throws(KinError) {
        try KinError.requireCount(memoryBudget, "memory_budget")
        naming = try NamingKeySource(given: namingKey)
        paths = StorePaths(database: "")
        access = .writing
        files = SystemFiles()
        connections = try StoreOpening.inMemory()
        lock = nil
        log = StoreLog(logger: logger)
        cache = DerivedCache(budget: memoryBudget, folder: nil, log: log)
        if namingKey != nil {
            let (pool, naming) = (connections.pool, naming)
            _ = try attempting("keep the naming key", at: paths) { try pool.write { try naming.settle(in: $0) } }
        }
        let connections = connections
        lastChange.version = try attempting("read the last change", at: paths) {
            try connections.read(ChangeLog.version)
        }
    }

    /// Closes the store: saves its indexes to their files and moves the log into the database.
    ///
    /// A store that is not closed loses nothing, but its next opening has more to do. A closed store cannot be
    /// reopened.
    ///
    /// - Throws: `.busy` if a reader is still active; `.inputOutput`. The store is closed even if this throws.
    public func close() throws(KinError) {
        guard !isClosed.load(ordering: .sequentiallyConsistent) else { return }
        var failure: KinError?
        func trying(_ work: () throws(KinError) -> Void) {
            do throws(KinError) { try work() } catch { failure = failure ?? error }
        }
        // A suspended store that cannot take the lock again has nothing to write. A store whose files were replaced
        // leaves them alone.
        let isInPlace = access == .writing && !paths.isInMemory && (try? requireWriting()) != nil
        if isInPlace {
            var isFolded = false
            trying { () throws(KinError) in try saveIndexes() }
            trying { () throws(KinError) in
                try attempting("move the log into the database", at: paths) {
                    try OpenMark.set(false, in: pool)
                    try pool.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) }
                    isFolded = true
                }
            }
            // Next to a database with the mark of an open store, the note of a closed one would make it a copy.
            if isFolded, let version = try? version() {
                try? lock?.write(WriterNote(change: version.number, isClosed: true))
            }
        }
        // Cached values must not answer for a closed store.
        isClosed.store(true, ordering: .sequentiallyConsistent)
        lastChange.version = nil
        observers.finish()
        cache.drop()
        // A database in memory has nothing to close, and must not be freed while a different thread reads it; it is
        // freed with the store.
        if !paths.isInMemory {
            trying { () throws(KinError) in
                try attempting("close the database", at: paths) { try connections.close(removingLog: isInPlace) }
            }
        }
        lock = nil
        log.closed(failure)
        if let failure { throw failure }
    }

    /// Saves the indexes that are in memory. The next opening reads them instead of rebuilding them.
    ///
    /// - Throws: `.inputOutput`; the store and the indexes in memory are then unchanged.
    public func saveIndexes() throws(KinError) {
        try requireWriting()
        try cache.save { version throws(KinError) in
            try read("read the change log") {
                try ChangeLog.contains(version, in: $0) && !ChangeLog.hasForgotten(since: version, in: $0)
            }
        }
    }

    /// Runs a body in one transaction and acknowledges the change. If the body throws, nothing is changed.
    func write<Result>(
        _ action: String, _ body: (WriteTransaction) throws -> Result
    ) throws(KinError) -> Result {
        try CommandScope.record(.write)
        try requireWriting()
        let (result, transaction, version) = try attempting(action, at: paths) {
            try pool.write { database in
                let transaction = WriteTransaction(database, naming: naming, cache: cache)
                let result = try body(transaction)
                return (result, transaction, try transaction.finish())
            }
        }
        try acknowledge(version)
        transaction.committed(as: version)
        return result
    }

    /// Inserts or replaces records. If this throws, no record is stored.
    ///
    /// - Returns: The number of records skipped because the stored record was updated later.
    @discardableResult
    func putAll<Record: StoredRecord>(_ records: [Record], _ noun: String) throws(KinError) -> Int {
        try write("put in \(records.count) \(noun)") { transaction in
            for record in records { _ = try transaction.adopt(record) }
            return transaction.older[Record.kind] ?? 0
        }
    }

    /// Writes the acknowledged version to the writer's note.
    ///
    /// If this fails, the write is still on the disk: the next write tries again, and until then ``check()`` warns.
    ///
    /// - Throws: `.inputOutput` or `.busy` if another program removed or replaced a file of the store, so that the
    ///   write may be lost.
    func acknowledge(_ version: StoreVersion) throws(KinError) {
        // Cleared until the change is acknowledged, so that no reader uses the old version.
        let before = lastChange.version
        lastChange.version = nil
        try requireFiles()
        lastChange.version = version
        defer { log.wrote(version, after: before, unnoted: unnoted.withLock { $0 }) }
        observers.yield(version)
        do throws(KinError) {
            try lock?.write(WriterNote(change: version.number))
            unnoted.withLock { $0 = nil }
        } catch {
            unnoted.withLock { $0 = error }
        }
    }

    /// Releases the writer's lock until the next write.
    ///
    /// For an app that is about to be suspended and whose store is in a shared folder (an app group): the system ends
    /// suspended apps that hold a file lock there. While the lock is released, a different process may open the store
    /// for writing; a write here then throws `.busy`. Reading continues.
    ///
    /// - Throws: `.invalidArgument` if the store was opened for reading.
    public func suspend() throws(KinError) {
        try requireWritingAccess()
        lastChange.version = nil
        lock?.release()
    }

    /// Requires an open store that was opened for writing.
    nonisolated func requireWritingAccess() throws(KinError) {
        try requireOpen()
        guard access == .writing else {
            throw KinError(.invalidArgument, "the store was opened for reading; open it for writing to change it")
                .within("file", paths.database)
        }
    }

    /// Requires an open store and write access, and reacquires the lock after ``suspend()``.
    func requireWriting() throws(KinError) {
        try requireWritingAccess()
        try requireFiles()
        guard let lock, let note = try lock.takeAgain() else { return }
        do throws(KinError) {
            try attempting("look for the last change", at: paths) {
                try StoreOpening.requireAcknowledged(note, in: pool, at: paths)
            }
        } catch {
            lock.release()
            throw error
        }
        // The note names the process that holds the lock.
        try acknowledge(try attempting("read the last change", at: paths) { try pool.read(ChangeLog.version) })
        // A different process that closed the store has cleared the mark in the database file.
        try? OpenMark.set(true, in: pool)
        try? pool.writeWithoutTransaction { database in _ = try database.checkpoint(.passive) }
    }

    /// Requires that no file of the store was replaced, and restores a removed log.
    private func requireFiles() throws(KinError) {
        if try connections.requireFiles(files) { log.restoredLog() }
    }

    /// The connections to the database.
    nonisolated var pool: any DatabaseWriter { connections.pool }

    /// The naming key in the database; nil if it has none. Use it to move the key elsewhere and then open the store
    /// with it.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func storedNamingKey() throws(KinError) -> [UInt8]? {
        try read("read the naming key") { try NamingKeySource.own(in: $0) }
    }

    /// Runs a body on one version of the database.
    nonisolated func read<Result>(
        _ action: String, _ body: (Database) throws -> Result
    ) throws(KinError) -> Result {
        try requireOpen()
        try connections.requireCurrent()
        let result = try attempting(action, at: paths) { try connections.read(body) }
        try CommandScope.record(.read)
        return result
    }

    /// Reads in a snapshot, so that the body may read the store.
    nonisolated func readSnapshot<Result>(
        _ action: String, _ body: (Database) throws -> Result
    ) throws(KinError) -> Result {
        try requireOpen()
        try connections.requireCurrent()
        try CommandScope.record(.read)
        return try attempting(action, at: paths) { try connections.withSnapshot { try $0.read(body) } }
    }

    nonisolated func requireOpen() throws(KinError) {
        guard isClosed.load(ordering: .sequentiallyConsistent) else { return }
        throw KinError(.invalidArgument, "the store is closed; open it again")
    }

    /// The version of the database if it is known without reading the database; nil otherwise.
    nonisolated var presentVersion: StoreVersion? { lastChange.version }

    /// The version of the database: equal versions mean equal records.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func version() throws(KinError) -> StoreVersion {
        try read("read the last change") { try ChangeLog.version(in: $0) }
    }
}
