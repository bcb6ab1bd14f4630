import ArgumentParser
import Foundation
import Kin
import Measuring

/// `pleasure-bench`: searches of sessions and inventory at full size.
@main
struct PleasureBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pleasure-bench",
        abstract: "Measure filtered searches of sessions and items on one thread.",
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
    var parts: ValueList<Part> = [.sessions, .inventory]

    /// A part of the output.
    enum Part: String, CaseIterable, ExpressibleByArgument {
        case sessions, inventory
    }

    func validate() throws {
        guard sessions >= people else { throw ValidationError("--sessions must be at least --people.") }
    }

    func run() throws {
        if parts.contains(.sessions) { try measureSessions() }
        if parts.contains(.inventory) { try measureInventory() }
    }
}

extension CallTimes {
    /// Two cells of a table in microseconds: the median and the 99th percentile.
    var cells: String { [0.5, 0.99].map { String(format: "%.1f", quantile($0) * 1e6) }.joined(separator: " | ") }
}
