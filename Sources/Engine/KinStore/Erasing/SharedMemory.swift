import GRDB
import GRDBSQLite

/// The index of SQLite's log, in shared memory and the file `-shm`.
///
/// It has page numbers, but may contain other bytes. When SQLite recovers a log whose first frame is void, it copies
/// uninitialized memory into the index, and that memory may have held records.
enum SharedMemory {
    /// The sizes of a region and of the first one's header, in bytes (`WALINDEX_PGSZ` and `WALINDEX_HDR_SIZE` of
    /// SQLite's wal.c).
    private static let regionSize: CInt = 32_768
    private static let headerSize = 136
    /// The offset of the number of frames in the header.
    private static let frameCountOffset = 16

    /// Zeroes everything after the header if the log has no frames, so that nothing there is in use.
    ///
    /// SQLite does the same before it enters the first frame of a region.
    ///
    /// - Parameter database: A connection in a write transaction without writes, so that no connection enters frames.
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
