import GRDB
import GRDBSQLite

/// A file that a connection has open.
@safe
struct SQLiteFile {
    private let file: UnsafeMutablePointer<sqlite3_file>
    let size: Int

    /// The write-ahead log of a connection; nil if it is not open.
    init?(logOf database: Database) {
        var found: UnsafeMutablePointer<sqlite3_file>?
        let status = unsafe sqlite3_file_control(
            database.sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found)
        var size: sqlite3_int64 = 0
        guard status == SQLITE_OK, let file = unsafe found, let methods = unsafe file.pointee.pMethods,
            unsafe methods.pointee.xFileSize(file, &size) == SQLITE_OK
        else { return nil }
        unsafe self.file = unsafe file
        self.size = Int(size)
    }

    /// The bytes from an offset on, at most 64 KiB: SQLite reads no more than 128 KiB at once.
    func bytes(at place: Int) throws(KinError) -> [UInt8] {
        let count = min(size - place, 1 << 16)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let status = unsafe file.pointee.pMethods.pointee.xRead(
                file, buffer.baseAddress, CInt(count), sqlite3_int64(place))
            filled = status == SQLITE_OK ? count : 0
        }
        guard bytes.count == count else { throw KinError(.inputOutput, "the log cannot be read") }
        return bytes
    }
}
