import ArgumentParser

/// `kin index info`: what an index file holds.
struct IndexInfoCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what an index file holds."
    )

    @Argument(help: "The index file.")
    var index: String

    @Flag(help: "Print as JSON.")
    var json = false

    func run(on console: Console) throws {
        let file = try IndexFile(opening: index)
        if json {
            console.print(JSONText.line(IndexRecord(file, path: index)))
        } else {
            console.print(file, path: index)
        }
    }
}
