import Foundation

/// The memory of this process, in bytes.
struct ResidentMemory {
    /// Pages that no file stands behind.
    var anonymous: Int
    /// Pages of mapped files.
    var mapped: Int

    /// As Linux tells it; nil elsewhere.
    static func now() -> ResidentMemory? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .ascii) else { return nil }
        func bytes(_ name: String) -> Int? {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
        }
        guard let anonymous = bytes("RssAnon"), let mapped = bytes("RssFile") else { return nil }
        return ResidentMemory(anonymous: anonymous, mapped: mapped)
    }
}
