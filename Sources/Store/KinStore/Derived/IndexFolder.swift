import Foundation
import KinCore
import KinIndex
import SystemPackage

/// The folder of a store's index files.
///
/// Other programs may add files (a network drive creates `@eaDir` in every folder), so not every file is the store's.
struct IndexFolder {
    let path: String
    let files: any FileOperations

    /// The path of the index file of a name.
    func file(_ name: String) -> String { "\(path)/\(name).kin" }

    /// Creates the folder unless it exists.
    func make() throws(KinError) { try OwnerOnly.makeFolder(path) }

    /// The names of the files in the folder, without subfolders, ascending; empty when there is no folder.
    ///
    /// - Throws: `.inputOutput`.
    func names() throws(KinError) -> [String] {
        do {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: path).filter { !isFolder("\(path)/\($0)") }
                .sorted()
        } catch {
            throw KinError(.inputOutput, "cannot list the index files: \(error)").within("file", path)
        }
    }

    /// Whether a name is that of an index file or of an unfinished one.
    private static func isOwn(_ name: String) -> Bool { name.hasSuffix(".kin") || isUnfinished(name) }

    private static func isUnfinished(_ name: String) -> Bool { name.hasPrefix(".kin-") && name.hasSuffix(".tmp") }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Removes unfinished files of processes that ended while they saved an index.
    ///
    /// Failures are ignored: such files only take space.
    func removeUnfinished() {
        for name in (try? names()) ?? [] where Self.isUnfinished(name) {
            try? files.remove(FilePath("\(path)/\(name)"))
        }
    }

    /// Removes all files; subfolders stay.
    ///
    /// - Throws: `.inputOutput` when an index file cannot be removed, after the others were.
    func empty() throws(KinError) {
        var failure: KinError?
        for name in try names() {
            let file = "\(path)/\(name)"
            do throws(Errno) {
                try files.remove(FilePath(file))
            } catch {
                guard error != .noSuchFileOrDirectory, Self.isOwn(name) else { continue }
                failure = failure ?? .system("remove an index file", at: file, error.rawValue)
            }
        }
        if let failure { throw failure }
    }
}
