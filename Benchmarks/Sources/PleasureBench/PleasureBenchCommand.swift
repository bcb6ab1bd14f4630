import ArgumentParser
import Foundation
import Kin
import Measuring

/// `pleasure-bench`: searches of sessions and inventory, and reading their JSON, at full size.
@main
struct PleasureBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pleasure-bench",
        abstract: "Measure filtered searches of sessions and items, and reading their JSON, on one thread.",
        discussion: """
            Sessions and items are generated from the seed. Prints Markdown tables with the median and the 99th percentile of single \
            calls, each with a different query. Compare a search with the scan in the same run.

              pleasure-bench
              pleasure-bench --sessions 100000 --people 100 --items 10000
            """
    )

    @Option(positive: "The number of sessions of all people together.")
    var sessions = 1_000_000

    @Option(positive: "The number of people.")
    var people = 2_000

    @Option(positive: "The number of items in the inventory.")
    var items = 100_000

    @Option(positive: "The number of calls for each figure.")
    var calls = 2_000

    @Option(positive: "The number of neighbours.")
    var k = 10

    @Option(help: "The seed of all data.")
    var seed: UInt64 = 1

    @Option(help: "The parts to run, separated by commas.")
    var parts: ValueList<Part> = [.json, .sessions, .person, .inventory]

    /// A part of the output.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case json, sessions, person, inventory
    }

    func validate() throws {
        guard sessions >= people else { throw ValidationError("--sessions must be at least --people.") }
    }

    func run() throws {
        if parts.contains(.json) { try JSONPart(seed: seed).run() }
        if parts.contains(.sessions) {
            try SessionPart(sessions: sessions, people: people, calls: calls, k: k, seed: seed).run()
        }
        if parts.contains(.person) { try PersonPart(seed: seed).run() }
        if parts.contains(.inventory) { try InventoryPart(items: items, calls: calls, k: k, seed: seed).run() }
    }
}

extension CallTimes {
    /// Two cells of a table in microseconds: the median and the 99th percentile.
    var cells: String { [0.5, 0.99].map { String(format: "%.1f", quantile($0) * 1e6) }.joined(separator: " | ") }
}
