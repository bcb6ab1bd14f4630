import Foundation

/// The memory of this process, as Linux reports it.
package enum ProcessMemory: String {
    /// Pages in memory.
    case resident = "VmRSS:"
    /// The largest number of pages in memory so far.
    case peak = "VmHWM:"
    /// Pages in memory that no file backs.
    case anonymous = "RssAnon:"

    /// Bytes; nil on other systems.
    package var bytes: Int? {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix(rawValue) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }

    package var megabytes: Int { (bytes ?? 0) / 1_000_000 }
}
