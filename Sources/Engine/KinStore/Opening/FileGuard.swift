import Foundation
import Synchronization

/// The use of a database by a store or snapshot of this process, with locks that keep other programs from removing its log.
///
/// The last connection to close a database moves the log into it and removes the log. To find out whether it is the
/// last, SQLite takes an exclusive POSIX lock on the database file, which has two weaknesses. Locks of one process do
/// not conflict, so a second SQLite library in the process (such as a Python module's) takes itself for the last user.
/// And any `close` of the file in the process, for example after copying it, drops all locks of the process. In both
/// cases the log of the open store is removed, and later writes are lost when the process ends.
///
/// A lock of an open file description (`F_OFD_SETLK`) has neither weakness and conflicts with every POSIX lock, so no
/// program becomes the last user while a store holds it. A second lock prevents others from clearing the index of the
/// log in shared memory.
///
/// Linux has these locks. On other systems, and on file systems without them, the store notices a removed log
/// afterwards (``StoreFiles``).
final class FileGuard: Sendable {
    /// The number of users of a database, and the descriptors of its locks.
    ///
    /// A descriptor is closed with the last user, because closing it drops the POSIX locks of every connection.
    private struct Users {
        var count = 0
        var descriptors: [FileIdentity: CInt] = [:]
    }

    private static let users = Mutex<[FileIdentity: Users]>([:])

    private let database: FileIdentity

    init(_ database: FileIdentity) {
        self.database = database
        Self.users.withLock { $0[database, default: Users()].count += 1 }
    }

    /// Ends the use of the database, whose connections must be closed before.
    deinit {
        Self.users.withLock { users in
            users[database]!.count -= 1
            guard users[database]!.count == 0 else { return }
            for descriptor in users.removeValue(forKey: database)!.descriptors.values { close(descriptor) }
        }
    }

    /// Whether the database has no other user in this process.
    var isAlone: Bool { Self.users.withLock { $0[database]!.count == 1 } }

    /// Locks the files, which SQLite has open.
    func lock(_ paths: StorePaths) {
        #if os(Linux)
            // SQLite's shared lock, and the byte of an index in use: `SHARED_FIRST`, `SHARED_SIZE` and `UNIX_SHM_DMS`
            // of os_unix.c.
            for (path, start, length) in [(paths.database, 0x4000_0002, 510), (paths.sharedMemory, 128, 1)] {
                Self.users.withLock { users in
                    guard let file = FileIdentity(path) else { return }
                    let known = users[database]!.descriptors[file]
                    let descriptor = unsafe known ?? open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
                    guard descriptor >= 0 else { return }
                    users[database]!.descriptors[file] = descriptor
                    Self.set(F_RDLCK, start, length, of: descriptor)
                }
            }
        #endif
    }

    /// Unlocks the files, so that SQLite can close the database as its last user.
    func unlock() {
        #if os(Linux)
            Self.users.withLock { users in
                for descriptor in users[database]!.descriptors.values { Self.set(F_UNLCK, 0, 0, of: descriptor) }
            }
        #endif
    }

    #if os(Linux)
        /// Sets the kind of lock on bytes; `length` 0 means all bytes from `start` on. File systems without these locks
        /// ignore it.
        private static func set(_ kind: CInt, _ start: Int, _ length: Int, of descriptor: CInt) {
            var range = flock(
                l_type: CShort(kind), l_whence: CShort(SEEK_SET), l_start: start, l_len: length, l_pid: 0)
            // The number of F_OFD_SETLK, which the module of the C library lacks.
            _ = unsafe fcntl(descriptor, 37, &range)
        }
    #endif
}
