import Foundation

/// The paths of a store's files: the database, SQLite's files beside it, and the store's.
///
/// All files of the store `people.db` are in its folder, with names that begin with `people.db`:
///
/// | name | content |
/// | --- | --- |
/// | `people.db` | the database: the truth |
/// | `people.db-wal`, `people.db-shm` | SQLite's write-ahead log, a part of the data, and its index |
/// | `people.db-writer` | the writer's lock and the last change it acknowledged (``WriterNote``) |
/// | `people.db-indexes/` | index files: caches that are rebuilt from the database |
struct StorePaths: Sendable, Hashable {
    /// The path of the database file; empty for a store in memory, which has no files.
    let database: String

    /// Whether there are no files.
    var isInMemory: Bool { database.isEmpty }

    var log: String { database + "-wal" }
    var sharedMemory: String { database + "-shm" }
    var writerNote: String { database + "-writer" }
    var indexFolder: String { database + "-indexes" }
}

extension Store {
    /// Removes the files of a store that nobody has open.
    package static func removeFiles(at path: String) {
        let paths = StorePaths(database: path)
        for file in [paths.database, paths.log, paths.sharedMemory, paths.writerNote, paths.indexFolder] {
            try? FileManager.default.removeItem(atPath: file)
        }
    }
}
