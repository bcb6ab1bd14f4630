import ArgumentParser
import Foundation
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

/// Options that name the store's file.
struct StoreOptions: ParsableArguments {
    @Option(name: .customLong("store"), help: ArgumentHelp("The store's database file.", valueName: "file"))
    var path = defaultPath

    @Option(
        name: .customLong("naming-key"),
        help: ArgumentHelp(
            "A file with the key of anonymous names; only where it is kept outside of the store.", valueName: "file"))
    var namingKey: String?

    /// The store in this folder.
    static let defaultPath = "kin.db"

    /// Opens the store at the path.
    func open(_ access: Store.Access, check: Store.OpeningCheck = .automatic) throws(KinError) -> Store {
        try Store(at: path, for: access, check: check, namingKey: key())
    }

    /// The bytes of the naming key's file.
    private func key() throws(KinError) -> [UInt8]? {
        guard let namingKey else { return nil }
        do {
            return try Array(Data(contentsOf: URL(filePath: namingKey)))
        } catch {
            throw KinError(.inputOutput, "the naming key cannot be read; check the path").within("file", namingKey)
        }
    }
}
