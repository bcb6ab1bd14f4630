import Foundation
import KinCore
import Synchronization

/// The right to write a store, held by one process at a time, and the note of what it has acknowledged.
///
/// The right is an advisory lock (`flock`) on a file beside the database, which the system takes back when the process
/// ends, however it ends. It can be let go of and taken again meanwhile: a phone's system ends apps that hold a lock on a file of a
/// shared folder while they are suspended. The file's text says who writes and which change was acknowledged last (``WriterNote``).
final class WriterLock: Sendable {
    private let descriptor: CInt
    private let process = getpid()
    private let path: String
    /// What the file said when the lock was taken.
    let noteBefore: WriterNote?
    private let isHeld = Mutex(true)

    /// Takes the lock.
    ///
    /// - Throws: `.busy` when another process, or another store of this process, has it; `.inputOutput`.
    init(path: String) throws(KinError) {
        let descriptor = OwnerOnly.open(path)
        guard descriptor >= 0 else { throw .system("open the writer's lock", at: path) }
        do throws(KinError) {
            try Self.take(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
        noteBefore = WriterNote(reading: descriptor)
    }

    /// Lets go of the lock in so many words: a process that is just being started by another thread has a copy of the descriptor until
    /// it runs its own program, and closing this one would leave the lock with it. A forked child closes only, since the lock is its
    /// parent's.
    deinit {
        if process == getpid() { release() }
        close(descriptor)
    }

    private static func take(_ descriptor: CInt, _ path: String) throws(KinError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let refusal = errno
            let holder = WriterNote(reading: descriptor).map { "process \($0.process)" } ?? "another process"
            guard refusal == EWOULDBLOCK else { throw .system("lock the store for writing", at: path, refusal) }
            throw KinError(
                .busy,
                "\(holder) has the store open for writing; open it for reading, or try again when it is closed there"
            ).within("file", path)
        }
    }

    /// Lets go of the lock, until ``takeAgain()``.
    func release() {
        isHeld.withLock { isHeld in
            guard isHeld else { return }
            flock(descriptor, LOCK_UN)
            isHeld = false
        }
    }

    /// Takes the lock again where it was let go of.
    ///
    /// - Returns: The note of whoever held it last, or nil when it was not let go of.
    /// - Throws: As the initializer; the lock is free for another try then.
    func takeAgain() throws(KinError) -> WriterNote? {
        try isHeld.withLock { isHeld throws(KinError) in
            guard !isHeld else { return nil }
            try Self.take(descriptor, path)
            isHeld = true
            return WriterNote(reading: descriptor)
        }
    }

    /// Notes the last change that was acknowledged.
    ///
    /// Nothing is brought to the disk for it: the note outlives the process, and after a power failure it may be older than the
    /// database, which is no contradiction.
    func write(_ note: WriterNote) throws(KinError) {
        let text = note.bytes
        let written = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == text.count else { throw .system("note the last change", at: path) }
    }

    /// Takes out the note: the database that it was about is gone.
    func clear() throws(KinError) {
        guard ftruncate(descriptor, 0) == 0 else { throw .system("take out the note of the last change", at: path) }
    }
}

extension KinError {
    /// What the system said to a call on a file.
    static func system(_ action: String, at path: String, _ number: CInt = errno) -> KinError {
        let reason =
            switch number {
            case ENOENT: "there is no such file or folder; check the path"
            case EACCES, EPERM: "permission denied; change the permissions or choose another place"
            case ENOSPC: "the disk is full; free some space and try again"
            case EROFS: "the file system is read-only; open the store for reading, or choose another place"
            case EISDIR: "it is a folder; give the path of a file"
            default: unsafe String(cString: strerror(number))
            }
        return KinError(.inputOutput, "cannot \(action): \(reason)").within("file", path)
    }
}
