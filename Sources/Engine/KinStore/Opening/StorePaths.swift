import Foundation

/// The paths of a store's files: the database, SQLite's files and Kin's own files.
///
/// All files of the store `people.db` are in its folder, with names that begin with `people.db`:
///
/// | name | content |
/// | --- | --- |
/// | `people.db` | the database, which is authoritative |
/// | `people.db-wal`, `people.db-shm` | SQLite's write-ahead log, a part of the data, and its index |
/// | `people.db-journal` | SQLite's rollback journal, while a backup is opened for writing for the first time |
/// | `people.db-writer` | the writer's lock and the last change it acknowledged (``WriterNote``) |
/// | `people.db-indexes/` | index files: caches that are rebuilt from the database |
struct StorePaths: Sendable, Hashable {
    /// The path of the database file; empty for a store in memory, which has no files.
    let database: String
    let log: String
    let sharedMemory: String
    let journal: String
    let writerNote: String
    let indexFolder: String

    /// Creates the paths of a database whose path is resolved; empty for a store in memory.
    init(database: String) {
        self.database = database
        log = database + "-wal"
        sharedMemory = database + "-shm"
        journal = database + "-journal"
        writerNote = database + "-writer"
        indexFolder = database + "-indexes"
    }

    /// Resolves the path of a database: absolute, with all links followed.
    ///
    /// A store with two names is one store, and its files remain the same if the process changes its working directory.
    /// The database may be missing, but its folder must exist.
    ///
    /// - Throws: `.invalidArgument` for an empty path; `.inputOutput` for a dangling link, a missing folder, the path
    ///   of a folder, or a file of the store that is a link or has several names.
    init(resolving path: String) throws(KinError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw KinError(
                .invalidArgument, "the path must not be empty or contain a zero byte; give the path of a file")
        }
        if let resolved = try Self.resolve(path) {
            self.init(database: resolved)
        } else {
            // A missing file is in the folder that its path names.
            let slash = path.lastIndex(of: "/")
            let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
            let folder = slash.map { String(path[...$0]) } ?? "."
            guard !name.isEmpty, let resolved = try Self.resolve(folder) else {
                throw KinError(.inputOutput, "there is no folder \(folder); make it, or give another path")
                    .within("output", path)
            }
            self.init(database: resolved == "/" ? "/\(name)" : "\(resolved)/\(name)")
        }
        try requireFile(database, "the database")
        try requireFile(log, "SQLite's log")
        try requireFile(sharedMemory, "the index of SQLite's log")
        try requireFile(journal, "SQLite's rollback journal")
        try requireFile(writerNote, "the writer's file")
    }

    /// The files that SQLite would replay into the database at the path.
    var replayed: [String] { [log, sharedMemory, journal] }

    /// Whether there are no files.
    var isInMemory: Bool { database.isEmpty }

    /// Whether a writer has left a file at the path; a backup has no such file.
    var wasOpenForWriting: Bool {
        [writerNote, log, journal].contains { FileManager.default.fileExists(atPath: $0) }
    }

    /// The absolute path without links; nil if nothing has the path.
    ///
    /// - Throws: `.inputOutput`, also for a link to a file that is missing.
    private static func resolve(_ path: String) throws(KinError) -> String? {
        if let resolved = unsafe realpath(path, nil) {
            defer { unsafe free(resolved) }
            guard let text = unsafe String(validatingCString: resolved) else {
                throw KinError(.invalidArgument, "a name in the path must be UTF-8; rename the file or folder")
                    .within("file", path)
            }
            return text
        }
        guard errno == ENOENT else { throw .system("look at the path", at: path) }
        var status = stat()
        if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            throw KinError(
                .inputOutput,
                "the path is a link to a file that is missing; remove the link, or give the path of the file"
            ).within("file", path)
        }
        return nil
    }

    /// Requires that a path names a plain file with a single name, or nothing.
    ///
    /// SQLite's log and locks belong to one name of a database: under a second name, the same database would be a
    /// different store.
    private func requireFile(_ path: String, _ noun: String) throws(KinError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .system("look at \(noun)", at: path) }
            return
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw KinError(.inputOutput, "\(noun) must be a file, not a folder; give the path of a file")
                .within("input", path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            let problem = isLink ? "a link; remove the link, or" : "a device, pipe or socket;"
            throw KinError(.inputOutput, "\(noun) must be a file, not \(problem) give the path of another file")
                .within("file", path)
        }
        guard status.st_nlink <= 1 else {
            throw KinError(
                .inputOutput,
                """
                \(noun) must have one name, not \(status.st_nlink) hard links, since data written under a second name is lost; \
                remove the other names, or copy the file
                """
            ).within("file", path)
        }
    }
}

extension Store {
    /// Removes the files of a store that is not open for writing in any process.
    ///
    /// - Parameter isOwn: Whether the files remain if another process has opened the store for writing after this one.
    package static func removeFiles(at path: String, ifOwn isOwn: Bool = false) {
        guard let paths = try? StorePaths(resolving: path), let lock = try? WriterLock(path: paths.writerNote),
            !isOwn || lock.noteBefore?.process == getpid()
        else { return }
        defer { lock.release() }
        for file in paths.replayed + [paths.database, paths.writerNote, paths.indexFolder] {
            try? FileManager.default.removeItem(atPath: file)
        }
    }
}
