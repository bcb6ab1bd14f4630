/// Where a store's files are: the database, what SQLite puts beside it, and what the store does.
///
/// Everything of the store `people.db` lies in its folder under names that begin with `people.db`:
///
/// | name | what it is |
/// | --- | --- |
/// | `people.db` | the database: the truth |
/// | `people.db-wal`, `people.db-shm` | SQLite's write-ahead log, which is part of the truth, and its table of contents |
/// | `people.db-writer` | the writer's lock and the last change it acknowledged (``WriterNote``) |
/// | `people.db-indexes/` | index files: caches that are made again from the database |
struct StorePaths: Sendable, Hashable {
    /// The database's path.
    let database: String

    var log: String { database + "-wal" }
    var sharedMemory: String { database + "-shm" }
    var writerNote: String { database + "-writer" }
    var indexFolder: String { database + "-indexes" }

    /// The index file of a kind of record.
    func indexFile(_ kind: String) -> String { "\(indexFolder)/\(kind).kin" }
}
