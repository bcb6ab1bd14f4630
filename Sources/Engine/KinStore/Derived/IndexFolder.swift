import Foundation
import SystemPackage

/// The folder of a store's index files.
///
/// Other programs may add files (a network drive creates `@eaDir` in every folder), and the folder may be replaced by a
/// link to a folder of documents. So the store removes only regular files with names that it writes, and follows no
/// link.
struct IndexFolder {
    let path: String
    let files: any FileOperations

    /// The path of the index file with a name.
    func file(_ name: String) -> String { "\(path)/\(name).kin" }

    /// Creates the folder unless it exists.
    ///
    /// - Throws: `.inputOutput`, also if a link has its path.
    func make() throws(KinError) {
        try requireNoLink()
        try OwnerOnly.makeFolder(path)
    }

    private func requireNoLink() throws(KinError) {
        guard type(of: path) == S_IFLNK else { return }
        throw KinError(
            .inputOutput, "the folder of the index files is a symbolic link, which Kin does not follow; remove the link"
        ).within("file", path)
    }

    /// The names of the store's files in the folder, ascending; empty if there is no folder.
    ///
    /// - Throws: `.inputOutput`, also if a link has its path.
    func names() throws(KinError) -> [String] {
        try requireNoLink()
        guard type(of: path) == S_IFDIR else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { Self.isOwn($0) && type(of: "\(path)/\($0)") == S_IFREG }.sorted()
        } catch {
            throw KinError(.inputOutput, "cannot list the index files: \(error)").within("file", path)
        }
    }

    /// Whether this or an earlier release uses a name for an index file or an unfinished file.
    private static func isOwn(_ name: String) -> Bool { SavedKinds.fileNames.contains(name) || isUnfinished(name) }

    /// Whether a name is the name of an unfinished file: `.kin-`, 16 hexadecimal digits, `.tmp`.
    private static func isUnfinished(_ name: String) -> Bool {
        name.utf8.count == 25 && name.hasPrefix(".kin-") && name.hasSuffix(".tmp")
            && name.dropFirst(5).prefix(16).allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// The type of the file at a path, without following a link; nil if there is no file.
    private func type(of path: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Removes unfinished files of processes that ended while saving an index.
    ///
    /// Failures are ignored: such files only take space.
    func removeUnfinished() {
        for name in (try? names()) ?? [] where Self.isUnfinished(name) {
            try? files.remove(FilePath("\(path)/\(name)"))
        }
    }

    /// Removes the store's files and leaves all other files.
    ///
    /// - Throws: `.inputOutput` if a link has the folder's path, or, after all other files were removed, for a file
    ///   that cannot be removed.
    func empty() throws(KinError) {
        var failure: KinError?
        for name in try names() {
            let file = "\(path)/\(name)"
            do throws(Errno) {
                try files.remove(FilePath(file))
            } catch {
                guard error != .noSuchFileOrDirectory else { continue }
                failure = failure ?? .system("remove an index file", at: file, error.rawValue)
            }
        }
        if let failure { throw failure }
    }
}
