import Synchronization

/// The database file of a store's connections, fixed by the first connection.
///
/// A pool opens connections on first use. A connection to a file that has since taken the path would answer from a
/// different store.
final class ConnectedFile: Sendable {
    private let first = Mutex<FileIdentity?>(nil)

    /// The identity of the file; nil before the first connection, and in memory.
    var identity: FileIdentity? { first.withLock { $0 } }

    /// Requires that a new connection has opened the same file as the first one.
    ///
    /// - Throws: `.inputOutput`.
    func require(at path: String) throws(KinError) {
        let identity = FileIdentity(path)
        let isSame = first.withLock { first in
            first = first ?? identity
            return first == identity
        }
        guard isSame, identity != nil else {
            throw KinError(
                .inputOutput,
                "the database was removed or replaced; close the store, and open it again with the right file in place"
            ).within("file", path)
        }
    }
}
