import ArgumentParser
import Ceilings
import Foundation
import Kin
import KinSamples
import Measuring
import Synchronization

/// `affinity-bench`: the most similar people of one person and of all people, and all pairs above a threshold.
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
              affinity-bench --people 100000 --parts vectors --output souls     # for the peers
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

    @Option(help: "The smallest affinity of listed pairs.")
    var above = 0.85

    @Option(help: "The parts to run, separated by commas.")
    var parts: ValueList<Part> = [.one, .change, .everyone, .pairs]

    @Option(help: "The path, without .npy, of the file of concatenated blocks that the part `vectors` writes.")
    var output = "souls"

    func validate() throws {
        guard people > 1 else { throw ValidationError("--people must be at least 2.") }
    }

    /// A part of the output.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case one, change, everyone, pairs, vectors
    }

    func run() throws {
        let generator = SoulGenerator(seed: seed)
        var souls: [Soul] = []
        let generating = try Timing.seconds { souls = try makeUp(generator) }
        if parts.contains(.vectors) { try VectorsPart(souls: souls, path: output + ".npy").run() }
        guard parts.values.contains(where: { $0 != .vectors }) else { return }
        print("## \(people) people, seed \(seed), \(threads) threads\n")
        var built: SoulMatcher?
        let building = try Timing.seconds { built = try SoulMatcher(souls, threads: threads) }
        souls = []
        guard var matcher = built else { return }
        print(
            "generated in \(generating.shown) s; matcher built in \(building.shown) s; \(matcher.byteCount / people) bytes a person, "
                + "\(ProcessMemory.resident.megabytes) MB in total\n")
        let part = MatchingPart(people: people, calls: calls, k: k, threads: threads, checked: checked, seed: seed)
        if parts.contains(.one) { try part.one(matcher) }
        if parts.contains(.change) { try part.change(&matcher, generator) }
        if parts.contains(.everyone) { try part.everyone(matcher) }
        if parts.contains(.pairs) { try part.pairs(matcher, above: above) }
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
}

@inline(never)
func blackHole<Value>(_ value: Value) {}
