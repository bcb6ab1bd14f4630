import ArgumentParser
import Kin
import KinStore

/// `kin store check`: whether everything is as it was written.
struct StoreCheckCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look whether everything in a store is as it was written, and show what there is.",
        discussion: """
            Looks at every page, reference and record, and whether searches agree with the records. It warns of files that other accounts \
            of the machine may use, and of bytes of the forgotten that could not be removed yet. The exit status is 0 for a store that is \
            whole and 65 for a damaged one.

            Example:

              kin store check --store town.db
            """
    )

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print as JSON.")
    var json = false

    func run(on console: Console) throws {
        let report = try store.open(.reading).check()
        if json {
            console.print(JSONText.line(StoreCheckRecord(report)))
        } else {
            show(report, on: console)
        }
        if !report.isIntact { throw ProcessStatus.dataError }
    }

    private func show(_ report: StoreReport, on console: Console) {
        var table = TextTable([("", .left), ("", .right)])
        table.append(["people", NumberText.count(report.people)])
        for (kind, count) in report.counts.sorted(by: { $0.key < $1.key }) {
            table.append([kind.replacing("_", with: " ") + "s", NumberText.count(count)])
        }
        table.append(["naming key", report.namingKey == .caller ? "kept outside" : report.namingKey.rawValue])
        console.print(table)
        for warning in report.warnings { console.print("\(console.style.strong("look at")): \(warning)") }
        for problem in report.problems { console.print("\(console.style.bad("damaged")): \(problem)") }
        if report.isIntact {
            console.print(
                "\(console.style.good("intact")): \(report.path), \(NumberText.bytes(report.totalBytes)), \(report.version)"
            )
        } else {
            console.print("restore the store from a copy; `kin store export` writes what can be read, up to the damage")
        }
    }
}

/// The outcome of a check in JSON.
struct StoreCheckRecord: Encodable {
    let store: String
    let isIntact: Bool
    let change: Int64
    let people: Int
    let records: [String: Int]
    let totalBytes: Int
    let problems: [String]
    let warnings: [String]
    let namingKey: String

    init(_ report: StoreReport) {
        store = report.path
        isIntact = report.isIntact
        change = report.version.number
        people = report.people
        records = report.counts
        totalBytes = report.totalBytes
        problems = report.problems
        warnings = report.warnings
        namingKey = report.namingKey.rawValue
    }
}
