import Foundation
import Synchronization

/// Locks on a database that is open for writing, which keep other programs from removing its log.
///
/// The last connection that closes a database moves the log into it and removes the log. SQLite knows that it is the last by an
/// exclusive lock on the database file, a POSIX lock, which has two weaknesses: locks of one process do not conflict, so that a second
/// SQLite library in the process (a Python module, say) takes itself for the last; and any `close` of the file in the process, as by
/// a program that copies it, drops all of them. The log of the open store is removed then, and what it writes later goes with it.
/// A lock of an open file description (`F_OFD_SETLK`) has neither weakness. It conflicts with every POSIX lock, so that nobody is
/// the last as long as a store holds it. A second lock keeps others from clearing the index of the log, which is in shared memory.
///
/// Linux has these locks. Elsewhere, and on file systems without them, the store notices afterwards that its log was removed
/// (``StoreFiles``).
final class FileGuard: Sendable {
    /// The stores of this process that use a database, and the descriptors of its locks.
    ///
    /// A descriptor is closed when the last of them ends, since closing it drops the POSIX locks of every connection.
    private struct Users {
        var count = 0
        var descriptors: [FileIdentity: CInt] = [:]
    }

    private static let users = Mutex<[FileIdentity: Users]>([:])

    private let database: FileIdentity
    private let isReleased = Mutex(false)

    init(_ database: FileIdentity) {
        self.database = database
        Self.users.withLock { $0[database, default: Users()].count += 1 }
    }

    deinit { release() }

    /// Whether no other store of this process uses the database.
    var isAlone: Bool { Self.users.withLock { $0[database]?.count == 1 } }

    /// Locks the files, which SQLite has open.
    func lock(_ paths: StorePaths) {
        // The shared bytes of SQLite's lock, and the byte that says that the index of the log is in use (`SHARED_FIRST` and
        // `SHARED_SIZE` of os.h, `UNIX_SHM_DMS` of os_unix.c).
        share(0x4000_0002, 510, of: paths.database)
        share(128, 1, of: paths.sharedMemory)
    }

    /// Unlocks the files, so that SQLite can close the database as its last user.
    func unlock() {
        Self.users.withLock { users in
            for descriptor in users[database, default: Users()].descriptors.values {
                Self.set(CInt(F_UNLCK), 0, 0, of: descriptor)
            }
        }
    }

    /// Ends the use of the database, all of whose connections are closed.
    func release() {
        guard
            isReleased.withLock({ isReleased in
                defer { isReleased = true }
                return !isReleased
            })
        else { return }
        Self.users.withLock { users in
            users[database]!.count -= 1
            guard users[database]!.count == 0 else { return }
            for descriptor in users.removeValue(forKey: database)!.descriptors.values { close(descriptor) }
        }
    }

    /// Locks bytes of the file of a path for shared use.
    private func share(_ start: Int, _ length: Int, of path: String) {
        #if os(Linux)
            Self.users.withLock { users in
                guard let identity = FileIdentity(path) else { return }
                let known = users[database]!.descriptors[identity]
                let descriptor = unsafe known ?? open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
                guard descriptor >= 0 else { return }
                users[database]!.descriptors[FileIdentity(descriptor) ?? identity] = descriptor
                Self.set(CInt(F_RDLCK), start, length, of: descriptor)
            }
        #endif
    }

    /// Sets the kind of the lock of bytes; of all from `start` on if `length` is 0. A file system without such locks ignores it.
    private static func set(_ kind: CInt, _ start: Int, _ length: Int, of descriptor: CInt) {
        #if os(Linux)
            var range = flock()
            range.l_type = CShort(kind)
            range.l_whence = CShort(SEEK_SET)
            (range.l_start, range.l_len) = (start, length)
            // The number of F_OFD_SETLK, which the module of the C library lacks.
            _ = unsafe fcntl(descriptor, 37, &range)
        #endif
    }
}
