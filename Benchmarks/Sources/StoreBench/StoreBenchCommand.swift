import ArgumentParser
import Foundation
import Kin
import KinStore
import Measuring

/// `store-bench`: how fast a store imports, finds and forgets records, compared with SQLite and the disk.
@main
struct StoreBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store-bench",
        abstract: "Measure the store: imports, single inserts and SQLite's, opening, searching, forgetting.",
        discussion: """
            Prints Markdown tables. The store is made in --folder, which should be on the disk that is meant, and removed at the \
            end. What is imported is compared with what is read back; a difference ends the run with an error.

              store-bench --sessions 1000000 --folder /var/tmp
            """
    )

    @Option(positive: "The number of sessions to import.")
    var sessions = 200_000

    @Option(positive: "The number of people.")
    var people = 1000

    @Option(positive: "The number of imports of each kind, which alternate; the median counts.")
    var rounds = 3

    @Option(
        parsing: .upToNextOption,
        help: "The parts to run: import, single, use. The part use needs the store that the part import makes.")
    var parts = ["import", "single", "use"]

    @Option(positive: "The number of sessions to insert one at a time.")
    var singles = 300

    @Option(positive: "The number of searches of each kind.")
    var searches = 1000

    @Option(help: "The folder of the store.")
    var folder = NSTemporaryDirectory()

    @Option(help: "The seed of the sessions.")
    var seed: UInt64 = 1

    func run() async throws {
        let place = "\(folder)/kin-store-bench-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let made = try SampleSessions(count: sessions, people: people, seed: seed).all
        print("\n## \(sessions) sessions of \(people) people\n")
        let part = ImportPart(folder: place, sessions: made, rounds: rounds)
        if parts.contains("import") { try await part.run() }
        if parts.contains("single") { try await SinglePart(folder: place, count: singles).run() }
        if parts.contains("use") {
            try await UsePart(path: part.imported, sessions: made, searches: searches).run()
        }
    }
}

/// A line of a table.
func row(_ cells: String...) { print("| " + cells.joined(separator: " | ") + " |") }

/// A wrong result.
struct WrongResult: Error, CustomStringConvertible {
    let description: String
}
