import Ceilings
import Foundation
import Kin
import KinStore
import Measuring

/// Bulk imports, from lines of JSON and from memory, compared with SQLite alone on the same rows.
///
/// The variants alternate, round by round, so that other work of the machine disturbs all of them equally.
struct ImportPart {
    let folder: String
    let sessions: [PleasureSession]
    let rounds: Int

    /// The store that the last round imported from lines.
    var imported: String { "\(folder)/lines.db" }

    func run() async throws {
        let lines = "\(folder)/sessions.jsonl"
        let text = sessions.map { $0.json }.joined(separator: "\n")
        try Data(text.utf8).write(to: URL(filePath: lines))
        let bytes = text.utf8.count
        let names = [
            "SQLite alone, the same rows in the same tables with the same settings", "from memory",
            "from memory, 2 threads", "from JSON lines", "from JSON lines, 2 threads", "export to lines",
        ]
        var times: [[Double]] = names.map { _ in [] }
        let rows = try await StoredSessions(sessions, through: "\(folder)/rows.db")
        remove("\(folder)/rows.db")
        for _ in 0..<rounds {
            times[0].append(try await alone(rows))
            for threads in 1...2 {
                let memory = try await fromMemory(threads: threads)
                times[threads].append(memory.putting)
                times[2 + threads].append(try await fromLines(lines, threads: threads))
                if threads == 1 { times[5].append(memory.exporting) }
            }
        }
        row("in one transaction, durable", "sessions a second", "MB a second", "ratio to SQLite")
        row("---", "---:", "---:", "---:")
        let medians = times.map { CallTimes($0).median }
        for (name, median) in zip(names, medians) {
            row(
                name, (Double(sessions.count) / median).shown, (Double(bytes) / median / 1e6).shown,
                (medians[0] / median).shown)
        }
        print("")
    }

    private func alone(_ rows: StoredSessions) async throws -> Double {
        let path = "\(folder)/alone.db"
        remove(path)
        let database = try await PlainSQLite(newStore: path)
        return try Timing.seconds { try database.insert(rows) }
    }

    private func fromLines(_ lines: String, threads: Int) async throws -> Double {
        remove(imported)
        let store = try Store(at: imported)
        let now = try Timestamp(seconds: 2e9)
        var counts: [String: Int] = [:]
        let time = try await Timing.asyncSeconds {
            counts = try await store.importLines(from: lines, now: now, threads: threads)
        }
        guard counts == ["session": sessions.count] else { throw WrongResult(description: "imported \(counts)") }
        try compare(store)
        try await store.close()
        return time
    }

    private func fromMemory(threads: Int) async throws -> (putting: Double, exporting: Double) {
        let path = "\(folder)/memory.db"
        remove(path)
        let store = try Store(at: path)
        let putting = try await Timing.asyncSeconds { try await store.put(sessions, threads: threads) }
        try compare(store)
        let exporting = try Timing.seconds { try store.exportLines { _ in } }
        try await store.close()
        return (putting, exporting)
    }

    private func compare(_ store: Store) throws {
        for number in stride(from: 0, to: sessions.count, by: max(1, sessions.count / 100)) {
            guard try store.session(sessions[number].id) == sessions[number] else {
                throw WrongResult(description: "session \(number) differs from the stored session")
            }
        }
    }

    /// Removes a store with its accompanying files.
    private func remove(_ path: String) {
        for end in ["", "-wal", "-shm", "-writer", "-indexes"] {
            try? FileManager.default.removeItem(atPath: path + end)
        }
    }
}
