import Foundation
import KinCore

/// What the writer's file says, in 96 bytes of text.
///
/// A log that is cut short ends an earlier change sooner, and SQLite rightly takes what it finds for all there was. The note
/// tells the difference: a database that is older than what was acknowledged has lost something. And it tells whether the machine went
/// down while the store was open, which is when a disk may have broken its word.
struct WriterNote: Sendable, Hashable {
    /// The process that writes, or wrote last.
    var process: Int32
    /// The number of the last change that was acknowledged; 0 for an empty store that is ready.
    var change: Int64
    /// Whether the writer closed the store.
    var isClosed = false
    /// The start of the machine during which it was written (``Boot/current``), nil where that is not known.
    var boot: UInt64?

    static let size = 96
    private static let title = "kin store writer 2"
    /// The note of release 0.1.0 had 64 bytes, and neither of the last two.
    private static let firstSize = 64
    private static let firstTitle = "kin store writer 1"

    init(change: Int64, isClosed: Bool = false) {
        process = getpid()
        self.change = change
        self.isClosed = isClosed
        boot = Boot.current
    }

    /// Reads a file; nil when it says nothing (a store that was never finished) or nonsense.
    init?(reading descriptor: CInt) {
        var bytes = [UInt8](repeating: 0, count: Self.size)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= Self.firstSize else { return nil }
        self.init(text: String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// Reads the note of a store that somebody else may be writing.
    init?(ofFile path: String) {
        let descriptor = unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Foundation.close(descriptor) }
        self.init(reading: descriptor)
    }

    init?(text: String) {
        let isFirst = text.hasPrefix(Self.firstTitle + "\n")
        // A note of the first form may have the end of one of the second behind it.
        let text = isFirst ? String(text.prefix(Self.firstSize)) : text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == (isFirst ? 4 : 5), isFirst || lines[0] == Self.title,
            lines.last!.allSatisfy({ $0 == " " }),
            let process = Int32(lines[1]), let change = Int64(lines[2]), change >= 0
        else { return nil }
        self.process = process
        self.change = change
        guard !isFirst else { return }
        let words = lines[3].split(separator: " ")
        guard words.count == 2, ["open", "closed"].contains(words[0]) else { return nil }
        isClosed = words[0] == "closed"
        boot = words[1] == "-" ? nil : UInt64(words[1], radix: 16)
    }

    var bytes: [UInt8] {
        let boot = boot.map { String($0, radix: 16) } ?? "-"
        let text = "\(Self.title)\n\(process)\n\(change)\n\(isClosed ? "closed" : "open") \(boot)\n"
        return Array(text.utf8) + [UInt8](repeating: 0x20, count: Self.size - text.utf8.count)
    }

    /// Whether the machine went down while a writer had the store open.
    var indicatesUncleanShutdown: Bool {
        guard !isClosed, let boot, let now = Boot.current else { return false }
        return boot != now
    }
}

/// Which start of the machine this is.
enum Boot {
    /// A digest of the name that the system gives to this start, or nil where it gives none.
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
