import Foundation
import Kin
import KinStore
import Measuring

/// Opening, searching and forgetting, on the store that was imported from lines.
struct UsePart {
    let path: String
    let sessions: [PleasureSession]
    let searches: Int

    func run() async throws {
        row("on \(sessions.count) sessions", "time")
        row("---", "---:")
        report(
            "open for writing, complete check", try await time { _ = try Store(at: path, check: .complete) })
        report("open for writing, as it is by default", try await time { _ = try Store(at: path) })
        report(
            "open for reading, brief check", try await time { _ = try Store(at: path, for: .reading, check: .brief) })
        let store = try Store(at: path, check: .brief)
        try check(store)
        report("make the index from the rows", try await time { _ = try store.sessionIndex() })
        report("save it", try await time { try await store.saveIndexes() })
        report("put in one session", try await time { try await store.put([sessions[0]]) })
        report("bring the index up to date with it", try await time { _ = try store.sessionIndex() })
        try search(store)
        try pages(store)
        report("forget one person of them", try await time { try await store.forget(sessions[0].userID) })
        try await store.close()
        let again = try Store(at: path, check: .brief)
        report("the index after that, made again", try await time { _ = try again.sessionIndex() })
        try await again.close()
        report(
            "open with an index file, and the first search",
            try await time {
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
        times.sort()
        report("check in \(times.count) parts: all", times.reduce(0, +))
        report("a part: median", times[times.count / 2])
        report("a part: longest, the pages and indexes of the sessions", times.last!)
    }

    private func search(_ store: Store) throws {
        let times = try (0..<searches).map { number in
            let point = sessions[number * 7919 % sessions.count].embedding
            return try Timing.seconds { _ = try store.nearestSessions(to: point, k: 5) }
        }.sorted()
        report("nearest 5, with their records: median", times[times.count / 2])
        report("nearest 5, with their records: 99 in 100", times[times.count * 99 / 100])
    }

    private func pages(_ store: Store) throws {
        let times = try (0..<searches).map { number in
            let user = sessions[number * 7919 % sessions.count].userID
            return try Timing.seconds { _ = try store.sessions(of: user, limit: 20) }
        }.sorted()
        report("a person's 20 newest sessions: median", times[times.count / 2])
    }

    private func report(_ what: String, _ seconds: Double) {
        let text =
            seconds < 1e-3
            ? "\(digits(seconds * 1e6)) µs" : seconds < 1 ? "\(digits(seconds * 1e3)) ms" : "\(digits(seconds)) s"
        row(what, text)
    }

    private func time(_ work: () async throws -> Void) async rethrows -> Double { try await seconds(work).1 }
}
