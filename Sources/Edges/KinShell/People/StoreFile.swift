import ArgumentParser
import Foundation
import Kin
import KinStore

/// A store by its path.
enum StoreFile {
    /// Whether a file is a database, by its first bytes.
    static func isStore(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)).flatMap { $0 } == Data("SQLite format 3\0".utf8)
    }
}

/// Which store a command is about.
struct StoreOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The store's database (default: $KIN_STORE, else kin.db in this folder).", valueName: "file")
    )
    var store: String?

    /// The path of the store.
    var path: String { store ?? Self.defaultPath }

    static var defaultPath: String {
        let path = ProcessInfo.processInfo.environment["KIN_STORE"] ?? ""
        return path.isEmpty ? "kin.db" : path
    }
}
