import ArgumentParser
import Kin
import KinStore

/// `kin store`: the commands on a store.
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Keep profiles, sessions and inventory in one file that survives crashes.",
        discussion: """
            A store is one database file, with its log and index files beside it; --store names it. One process at a time may \
            write it, others may read meanwhile.

            Examples:

              kin store import sessions.jsonl
              kin store check
              kin store export --user u42 -o u42.jsonl
              kin store forget u42
            """,
        subcommands: [
            StoreImportCommand.self, StoreExportCommand.self, StoreForgetCommand.self, StoreCheckCommand.self,
            StoreContributeCommand.self, StoreRouteCommand.self,
        ]
    )
}

/// Which store.
struct StoreOptions: ParsableArguments {
    @Option(name: .customLong("store"), help: ArgumentHelp("The store's database file.", valueName: "file"))
    var path = defaultPath

    /// The store in this folder.
    static let defaultPath = "kin.db"

    /// Opens the store.
    func open(_ access: Store.Access, check: Store.OpeningCheck = .automatic) throws(KinError) -> Store {
        try Store(at: path, for: access, check: check)
    }
}
