import GRDB
public import KinCore
package import KinIndex
import Synchronization

/// Everything that an app keeps about people, in one file that survives crashes.
///
/// A store is an SQLite database with index files beside it. The database is the truth; the indexes are caches, made again
/// whenever they are absent, damaged or of another state. A write that has returned is on the disk. One process at a time may
/// write, any number may read; a reader sees the state of one moment and never waits for the writer, so reading functions are
/// not isolated and may be called from anywhere.
///
///     let store = try Store(at: "people.db")
///     try await store.put([session])
///     let near = try store.nearestSessions(to: mood, k: 5, where: .user("u42") && .state(.drift))
///     try await store.forget("u42")
///
/// ``forget(_:)`` removes every trace of a person.
public actor Store {
    /// What a store is opened for.
    public enum Access: Sendable, Hashable {
        /// For everything. One store at a time, of all processes, has this.
        case writing
        /// For reading beside others. The file stays as it is.
        case reading
    }

    /// How closely a database is looked at before it is used.
    public enum OpeningCheck: Sendable, Hashable {
        /// The brief one; the complete one when the machine went down while a writer had the store open, which is when a disk may have
        /// broken its word. A process that ends, however it ends, breaks nothing.
        case automatic
        /// SQLite's check of every page and index, and that every reference leads somewhere: O(size of the database).
        case complete
        /// That it is a store, no older than what was acknowledged: some microseconds. Damage is noticed when a record is read, or by
        /// ``Store/check()``.
        case brief
    }

    /// The database's path.
    public nonisolated var path: String { paths.database }
    /// What the store was opened for.
    public nonisolated let access: Access

    nonisolated let paths: StorePaths
    nonisolated let pool: DatabasePool
    nonisolated let sessionIndexes: SessionIndexCache
    nonisolated let goalRarities = GoalRarityCache()
    nonisolated let files: any FileOperations
    nonisolated let naming: NamingKeySource
    private var lock: WriterLock?
    /// Why the last acknowledged change is not in the writer's note, if it is not.
    nonisolated let unnoted: Mutex<KinError?> = Mutex(nil)

    /// Opens a store, and makes one where there is none when it is opened for writing.
    ///
    /// What a process that ended in the middle of something left behind is put in order first: a forgetting that was
    /// begun is finished. If it cannot be, ``check()`` says so, and it is tried again at the next opening.
    ///
    /// Files that are made are their owner's alone (mode 0600, folders 0700), whatever the umask.
    ///
    /// - Parameters:
    ///   - path: The database's path.
    ///   - access: What the store is opened for.
    ///   - check: How closely it is looked at.
    ///   - namingKey: The key from which anonymous names and the ids of contributions are made, 16 bytes or more, kept by the caller: in a
    ///     keychain, or by a key service. nil for the store's own, which lies in the database. Of a key that is given the database has a fingerprint
    ///     alone; from then on the store wants the same one for everything that has to do with names. Given the store's own
    ///     (``storedNamingKey()``), its bytes are erased from the database.
    /// - Throws: `.invalidArgument` for a naming key that is too short or not the store's; `.busy` when another store has it open for
    ///   writing; `.corruptFile` when the database is damaged, or lacks changes
    ///   that were acknowledged; `.unsupportedFormat` when it is another program's or of a newer release; `.inputOutput`;
    ///   all with the path.
    public init(
        at path: String, for access: Access = .writing, check: OpeningCheck = .automatic,
        namingKey: [UInt8]? = nil
    ) throws(KinError) {
        try self.init(at: path, for: access, check: check, namingKey: namingKey, files: SystemFiles())
    }

    package init(
        at path: String, for access: Access, check: OpeningCheck, namingKey: [UInt8]? = nil,
        files: any FileOperations
    ) throws(KinError) {
        let naming = try NamingKeySource(given: namingKey)
        let paths = StorePaths(database: path)
        let files = OwnerOnlyFiles(files)
        let opening = StoreOpening(paths: paths, access: access, check: check)
        let opened = try opening.open()
        self.paths = paths
        self.access = access
        self.files = files
        self.naming = naming
        pool = opened.pool
        lock = opened.lock
        sessionIndexes = SessionIndexCache(paths: paths, files: files)
        try attempting("look for the naming key", at: paths) {
            // Nothing is written where nothing is to be.
            try opened.pool.read { try naming.require(in: $0) }
            if access == .writing, namingKey != nil { _ = try opened.pool.write { try naming.settle(in: $0) } }
        }
        if access == .writing {
            IndexFolder(path: paths.indexFolder, files: files).removeUnfinished()
            let erasure = Erasure(paths: paths, pool: pool, files: files)
            // What is still owed to the forgotten must not keep everybody else from their records: it stays noted.
            try? erasure.finish()
            // A disk that is too full to empty the log is no reason not to open: nothing waits to be erased, and forgetting insists.
            try? erasure.clearSharedMemory()
        }
    }

    /// Closes the store: its indexes are saved beside the database, and the log becomes part of it.
    ///
    /// A store that is not closed loses nothing; the next one has a little more to do.
    ///
    /// - Throws: `.busy` when a reader is in the middle of something, `.inputOutput`. The store is closed all the same, and nothing is
    ///   lost.
    public func close() throws(KinError) {
        var failure: KinError?
        func trying(_ work: () throws(KinError) -> Void) {
            do throws(KinError) { try work() } catch { failure = failure ?? error }
        }
        // Who let go of the lock, and does not get it back, has nothing left to write.
        if access == .writing, (try? requireWriting()) != nil {
            trying { () throws(KinError) in try saveIndexes() }
            trying { () throws(KinError) in
                try attempting("bring the log into the database", at: paths) {
                    try pool.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) }
                }
            }
            if let version = try? version() { try? lock?.write(WriterNote(change: version.number, isClosed: true)) }
        }
        trying { () throws(KinError) in try attempting("close the database", at: paths) { try pool.close() } }
        lock = nil
        if let failure { throw failure }
    }

    /// Saves the indexes that are in memory, so that the next store need not make them.
    ///
    /// - Throws: `.inputOutput`; the store and the indexes in memory are as they were.
    public func saveIndexes() throws(KinError) {
        try requireWriting()
        try sessionIndexes.save { version throws(KinError) in
            try read("read the change log") { database in
                try ChangeLog.changes(of: RecordKind.session.name, since: version, in: database) != nil
            }
        }
    }

    /// Does what `body` says in one transaction, all of it or nothing.
    func write<Result>(
        _ action: String, _ body: (WriteTransaction) throws -> Result
    ) throws(KinError) -> Result {
        try requireWriting()
        let (result, version) = try attempting(action, at: paths) {
            try pool.write { database in
                let transaction = WriteTransaction(database, naming: naming)
                let result = try body(transaction)
                return (result, try transaction.finish())
            }
        }
        acknowledge(version)
        return result
    }

    /// Notes a state beside the database, now that it is on the disk.
    ///
    /// A note that cannot be written changes nothing about that: the next one is tried, and ``check()`` tells of it meanwhile.
    func acknowledge(_ version: StoreVersion) {
        do throws(KinError) {
            try lock?.write(WriterNote(change: version.number))
            unnoted.withLock { $0 = nil }
        } catch {
            unnoted.withLock { $0 = error }
        }
    }

    /// Lets go of the writer's lock, until the next call that writes takes it again.
    ///
    /// For an app that is about to be suspended while its store lies in a folder that it shares with others (an app group): the system
    /// ends a suspended app that holds a lock on such a file. Meanwhile another process may open the store for writing, and write; a call that
    /// writes here fails with `.busy` then. Reading goes on as before.
    ///
    /// - Throws: `.invalidArgument` when the store was opened for reading.
    public func suspend() throws(KinError) {
        try requireWritingAccess()
        lock?.release()
    }

    private func requireWritingAccess() throws(KinError) {
        guard access == .writing else {
            throw KinError(.invalidArgument, "the store was opened for reading; open it for writing to change it")
                .within("file", paths.database)
        }
    }

    /// Makes sure that this store may write, and takes the lock again that ``suspend()`` let go of.
    func requireWriting() throws(KinError) {
        try requireWritingAccess()
        guard let lock, let note = try lock.takeAgain() else { return }
        do throws(KinError) {
            try attempting("look for the last change", at: paths) {
                try StoreOpening.requireAcknowledged(note, in: pool, at: paths)
            }
        } catch {
            lock.release()
            throw error
        }
        // Says who has the lock now.
        acknowledge(try version())
    }

    /// The naming key that lies in the database, or nil when there is none: for who wants to keep it elsewhere, and opens the store with it
    /// from then on.
    ///
    /// - Throws: As every reading function: `.corruptFile`, `.inputOutput`.
    public nonisolated func storedNamingKey() throws(KinError) -> [UInt8]? {
        try read("read the naming key") { try NamingKeySource.own(in: $0) }
    }

    /// Reads from one state of the database.
    nonisolated func read<Result>(
        _ action: String, _ body: (Database) throws -> Result
    ) throws(KinError) -> Result {
        try attempting(action, at: paths) { try pool.read(body) }
    }

    /// The state that the database is in.
    ///
    /// - Throws: As every reading function: `.corruptFile`, `.inputOutput`.
    public nonisolated func version() throws(KinError) -> StoreVersion {
        try read("read the last change") { try ChangeLog.version(in: $0) }
    }
}
