import ArgumentParser
import Foundation
import Kin
import KinFiles
import KinStore

/// `kin store export`: records out.
struct StoreExportCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the records of a store, or of one person, as JSON lines.",
        discussion: """
            With --user it writes everything that the person owns: all versions of their profile and all sessions. What is \
            written can be imported again. It reads one state of the store, whoever writes meanwhile. The file is its owner's alone (mode 0600).

            Examples:

              kin store export --user u42
              kin store export -o all.jsonl
            """
    )

    @Option(help: ArgumentHelp("Only what this person owns.", valueName: "id"))
    var user: String?

    @Option(
        name: [.short, .long], help: ArgumentHelp("The file to write; standard output without it.", valueName: "file"))
    var output: String?

    @OptionGroup var store: StoreOptions

    func run(on console: Console) throws {
        let store = try store.open(.reading)
        var counts: [String: Int] = [:]
        if let output {
            try WholeFile.make(output, isPrivate: true) { file in
                counts = try store.exportLines(of: user) { lines throws(KinError) in try file.write(lines) }
            }
        } else {
            // A piece is whole lines, the last of which the console ends.
            counts = try store.exportLines(of: user) { lines throws(KinError) in
                console.print(String(decoding: lines.dropLast(), as: UTF8.self))
            }
        }
        if let user, counts.isEmpty {
            throw KinError(.unknownID, "there is nothing of \"\(user)\" in \(self.store.path)")
        }
        console.note("\(RecordCounts.text(counts)) exported")
    }
}
