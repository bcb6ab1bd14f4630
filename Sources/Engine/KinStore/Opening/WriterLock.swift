import Foundation
import Synchronization

/// The write lock of a store, held by one process at a time, with the note of its last acknowledged change.
///
/// It is an advisory lock (`flock`) on a file next to the database, which the system releases when the process ends. It
/// can be released and reacquired, because a phone's system ends suspended apps that hold a lock in a shared folder.
/// The file's text is a ``WriterNote``.
final class WriterLock: Sendable {
    private let descriptor: CInt
    /// The file with the lock.
    let identity: FileIdentity
    private let process = getpid()
    private let path: String
    /// The note in the file when the lock was taken.
    let noteBefore: WriterNote?
    private let isHeld = Mutex(true)
    /// The lineage of the database, which every note names; nil until it is known.
    private let lineage = Mutex<Lineage?>(nil)

    /// Opens the file and takes the lock.
    ///
    /// - Throws: `.busy` if a different process, or a different store of this process, holds it; `.inputOutput`.
    init(path: String) throws(KinError) {
        descriptor = OwnerOnly.open(path)
        guard descriptor >= 0 else { throw .system("open the writer's lock", at: path, named: "output") }
        do throws(KinError) {
            try Self.lock(descriptor, path)
            // A lock on a file that was removed in between excludes no other process.
            guard let identity = FileIdentity(descriptor), identity == FileIdentity(path) else {
                throw KinError(.busy, "the writer's file was removed while the store was opened; open it again")
                    .within("file", path)
            }
            self.identity = identity
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        noteBefore = WriterNote(reading: descriptor)
    }

    /// Releases the lock explicitly. A process that is being started by a different thread has a copy of the descriptor
    /// until it runs its program, and closing only this descriptor would leave it the lock. A forked child only closes
    /// the descriptor, because the lock is its parent's.
    deinit {
        if process == getpid() { release() }
        close(descriptor)
    }

    /// Whether an open store holds the lock in the file at a path. The look takes the lock for an instant.
    static func isHeld(at path: String) -> Bool {
        let descriptor = unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private static func lock(_ descriptor: CInt, _ path: String) throws(KinError) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let refusal = errno
            // A holder that is opening the store has not written its note yet.
            let note = WriterNote(reading: descriptor).flatMap { $0.isClosed ? nil : $0 }
            let ended = note?.processHasEnded == true ? "a child of the ended " : ""
            let holder = note.map { "\(ended)process \($0.process)" } ?? "another process"
            guard refusal == EWOULDBLOCK else { throw .system("lock the store for writing", at: path, refusal) }
            throw KinError(
                .busy,
                "\(holder) has the store open for writing; open it for reading, or try again when it is closed there"
            ).within("file", path)
        }
    }

    /// Releases the lock until ``takeAgain()``.
    func release() {
        isHeld.withLock { isHeld in
            guard isHeld else { return }
            flock(descriptor, LOCK_UN)
            isHeld = false
        }
    }

    /// Reacquires a released lock.
    ///
    /// - Returns: The note of the last holder; nil if the lock was not released.
    /// - Throws: As the initializer; the call may be repeated.
    func takeAgain() throws(KinError) -> WriterNote? {
        try isHeld.withLock { isHeld throws(KinError) in
            guard !isHeld else { return nil }
            try Self.lock(descriptor, path)
            isHeld = true
            return WriterNote(reading: descriptor)
        }
    }

    /// Writes the note of the last acknowledged change.
    ///
    /// The note is not synchronized to the disk. It outlives the process. After a power failure it may be older than
    /// the database, which is valid.
    func write(_ note: WriterNote) throws(KinError) {
        var note = note
        note.lineage = note.lineage ?? lineage.withLock { $0 }
        let text = note.bytes
        let written = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == text.count else { throw .system("note the last change", at: path) }
    }

    /// Synchronizes a new store's note to the disk, so that it survives a power failure; SQLite synchronizes the
    /// folder.
    func synchronize() { fsync(descriptor) }

    /// Sets the lineage for all later notes.
    func belong(to lineage: Lineage?) { self.lineage.withLock { $0 = lineage } }

    /// Removes the file if it had no note when the lock was taken: what could not be opened gets no file next to it.
    func removeUnlessNoted() { if noteBefore == nil { unsafe unlink(path) } }

    /// Removes the note of a database that was removed.
    func clear() throws(KinError) {
        guard ftruncate(descriptor, 0) == 0 else { throw .system("take out the note of the last change", at: path) }
    }
}

extension KinError {
    /// The error of a system call on a file.
    ///
    /// - Parameter fact: The name of the file in the error's context: `input` for a file that cannot be opened,
    ///   `output` for a file that cannot be made, else `file`.
    static func system(
        _ action: String, at path: String, _ number: CInt = errno, named fact: String = "file"
    ) -> KinError {
        .refused(action, number: number).within(fact, path)
    }
}
