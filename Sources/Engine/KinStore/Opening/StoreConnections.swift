import GRDB
import Synchronization

/// The connections of a store to its database, and the state of its files while they are open.
///
/// If a program removes the log, SQLite continues to write to the file without a name, which is lost when the process
/// ends. Then the log is restored, and synchronized to the disk before the write is acknowledged, and the database is
/// reopened.
final class StoreConnections: Sendable {
    private struct State {
        /// nil once the store ends.
        var pool: (any DatabaseWriter)?
        /// nil for a store in memory.
        var files: StoreFiles?
        var guardian: FileGuard?
        /// Whether the pool is closed, for example because the database could not be reopened.
        var isClosed = false
        var restorations = 0
    }

    private let opening: StoreOpening
    private let state: Mutex<State>
    /// Shared by readers, and held exclusively to close connections: a read on a closed connection would end the
    /// process.
    private let usage = ReadersLock()
    /// The connections that the present read occupies, because they cannot be read in a snapshot.
    @TaskLocal private static var occupied: ObjectIdentifier?

    /// Takes over the connections of an opened store.
    ///
    /// - Parameter lock: The writer's lock of a store that was opened for writing.
    init(_ pool: any DatabaseWriter, _ lock: WriterLock?, of opening: StoreOpening) {
        self.opening = opening
        let paths = opening.paths
        guard let database = opening.file.identity else {
            state = Mutex(State(pool: pool))
            return
        }
        let files = StoreFiles(
            paths: paths, database: database, log: FileIdentity(paths.log), writerNote: lock?.identity)
        let guardian = FileGuard(database)
        if opening.access == .writing, opening.locksFiles { guardian.lock(paths) }
        state = Mutex(State(pool: pool, files: files, guardian: guardian))
    }

    /// The connections at present.
    var pool: any DatabaseWriter { state.withLock { $0.pool! } }

    /// The number of times that a log was restored.
    var restorations: Int { state.withLock { $0.restorations } }

    /// The state of the files; `inPlace` in memory.
    var fileState: StoreFiles.State { state.withLock { $0.files }?.state ?? .inPlace }

    /// Requires that a store opened for reading still has the database at its path. A restore replaces the database of a
    /// closed store without a log, which may be open for reading.
    ///
    /// - Throws: `.inputOutput`.
    func requireCurrent() throws(KinError) {
        guard opening.access == .reading, let problem = state.withLock({ $0.files })?.replacedDatabase else { return }
        throw KinError(.inputOutput, "\(problem); open the store again").within("file", opening.paths.database)
    }

    /// Runs a body on one version of the database, on the new connections if the database was reopened. In the body of
    /// ``withSnapshot(_:)``, this is the version that the outer read sees.
    func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        if Self.occupied == ObjectIdentifier(self) { return try pool.unsafeReentrantRead(body) }
        return try usage.shared {
            let (pool, isClosed) = state.withLock { ($0.pool!, $0.isClosed) }
            guard !isClosed else { throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the database is closed") }
            return try pool.read(body)
        }
    }

    /// Runs a body on a snapshot of the database with a separate connection, so that the body may use the store.
    ///
    /// In memory, and after a file was replaced, the body runs on the store's own connections, which still have the old
    /// file open.
    ///
    /// - Throws: `.busy` inside a different body that runs on the store's own connections; the errors of the body.
    func withSnapshot<Result>(_ body: (any DatabaseReader) throws -> Result) throws -> Result {
        let (pool, files) = state.withLock { ($0.pool!, $0.files) }
        guard let files, let pool = pool as? DatabasePool, !files.isReplaced else {
            guard Self.occupied != ObjectIdentifier(self) else {
                throw KinError(.busy, "the store is being read as a whole; read it as a whole again after that")
            }
            return try Self.$occupied.withValue(ObjectIdentifier(self)) { try body(pool) }
        }
        // The database is not reopened until this use ends.
        let user = FileGuard(files.database)
        let snapshot = try pool.makeSnapshot()
        defer { snapshot.outliveOwners() }
        return try withExtendedLifetime(user) { try body(snapshot) }
    }

    /// Requires that writes reach the files at the paths of the store; restores a removed log.
    ///
    /// - Parameter files: The system calls for writing the log.
    /// - Returns: Whether a log was restored.
    /// - Throws: `.inputOutput` if a file was replaced or the log cannot be written; `.busy` while the database cannot
    ///   be reopened. Earlier writes are then on the disk.
    func requireFiles(_ files: any FileOperations) throws(KinError) -> Bool {
        let (known, isClosed) = state.withLock { ($0.files, $0.isClosed) }
        guard let known else { return false }
        let path = known.paths.database
        let now = known.state
        if case .replaced(let problem) = now {
            throw KinError(
                .inputOutput,
                """
                \(problem): the last write may be lost, and later ones would be. Export the records that this process still reads, \
                close the store, and open it again with the right files in place
                """
            ).within("file", path)
        }
        if case .inPlace = now, !isClosed { return false }
        let isLost = !isClosed && (known.restoredLog == nil || known.restoredLog != FileIdentity(known.paths.log))
        if isLost { try restoreLog(files) }
        guard try reopen() else {
            throw KinError(
                .busy,
                """
                another program removed the log of the open store. It was put back, but the database must be opened again, which \
                waits for an export, or for another store of this process on the same file; try again when it is closed
                """
            ).within("file", path)
        }
        return isLost
    }

    /// Closes all connections, which ends the store's use of the database.
    ///
    /// - Parameter isLast: Whether the log may be moved into the database and removed.
    func close(removingLog isLast: Bool) throws {
        let (pool, guardian) = state.withLock { ($0.pool!, $0.guardian) }
        if isLast { guardian?.unlock() }
        try usage.alone {
            try pool.end()
            state.withLock { $0.isClosed = true }
        }
        state.withLock { $0.guardian = nil }
    }

    deinit {
        // The connections must close before the descriptors of the locks.
        state.withLock { state in
            state.guardian?.unlock()
            state.pool?.outliveOwners()
            state.pool = nil
        }
    }

    // MARK: - A removed log

    /// Writes the bytes of the removed log to a new file at its path.
    private func restoreLog(_ files: any FileOperations) throws(KinError) {
        let paths = opening.paths
        try attempting("put back the log, which another program removed", at: paths) {
            try pool.writeWithoutTransaction { database in
                guard let log = SQLiteFile(logOf: database), log.size > StoreFiles.logHeaderSize else { return }
                try replaceFile(at: paths.log, files: files, isPrivate: true) { output throws(KinError) in
                    var place = 0
                    while place < log.size {
                        let bytes = try log.bytes(at: place)
                        try output.write(unsafe bytes.span.bytes, at: place)
                        place += bytes.count
                    }
                }
            }
        }
        state.withLock { state in
            state.files?.restoredLog = FileIdentity(paths.log)
            state.restorations += 1
        }
    }

    /// Closes the connections and reopens the database, unless other connections of this process use its old log.
    ///
    /// Readers end first. Then the old log is moved into the database, while the log's copy guards against a crash.
    /// This is necessary because the new connections may find an index of the log that a different program made, and
    /// that index does not cover the copy. SQLite shares the index among all connections of a process, so one remaining
    /// old connection would make the new ones use the old index.
    ///
    /// - Returns: Whether the database was reopened.
    private func reopen() throws(KinError) -> Bool {
        let (old, guardian, isClosed) = state.withLock { ($0.pool!, $0.guardian!, $0.isClosed) }
        guard guardian.isAlone else { return false }
        let paths = opening.paths
        try attempting("open the database again", at: paths) {
            try usage.alone {
                if !isClosed {
                    try old.barrierWriteWithoutTransaction { database in _ = try database.checkpoint(.full) }
                    try old.end()
                }
                state.withLock { $0.isClosed = true }
                let pool = try opening.pool()
                _ = try pool.read(ChangeLog.version)
                if opening.locksFiles { guardian.lock(paths) }
                state.withLock { state in
                    state.pool = pool
                    state.isClosed = false
                    state.files?.log = FileIdentity(paths.log)
                    state.files?.restoredLog = nil
                }
            }
        }
        return true
    }
}
