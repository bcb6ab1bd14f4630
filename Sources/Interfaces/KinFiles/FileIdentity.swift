import Foundation

/// The identity of a file: equal for all paths of the file.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64
    package let isRegular: Bool
    package let isFolder: Bool

    /// The identity of the file at the end of the path's links; nil if there is no file.
    package init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
}
