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
    ///
    /// - Parameter makes: Whether to make one where there is none.
    func open(_ access: Store.Access, makes: Bool = false) throws -> Store {
        if !makes, !FileManager.default.fileExists(atPath: path) { throw Self.missing(path) }
        return try Store(
            at: path, for: access, check: access == .reading ? .brief : .automatic, namingKey: Self.key(at: namingKey))
    }

    /// The bytes of a naming key's file; nil without a path.
    static func key(at path: String?) throws -> [UInt8]? {
        guard let path else { return nil }
        do {
            return try Array(Data(contentsOf: URL(filePath: path)))
        } catch {
            throw Failure(
                .noInput,
                KinError(.inputOutput, "the naming key cannot be read; check the path").within("file", path))
        }
    }

    /// The failure of a command on a store that is not there.
    static func missing(_ path: String) -> Failure {
        Failure(
            .noInput,
            KinError(
                .inputOutput,
                "there is no store; make one: kin generate people -o people.jsonl, then kin store import people.jsonl"
            ).within("file", path))
    }
}
