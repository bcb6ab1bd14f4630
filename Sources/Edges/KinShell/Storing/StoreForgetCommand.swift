import ArgumentParser
import Kin
import KinEngine
import KinStore

/// `kin store forget`: every trace of a person out.
struct StoreForgetCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove every trace of a person from a store.",
        discussion: """
            Their profiles, sessions and id go from the database, and the bytes from its log, its free pages and the index \
            files. It cannot be undone; `kin store export --user` keeps a copy. Copies of the store elsewhere keep theirs.

            Example:

              kin store forget u42
            """
    )

    @Argument(help: ArgumentHelp("The person's id.", valueName: "id"))
    var user: String

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run(on console: Console) throws {
        let (user, options) = (user, store)
        let counts = try waiting {
            let store = try options.open(.writing)
            let counts = try await store.forget(user)
            try await store.close()
            return counts
        }
        if json { return console.print(JSONText.line(StoreChangeRecord(store: store.path, records: counts))) }
        console.print(
            counts.isEmpty
                ? "there is nothing of \"\(user)\" in \(store.path)"
                : "\(store.path): \(RecordCounts.text(counts)) of \"\(user)\" forgotten, to the last byte")
    }
}
