import GRDB
import GRDBSQLite

/// The table of contents of the log, which SQLite keeps in shared memory and the file `-shm`.
///
/// It holds numbers of pages, yet there may be anything in it: when SQLite recovers a log whose first frame is void, it copies memory
/// that nobody has written to into the table, and that memory may be what was left of somebody's records.
enum SharedMemory {
    /// Bytes of a region, and of the header of the first one (`WALINDEX_PGSZ` and `WALINDEX_HDR_SIZE` of SQLite's wal.c).
    private static let regionSize: CInt = 32_768
    private static let headerSize = 136
    /// Where the header has the number of frames in the log.
    private static let frameCountOffset = 16

    /// Fills what follows the header with zeros if the log has no frames, so that nothing there means anything.
    ///
    /// SQLite does the same before the first frame of a region is entered.
    ///
    /// - Parameter database: in a transaction that may write and has not, so that nobody enters frames.
    static func clear(_ database: Database) {
        var found: UnsafeMutablePointer<sqlite3_file>?
        let status = unsafe sqlite3_file_control(
            database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &found)
        guard status == SQLITE_OK, let file = unsafe found, let methods = unsafe file.pointee.pMethods,
            unsafe methods.pointee.iVersion >= 2, let map = unsafe methods.pointee.xShmMap
        else { return }
        var number: CInt = 0
        while true {
            var memory: UnsafeMutableRawPointer?
            guard unsafe map(file, number, regionSize, 0, &memory) == SQLITE_OK, let region = unsafe memory else {
                return
            }
            let isFirst = number == 0
            if isFirst, unsafe region.load(fromByteOffset: frameCountOffset, as: UInt32.self) != 0 { return }
            let start = isFirst ? headerSize : 0
            unsafe (region + start).initializeMemory(as: UInt8.self, repeating: 0, count: Int(regionSize) - start)
            number += 1
        }
    }
}
