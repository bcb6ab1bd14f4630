import Foundation

/// The content of the writer's file: 128 bytes of text.
///
/// A truncated log ends at an earlier change, and SQLite takes its content for complete. The note shows the difference:
/// a database older than the last acknowledged change has lost data. The note also shows whether the machine went down
/// while the store was open; a disk may then have lost synchronized writes.
struct WriterNote: Sendable, Hashable {
    /// The id of the process that is writing, or that wrote last.
    var process: Int32
    /// The number of the last change that was acknowledged; 0 for an empty store that is ready.
    var change: Int64
    /// Whether the writer closed the store.
    var isClosed = false
    /// The identity of the machine's start when the note was written (``Boot/current``); nil if unknown.
    var boot: UInt64?
    /// The history that includes ``change``; nil in notes of releases 0.1.0 and 0.2.0, which bind any database.
    var lineage: Lineage?

    static let size = 128
    /// The forms of the note by release: 0.1.0, 0.2.0 and this one. Each adds a line.
    private static let forms: [(title: String, size: Int)] = [
        ("kin store writer 1", 64), ("kin store writer 2", 96), ("kin store writer 3", size),
    ]

    init(change: Int64, isClosed: Bool = false) {
        process = getpid()
        self.change = change
        self.isClosed = isClosed
        boot = Boot.current
    }

    /// Reads an open file; nil if it is empty (a store that was never completed) or malformed.
    init?(reading descriptor: CInt) {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= Self.forms[0].size else { return nil }
        self.init(text: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// Reads the note of a store that a different process may be writing.
    init?(ofFile path: String) {
        let descriptor = unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Foundation.close(descriptor) }
        self.init(reading: descriptor)
    }

    init?(text: String) {
        guard let form = Self.forms.firstIndex(where: { text.hasPrefix($0.title + "\n") }) else { return nil }
        // The end of a later form may remain after a note of an earlier form.
        let lines = text.prefix(Self.forms[form].size).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == form + 4, lines.last!.allSatisfy({ $0 == " " }),
            let process = Int32(lines[1]), let change = Int64(lines[2]), change >= 0
        else { return nil }
        self.process = process
        self.change = change
        guard form > 0 else { return }
        let words = lines[3].split(separator: " ")
        guard words.count == 2, ["open", "closed"].contains(words[0]) else { return nil }
        isClosed = words[0] == "closed"
        boot = words[1] == "-" ? nil : UInt64(words[1], radix: 16)
        guard form > 1 else { return }
        lineage = Lineage(lines[4])
    }

    var bytes: [UInt8] {
        let boot = boot.map { String($0, radix: 16) } ?? "-"
        let text = """
            \(Self.forms[2].title)
            \(process)
            \(change)
            \(isClosed ? "closed" : "open") \(boot)
            \(lineage?.description ?? "-")

            """
        return Array(text.utf8) + [UInt8](repeating: 0x20, count: Self.size - text.utf8.count)
    }

    /// Whether a database of a lineage must have the acknowledged change. A database without a lineage may be of any
    /// history.
    func binds(_ other: Lineage?) -> Bool { lineage == nil || other == nil || lineage == other }

    /// Whether the process that wrote the note has ended.
    var processHasEnded: Bool { kill(process, 0) != 0 && errno == ESRCH }

    /// Whether the machine restarted while a writer had the store open.
    var indicatesUncleanShutdown: Bool {
        guard !isClosed, let boot, let now = Boot.current else { return false }
        return boot != now
    }
}

/// The identity of the machine's current start.
enum Boot {
    /// A digest of the system's name for this start; nil if the system has no name.
    static let current: UInt64? = {
        guard let name else { return nil }
        var digest = HashChain(0)
        digest.mix(name)
        return digest.value
    }()

    private static var name: String? {
        #if os(Linux)
            try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #else
            var bytes = [CChar](repeating: 0, count: 64)
            var size = bytes.count
            guard unsafe sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
            return unsafe String(cString: bytes)
        #endif
    }
}
