import ArgumentParser
import Ceilings
import Foundation
import Kin
import KinSamples
import Measuring
import Synchronization

/// `affinity-bench`: the most similar people of one person and of all people.
@main
struct AffinityBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "affinity-bench",
        abstract: "Measure the matching of generated people.",
        discussion: """
            People are generated from the seed. Prints Markdown; progress goes to standard error. Some of the results are compared with a \
            scan that scores all people.

              affinity-bench
              affinity-bench --people 100000 --parts one,everyone --threads 2
            """
    )

    @Option(help: "The number of people.")
    var people = 1_000_000

    @Option(positive: "The number of calls for each figure.")
    var calls = 2_000

    @Option(positive: "The number of similar people to find.")
    var k = 10

    @Option(positive: "The number of threads for parallel work.")
    var threads = 2

    @Option(help: "The number of people whose results are compared with a scan of all people.")
    var checked = 20

    @Option(help: "The seed of all data.")
    var seed: UInt64 = 1

    @Option(help: "The parts to run, separated by commas.")
    var parts: ValueList<Part> = [.one, .everyone]

    func validate() throws {
        guard people > 1 else { throw ValidationError("--people must be at least 2.") }
    }

    /// A part of the output.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case one, everyone
    }

    func run() throws {
        let generator = SoulGenerator(seed: seed)
        var souls: [Soul] = []
        let generating = try Timing.seconds { souls = try makeUp(generator) }
        print("## \(people) people, seed \(seed), \(threads) threads\n")
        var built: SoulMatcher?
        let building = try Timing.seconds { built = try SoulMatcher(souls, threads: threads) }
        souls = []
        guard let matcher = built else { return }
        print(
            "generated in \(generating.shown) s; matcher built in \(building.shown) s; \(matcher.byteCount / people) bytes a person, "
                + "\(ProcessMemory.resident.megabytes) MB in total\n")
        if parts.contains(.one) { try one(matcher) }
        if parts.contains(.everyone) { try everyone(matcher) }
    }

    /// The people, generated on several threads.
    private func makeUp(_ generator: SoulGenerator) throws -> [Soul] {
        let count = (people + threads - 1) / threads
        let parts = Mutex([[Soul]](repeating: [], count: threads))
        DispatchQueue.concurrentPerform(iterations: threads) { part in
            let souls = (part * count..<max(part * count, min((part + 1) * count, people))).map { generator.soul($0) }
            parts.withLock { $0[part] = souls }
        }
        return parts.withLock { $0.flatMap(\.self) }
    }

    /// The people most similar to one person.
    private func one(_ matcher: SoulMatcher) throws {
        var random = SeededGenerator(seed: seed + 1)
        let users = (0..<calls).map { _ in "u\(random.below(people))" }
        let times = try CallTimes(calls, warmUp: 50) { blackHole(try matcher.mostSimilar(to: users[$0], k: k)) }
        print("the \(k) most similar people of one person, one thread, \(calls) random people:\n")
        print("| mean µs | median | p90 | p99 | most |\n| --- | --- | --- | --- | --- |")
        let cells = [times.mean] + [0.5, 0.9, 0.99, 1].map(times.quantile)
        print("| " + cells.map { String(format: "%.0f", $0 * 1e6) }.joined(separator: " | ") + " |\n")
        try check(matcher, Array(users.prefix(checked)))
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
    private func everyone(_ matcher: SoulMatcher) throws {
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

    private func note(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}

@inline(never)
func blackHole<Value>(_ value: Value) {}
