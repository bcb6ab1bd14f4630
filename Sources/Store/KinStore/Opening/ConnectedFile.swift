import GRDB
import GRDBSQLite
import KinCore
import Synchronization

/// The database file that the connections of a store have open, which the first of them decides.
///
/// A pool opens connections when they are first needed. One that opened another file of the same path would answer from another store.
final class ConnectedFile: Sendable {
    private let first = Mutex<FileIdentity?>(nil)

    /// The identity of the file; nil before the first connection, and in memory.
    var identity: FileIdentity? { first.withLock { $0 } }

    /// Requires that a new connection has the file of the first one open.
    ///
    /// - Throws: `.inputOutput`.
    func require(_ database: Database, at paths: StorePaths) throws(KinError) {
        let identity = FileIdentity(paths.database)
        // SQLite compares the file that it has open with that of the path.
        var hasMoved: CInt = 0
        _ = unsafe sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        let isFirst = first.withLock { first in
            first = first ?? identity
            return first == identity
        }
        guard hasMoved == 0, identity != nil, isFirst else {
            throw KinError(
                .inputOutput,
                """
                the database was removed or replaced while the store was open; close the store, and open it again with the right \
                file in place
                """
            ).within("file", paths.database)
        }
    }
}
