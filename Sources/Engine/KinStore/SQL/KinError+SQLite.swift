import GRDB

/// Runs a body on the database, turning SQLite's errors into ``KinError``.
///
/// - Parameter action: The action, for messages: "cannot `action`".
func attempting<Result>(
    _ action: @autoclosure () -> String, at paths: StorePaths, _ body: () throws -> Result
) throws(KinError) -> Result {
    do {
        return try body()
    } catch let error as KinError {
        throw error
    } catch {
        throw KinError(error, doing: action()).within(paths)
    }
}

extension KinError {
    /// The error with the file of the store; unchanged for a store in memory.
    fileprivate func within(_ paths: StorePaths) -> KinError {
        paths.isInMemory ? self : within("file", paths.database)
    }

    /// Creates an error from any other error, with advice for SQLite's errors.
    init(_ error: any Error, doing action: String) {
        switch error {
        case let error as KinError: self = error
        case let error as DatabaseError: self.init(error, doing: action)
        default: self.init(.inputOutput, "cannot \(action): \(error)")
        }
    }

    /// Creates an error from an SQLite error, with advice.
    init(_ error: DatabaseError, doing action: String) {
        // An error of a backup has the message of its connection, which had no error.
        let message = error.message == "not an error" ? nil : error.message
        let said = message ?? "code \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(.inputOutput, "cannot \(action): the disk is full; free some space and try again")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, "cannot \(action): another process uses the database (\(said)); try again when it is done")
        case .SQLITE_NOTADB:
            self.init(
                .corruptFile,
                "cannot \(action): the file is not a database, or its start is damaged; check the path, or restore a copy"
            )
        case .SQLITE_CORRUPT:
            self.init(.corruptFile, "cannot \(action): the database is damaged (\(said)); restore a copy")
        case .SQLITE_IOERR:
            self.init(.inputOutput, "cannot \(action): the disk failed (\(said))")
        case .SQLITE_READONLY:
            self.init(
                .inputOutput,
                """
                cannot \(action): \(said). The file must be writable, and so must its folder, because SQLite makes files next to a \
                database even to read it; change the permissions, or copy the file to such a folder
                """
            )
        case .SQLITE_CANTOPEN where !hasFreeFiles():
            self.init(
                .inputOutput,
                "cannot \(action): too many files are open; close some, or raise the limit (ulimit -n) and try again")
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(.inputOutput, "cannot \(action): \(said); check the path and its permissions")
        case .SQLITE_TOOBIG, .SQLITE_NOMEM:
            self.init(.capacityExceeded, "cannot \(action): \(said)")
        default:
            self.init(.inputOutput, "cannot \(action): SQLite says \"\(said)\"")
        }
    }
}
