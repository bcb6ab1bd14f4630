import Ceilings
import Foundation
import Kin
import KinStore
import Measuring

/// Opening, searching and forgetting, on the store imported from lines.
struct UsePart {
    let path: String
    let sessions: [PleasureSession]
    let searches: Int

    func run() async throws {
        row("on \(sessions.count) sessions", "time")
        row("---", "---:")
        report(
            "open for writing, complete check",
            try await Timing.asyncSeconds { _ = try Store(at: path, check: .complete) })
        report("open for writing, default check", try await Timing.asyncSeconds { _ = try Store(at: path) })
        report(
            "open for reading, brief check",
            try await Timing.asyncSeconds { _ = try Store(at: path, for: .reading, check: .brief) })
        let store = try Store(at: path, check: .brief)
        try check(store)
        report("build the index from the rows", try await Timing.asyncSeconds { _ = try store.sessionIndex() })
        report("save the index", try await Timing.asyncSeconds { try await store.saveIndexes() })
        report("insert one session", try await Timing.asyncSeconds { try await store.put([sessions[0]]) })
        report("update the index with this session", try await Timing.asyncSeconds { _ = try store.sessionIndex() })
        try search(store)
        report(
            "forget one person", try await Timing.asyncSeconds { try await store.forget(sessions[0].userID) })
        try await store.close()
        let again = try Store(at: path, check: .brief)
        report("build the index again", try await Timing.asyncSeconds { _ = try again.sessionIndex() })
        try await again.close()
        report(
            "open with an index file, with the first search",
            try await Timing.asyncSeconds {
                let store = try Store(at: path, for: .reading, check: .brief)
                _ = try store.nearestSessions(to: sessions[1].embedding, k: 5)
            })
        print("")
    }

    private func check(_ store: Store) throws {
        var reports: [StoreReport] = []
        report("check everything", try Timing.seconds { reports.append(try store.check()) })
        var (times, cursor): ([Double], String?) = ([], nil)
        repeat {
            var part: StoreCheckPart?
            times.append(try Timing.seconds { part = try store.checkPart(after: cursor) })
            guard reports[0].isIntact, part!.problems.isEmpty else {
                throw WrongResult(description: "the store is damaged")
            }
            cursor = part!.next
        } while cursor != nil
        let parts = CallTimes(times)
        report("check in \(times.count) parts: all", times.reduce(0, +))
        report("a part: median", parts.median)
        report("a part: longest, the pages and indexes of the sessions", parts.longest)
    }

    private func search(_ store: Store) throws {
        let times = try CallTimes(searches) { number in
            _ = try store.nearestSessions(to: sessions[number * 7919 % sessions.count].embedding, k: 5)
        }
        report("nearest 5, with their records: median", times.median)
        report("nearest 5, with their records: p99", times.quantile(0.99))
    }

    private func report(_ what: String, _ seconds: Double) {
        let text =
            seconds < 1e-3
            ? "\((seconds * 1e6).shown) µs" : seconds < 1 ? "\((seconds * 1e3).shown) ms" : "\(seconds.shown) s"
        row(what, text)
    }
}
