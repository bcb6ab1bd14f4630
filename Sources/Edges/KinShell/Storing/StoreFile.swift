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
