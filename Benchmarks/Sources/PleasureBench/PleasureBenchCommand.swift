import ArgumentParser
import Foundation
import Kin
import Measuring

/// `pleasure-bench`: searches of sessions and inventory, and reading their JSON, at full size.
@main
struct PleasureBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pleasure-bench",
        abstract: "Time filtered searches among sessions and items, and the reading of their JSON, on one thread.",
        discussion: """
            Lives and items are made up from the seed. Prints Markdown tables: the median and the 99th percentile over single \
            calls, each with a query of its own. A scan beside each search, in the same run, is what to compare with.

              pleasure-bench
              pleasure-bench --sessions 100000 --people 100 --items 10000
            """
    )

    @Option(positive: "Sessions of all people together.")
    var sessions = 1_000_000

    @Option(positive: "People who live them.")
    var people = 2_000

    @Option(positive: "Items of the inventory.")
    var items = 100_000

    @Option(positive: "Calls that a figure is taken from.")
    var calls = 2_000

    @Option(positive: "Neighbours asked for.")
    var k = 10

    @Option(help: "Seed of everything.")
    var seed: UInt64 = 1

    @Option(help: "Parts to run, comma-separated.")
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
