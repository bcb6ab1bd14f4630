import Ceilings
import Foundation
import Kin
import KinStore
import Measuring

/// Single inserts, each on the disk when the call returns, compared with SQLite without the store and the disk without
/// SQLite.
///
/// The three alternate, insert by insert, so that other work of the machine disturbs all of them equally.
struct SinglePart {
    let folder: String
    let count: Int

    func run() async throws {
        let sessions = try SampleSessions(count: count, people: 7, seed: 5).all
        let rows = try await StoredSessions(sessions, through: "\(folder)/rows.db")
        let store = try Store(at: "\(folder)/single.db")
        let plain = try await PlainSQLite(newStore: "\(folder)/plain.db")
        try plain.insert(rows.people, into: "person")
        let disk = try PlainFile(path: "\(folder)/plain.file")
        var times: [[Double]] = [[], [], []]
        for (session, row) in zip(sessions, rows.rows) {
            times[0].append(try await Timing.asyncSeconds { try await store.put([session]) })
            times[1].append(try Timing.seconds { try plain.insert([row], into: "session") })
            times[2].append(try Timing.seconds { try disk.append() })
        }
        try await store.close()
        row("one insert, durable", "median µs", "ratio to SQLite")
        row("---", "---:", "---:")
        let medians = times.map { CallTimes($0).median }
        let names = [
            "store", "SQLite alone: the same row in the same table, with the same indexes and settings",
            "4 KiB appended and fsync",
        ]
        for (name, median) in zip(names, medians) {
            row(name, (1e6 * median).shown, (median / medians[1]).shown)
        }
        print("")
    }
}

/// A file that grows by a page at a time, each on the disk.
private struct PlainFile {
    private let descriptor: CInt

    init(path: String) throws {
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw WrongResult(description: "\(path) cannot be created") }
    }

    func append() throws {
        let page = [UInt8](repeating: 1, count: 4096)
        guard unsafe write(descriptor, page, page.count) == page.count, fsync(descriptor) == 0 else {
            throw WrongResult(description: "the page cannot be written")
        }
    }
}
