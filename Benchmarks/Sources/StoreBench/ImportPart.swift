import Foundation
import Kin
import KinStore

/// Bulk imports, from lines of JSON and from memory.
struct ImportPart {
    let folder: String
    let sessions: [PleasureSession]

    func run() async throws {
        let lines = "\(folder)/sessions.jsonl"
        let text = sessions.map { $0.json }.joined(separator: "\n")
        try Data(text.utf8).write(to: URL(filePath: lines))
        let bytes = text.utf8.count
        row("import", "sessions a second", "MB a second")
        row("---", "---:", "---:")

        let fromLines = try Store(at: "\(folder)/lines.db")
        let now = try Timestamp(seconds: 2e9)
        let (counts, lineSeconds) = try await seconds { try await fromLines.importLines(from: lines, now: now) }
        guard counts == ["session": sessions.count] else { throw WrongResult(description: "imported \(counts)") }
        try compare(fromLines)
        report("from JSON lines, in one transaction, on the disk", lineSeconds, bytes)

        let fromMemory = try Store(at: "\(folder)/memory.db")
        let (_, memorySeconds) = try await seconds { try await fromMemory.put(sessions) }
        try compare(fromMemory)
        report("from memory, the same", memorySeconds, bytes)

        let (_, exportSeconds) = try await seconds { try fromMemory.exportLines { _ in } }
        report("export to lines", exportSeconds, bytes)
        try await fromLines.close()
        try await fromMemory.close()
        print("")
    }

    private func report(_ what: String, _ seconds: Double, _ bytes: Int) {
        row(what, digits(Double(sessions.count) / seconds), digits(Double(bytes) / seconds / 1e6))
    }

    private func compare(_ store: Store) throws {
        for number in stride(from: 0, to: sessions.count, by: max(1, sessions.count / 100)) {
            guard try store.session(sessions[number].id) == sessions[number] else {
                throw WrongResult(description: "session \(number) is not what was put in")
            }
        }
    }
}
