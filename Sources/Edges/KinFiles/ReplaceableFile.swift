import Foundation
package import Kin

/// The kind of a file whose content may be nowhere else, by its first bytes.
package enum FileSignature: Sendable {
    /// A database of SQLite, as a store is.
    case database
    /// A file of sections, as an index is.
    case sections

    /// The kind of the file at a path; nil for files of other kinds, and where there is none.
    package init?(of path: String) {
        guard FileIdentity(of: path)?.isRegular == true, let file = FileHandle(forReadingAtPath: path) else {
            return nil
        }
        defer { try? file.close() }
        let first = (try? file.read(upToCount: 16)).flatMap { $0 } ?? Data()
        if first.starts(with: "SQLite format 3\0".utf8) {
            self = .database
        } else if first.starts(with: "KINFILE\0".utf8) {
            self = .sections
        } else {
            return nil
        }
    }
}

/// The file that a path leads to, whatever its name: two paths of one file have one identity.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64
    package let isRegular: Bool
    package let isFolder: Bool

    /// The file at the end of the path's links; nil where there is none.
    package init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
}

extension WholeFile {
    /// Requires that a new file may take the place of the one at a path.
    ///
    /// - Parameters:
    ///   - path: The name of the new file.
    ///   - isIndex: Whether the new file is an index, which may replace an index.
    /// - Throws: `.invalidArgument` with the `output` named for a path of a store, and for that of an index unless an index replaces it.
    package static func requireReplaceable(_ path: String, isIndex: Bool = false) throws(KinError) {
        let kept: String
        switch FileSignature(of: path) {
        case .database: kept = "a store"
        case .sections where !isIndex: kept = "an index"
        default: return
        }
        throw KinError(
            .invalidArgument, "this is \(kept), which would be lost: choose another name, or remove it first"
        ).within("output", path)
    }
}
