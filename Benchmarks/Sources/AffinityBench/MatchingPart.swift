import Ceilings
import Foundation
import Kin
import KinSamples
import Measuring

/// Queries to a matcher.
struct MatchingPart {
    let people: Int
    let calls: Int
    let k: Int
    let threads: Int
    let checked: Int
    let seed: UInt64

    /// The people most similar to one person.
    func one(_ matcher: SoulMatcher) throws {
        var random = SeededGenerator(seed: seed + 1)
        let users = (0..<calls).map { _ in "u\(random.below(people))" }
        let times = try CallTimes(calls, warmUp: 50) { blackHole(try matcher.mostSimilar(to: users[$0], k: k)) }
        print("the \(k) most similar people of one person, one thread, \(calls) random people:\n")
        print("| mean µs | median | p90 | p99 | most |\n| --- | --- | --- | --- | --- |")
        let cells = [times.mean] + [0.5, 0.9, 0.99, 1].map(times.quantile)
        print("| " + cells.map { String(format: "%.0f", $0 * 1e6) }.joined(separator: " | ") + " |\n")
        var isCalibrated = false
        let calibrating = Timing.seconds { isCalibrated = matcher.calibration() != nil }
        print(
            "the quantiles of all scores\(isCalibrated ? "" : " (too few scores)"): \((1e3 * calibrating).shown) ms\n"
        )
        try check(matcher, Array(users.prefix(checked)))
    }

    /// Changing profiles, people who join and leave, and queries in between.
    func change(_ matcher: inout SoulMatcher, _ generator: SoulGenerator) throws {
        print("single changes, 200 each:\n")
        print("| what | median µs | p99 | most |\n| --- | --- | --- | --- |")
        func row(_ what: String, _ call: (Int) throws -> Void) rethrows {
            let times = try CallTimes(200, call)
            print(
                "| \(what) | " + [0.5, 0.99, 1].map { (1e6 * times.quantile($0)).shown }.joined(separator: " | ") + " |"
            )
        }
        func changed(_ number: Int) -> Soul {
            var soul = generator.soul(number)
            soul.goals = generator.soul(number + 1000).goals
            return soul
        }
        try row("a profile changed") { try matcher.upsert([changed($0)]) }
        try row("a profile changed and searched for") {
            try matcher.upsert([changed($0 + 200)])
            blackHole(try matcher.mostSimilar(to: "u\($0 + 200)", k: k))
        }
        row("a person removed") { matcher.remove("u\($0)") }
        try row("a person added") { try matcher.upsert([generator.soul($0)]) }
        // Rare goals change fastest in rarity.
        try row("a person with rare goals added") { number in
            var soul = generator.soul(number)
            soul.goals = try SoulTraits(
                Dictionary(uniqueKeysWithValues: (0..<5).map { ("rare \((number + $0 * 7) % 40)", 1) }))
            try matcher.upsert([soul])
        }
        try row("a search for that person") { blackHole(try matcher.mostSimilar(to: "u\($0)", k: k)) }
        print("")
        try one(matcher)
    }

    /// Checks some answers against scoring all people.
    private func check(_ matcher: SoulMatcher, _ users: [String]) throws {
        let everybody = matcher.userIDs
        var differing = 0
        for user in users {
            var all: [(Double, String)] = []
            for other in everybody where other != user {
                let affinity = try matcher.affinity(between: user, and: other)
                if affinity.coverage > 0 { all.append((affinity.score, other)) }
            }
            all.sort { ($1.0, $0.1) < ($0.0, $1.1) }
            let found = try matcher.mostSimilar(to: user, k: k)
            if found.map(\.userID) != all.prefix(k).map(\.1) || found.map(\.affinity) != all.prefix(k).map(\.0) {
                differing += 1
            }
        }
        print("the most similar people of \(users.count), compared with a scan of all: \(differing) differ\n")
    }

    /// The most similar people of every person.
    func everyone(_ matcher: SoulMatcher) throws {
        var (done, sum) = (0, 0.0)
        let start = ContinuousClock.now
        let time = try Timing.seconds {
            try matcher.forEachMostSimilar(k: k, threads: threads) { (_, souls) throws(KinError) in
                done += 1
                sum += souls.last?.affinity ?? 0
                if done % (people / 20 + 1) == 0 { note("\(done) people, \(ContinuousClock.now - start)") }
            }
        }
        print(
            "the \(k) most similar people of each person: \(time.shown) s, \((Double(people) / time).shown) people a second; mean affinity of the last person "
                + "\((sum / Double(people)).shown); \(ProcessMemory.resident.megabytes) MB\n")
    }

    /// Pairs above a threshold.
    func pairs(_ matcher: SoulMatcher, above: Double) throws {
        var count = 0
        let time = try Timing.seconds {
            try matcher.forEachMatch(above: above, threads: threads) { _ in
                count += 1
                if count % 1_000_000 == 0 { note("\(count) pairs") }
            }
        }
        print("all \(count) pairs of at least \(above): \(time.shown) s; \(ProcessMemory.resident.megabytes) MB\n")
    }

    private func note(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
