import Foundation

/// The identity of a file: the device, and the number of the file on the device.
struct FileIdentity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    fileprivate init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// Reads the identity of the file at a path; nil if no file is there.
    init?(_ path: String) {
        guard let (identity, _) = Self.look(at: path) else { return nil }
        self = identity
    }

    /// Reads the identity of an open file.
    init?(_ descriptor: CInt) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Reads the identity and the size in bytes of the file at a path; nil if no file is there.
    static func look(at path: String) -> (identity: FileIdentity, size: Int)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return (FileIdentity(status), Int(status.st_size))
    }
}

/// The identities of the files that a store has opened. A changed identity shows a removed or replaced file.
struct StoreFiles: Sendable {
    let paths: StorePaths
    let database: FileIdentity
    /// The log that SQLite writes to; nil for a database without a log.
    var log: FileIdentity?
    /// The file with the writer's lock; nil for a store opened for reading.
    let writerNote: FileIdentity?
    /// The copy that replaced a removed log; nil if no log was removed since the database was opened.
    var restoredLog: FileIdentity?

    /// The state of the files at their paths.
    enum State {
        case inPlace
        /// The log was removed, and nothing was written to a new log.
        case logRemoved
        /// A file was removed or replaced, so that writing is unsafe; the text names the file.
        case replaced(String)
    }

    /// The size of a log's header, in bytes: a log of this size has no content (`WAL_HDRSIZE` of SQLite's wal.c).
    static let logHeaderSize = 32

    /// Compares the files with the files that are at their paths now: three system calls.
    var state: State {
        if let problem = replacedDatabase { return .replaced(problem) }
        if let writerNote, let problem = Self.replacement(of: writerNote, at: paths.writerNote, "the writer's file") {
            return .replaced("\(problem), so that another process may write, too")
        }
        guard let log else { return .inPlace }
        guard let now = FileIdentity.look(at: paths.log) else { return .logRemoved }
        if now.identity == log { return .inPlace }
        guard now.size > Self.logHeaderSize, now.identity != restoredLog else { return .logRemoved }
        return .replaced("SQLite's log \(paths.log) was replaced by one that another program wrote")
    }

    var isReplaced: Bool { if case .replaced = state { true } else { false } }

    /// The removal or replacement of the database; nil if it is in place.
    var replacedDatabase: String? { Self.replacement(of: database, at: paths.database, "the database") }

    private static func replacement(of file: FileIdentity, at path: String, _ noun: String) -> String? {
        let now = FileIdentity(path)
        return now == file ? nil : "\(noun) \(path) was \(now == nil ? "removed" : "replaced") while the store was open"
    }
}
