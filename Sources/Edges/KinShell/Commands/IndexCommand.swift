import ArgumentParser

/// `kin index`: the commands on index files.
struct IndexCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Build, search and check index files.",
        discussion: """
            Examples:

              kin index build tracks.csv --id-column track_id --scale standard -o t.kin
              kin index info t.kin
              kin index search t.kin --id 3000001 -k 5
              kin index verify t.kin
            """,
        subcommands: [IndexBuildCommand.self, IndexInfoCommand.self, IndexSearchCommand.self, IndexVerifyCommand.self]
    )
}
