import ArgumentParser
import Foundation
import Kin
import KinEngine
import KinFiles
import KinStore

/// `kin store import`: records in.
struct StoreImportCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Put records of JSON lines into a store, which is made when there is none.",
        discussion: """
            Each line is a record as an app has it (a session, a profile, a soul, a challenge, a day's content, …) or as \
            `kin store export` writes it. Records that are there already are replaced. All of a file is imported, or nothing of \
            it: an error names the line, the record and the field.

            Examples:

              kin store import sessions.jsonl
              kin store import profiles.jsonl inventory.jsonl --store town.db
              gunzip -c sessions.jsonl.gz | kin store import -
            """
    )

    @Argument(help: ArgumentHelp("Files of JSON lines; - is standard input.", valueName: "file"))
    var files: [String]

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "From when on profiles hold that do not say so: ISO 8601; now, if it is left out.", valueName: "time"),
        transform: { try Timestamp(parsing: $0) })
    var since: Timestamp?

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("which files? kin store import sessions.jsonl") }
    }

    func run(on console: Console) throws {
        for file in files where file != "-" && !FileManager.default.fileExists(atPath: file) {
            throw ByteReader.unreadable(file, "there is no such file; check the path")
        }
        let now = try since ?? SystemClock.now()
        let start = ContinuousClock.now
        let (files, options) = (files, store)
        let (counts, missing) = try waiting {
            let store = try options.open(.writing, makes: true)
            var all: [String: Int] = [:]
            for file in files {
                let counts = try await store.importLines(from: file == "-" ? "/dev/stdin" : file, now: now)
                all.merge(counts) { $0 + $1 }
            }
            let missing = try store.missingContentDays()
            try await store.close()
            return (all, missing)
        }
        if json { return console.print(JSONText.line(StoreChangeRecord(store: store.path, records: counts))) }
        let seconds = (ContinuousClock.now - start).seconds
        let rate = Int(Double(counts.values.reduce(0, +)) / max(seconds, 1e-9))
        console.print(
            "\(store.path): \(RecordCounts.text(counts)) imported in \(NumberText.duration(.seconds(seconds))), "
                + "\(NumberText.count(rate)) a second")
        if !missing.isEmpty {
            console.note(
                "The year of content is not whole: \(ContentLibrary.list(missing)) missing. kin today and kin timeline want "
                    + "all \(ContentLibrary.dayCount); import the others too.")
        }
    }
}

/// Counts of the records put in or removed, in JSON.
struct StoreChangeRecord: Encodable {
    let store: String
    let records: [String: Int]
}

/// Numbers of records by kind.
enum RecordCounts {
    /// `2 profiles and 1,000 sessions`.
    static func text(_ counts: [String: Int]) -> String {
        let kinds = counts.filter { $0.key != Store.olderCount && $0.value > 0 }
        let parts = kinds.sorted { $0.key < $1.key }.map { kind, count in
            NumberText.count(count, kind.replacing("_", with: " "))
        }
        let older = counts[Store.olderCount].map { " (\(NumberText.count($0)) more older than what is there)" } ?? ""
        guard let last = parts.last else { return "no records" + older }
        return (parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last) + older
    }
}
