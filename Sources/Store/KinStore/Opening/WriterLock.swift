import Foundation
import KinCore

/// The right to write a store, held by one process at a time, and the note of what it has acknowledged.
///
/// The right is an advisory lock (`flock`) on a file beside the database, which the system takes back when the process
/// ends, however it ends. The file's text says who writes and which change was acknowledged last (``WriterNote``).
final class WriterLock: Sendable {
    private let descriptor: CInt
    private let path: String
    /// What the file said when the lock was taken.
    let noteBefore: WriterNote?

    /// Takes the lock.
    ///
    /// - Throws: `.busy` when another process, or another store of this process, has it; `.inputOutput`.
    init(path: String) throws(KinError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("open the writer's lock", at: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let refusal = errno
            let holder = WriterNote(reading: descriptor).map { "process \($0.process)" } ?? "another process"
            close(descriptor)
            guard refusal == EWOULDBLOCK else { throw .system("lock the store for writing", at: path, refusal) }
            throw KinError(
                .busy,
                "\(holder) has the store open for writing; open it for reading, or try again when it is closed there"
            ).within("file", path)
        }
        self.descriptor = descriptor
        self.path = path
        noteBefore = WriterNote(reading: descriptor)
    }

    deinit { close(descriptor) }

    /// Notes the last change that was acknowledged.
    ///
    /// Nothing is brought to the disk for it: the note outlives the process, and after a power failure it may be older than the
    /// database, which is no contradiction.
    func write(_ note: WriterNote) throws(KinError) {
        let text = note.bytes
        let written = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == text.count else { throw .system("note the last change", at: path) }
    }
}

/// What the writer's file says, in 64 bytes of text.
///
/// A log that is cut short ends an earlier change sooner, and SQLite rightly takes what it finds for all there was. The note
/// tells the difference: a database that is older than what was acknowledged has lost something.
struct WriterNote: Sendable, Hashable {
    /// The process that writes, or wrote last.
    var process: Int32
    /// The number of the last change that was acknowledged; 0 for an empty store that is ready.
    var change: Int64

    static let size = 64
    private static let title = "kin store writer 1"

    init(change: Int64) {
        process = getpid()
        self.change = change
    }

    /// Reads a file; nil when it says nothing (a store that was never finished) or nonsense.
    init?(reading descriptor: CInt) {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == Self.size else { return nil }
        self.init(text: String(decoding: bytes, as: UTF8.self))
    }

    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == Self.title, lines[3].allSatisfy({ $0 == " " }),
            let process = Int32(lines[1]), let change = Int64(lines[2]), change >= 0
        else { return nil }
        self.process = process
        self.change = change
    }

    var bytes: [UInt8] {
        let text = "\(Self.title)\n\(process)\n\(change)\n"
        return Array(text.utf8) + [UInt8](repeating: 0x20, count: Self.size - text.utf8.count)
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
