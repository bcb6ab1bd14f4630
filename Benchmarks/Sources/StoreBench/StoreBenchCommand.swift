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
        abstract: "Time the store: imports, single inserts beside SQLite's own, opening, searching, forgetting.",
        discussion: """
            Prints Markdown tables. The store is made in --folder, which should be on the disk that is meant, and removed at the \
            end. What is imported is compared with what is read back; a difference ends the run with an error.

              store-bench --sessions 1000000 --folder /var/tmp
            """
    )

    @Option(positive: "Sessions to import.")
    var sessions = 200_000

    @Option(positive: "People they belong to.")
    var people = 1000

    @Option(positive: "Imports of each kind, which take turns; their median counts.")
    var rounds = 3

    @Option(
        parsing: .upToNextOption,
        help: "Parts to run: import, single, use, of which the last takes what the first imported.")
    var parts = ["import", "single", "use"]

    @Option(positive: "Sessions put in one at a time.")
    var singles = 300

    @Option(positive: "Searches of each kind.")
    var searches = 1000

    @Option(help: "Where the store is made.")
    var folder = NSTemporaryDirectory()

    @Option(help: "Seed of the sessions.")
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
