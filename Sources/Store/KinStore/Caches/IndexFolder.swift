import Foundation
import KinCore
import KinIndex
import SystemPackage

/// The folder of a store's index files.
///
/// Other programs may put something into it (a network drive makes `@eaDir` in every folder), so what is there is not always the store's.
struct IndexFolder {
    let path: String
    let files: any FileOperations

    /// Makes the folder unless it is there.
    func make() throws(KinError) { try OwnerOnly.makeFolder(path) }

    /// The names of what is in the folder but folders; none when there is no folder.
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

    /// Whether a name is one that the store gives: of an index, or of a file on its way to be one.
    private static func isOwn(_ name: String) -> Bool { name.hasSuffix(".kin") || isUnfinished(name) }

    private static func isUnfinished(_ name: String) -> Bool { name.hasPrefix(".kin-") && name.hasSuffix(".tmp") }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Removes what processes left behind that ended while they saved an index.
    ///
    /// Nothing is lost when that fails: such files are only in the way.
    func removeUnfinished() {
        for name in (try? names()) ?? [] where Self.isUnfinished(name) {
            try? files.remove(FilePath("\(path)/\(name)"))
        }
    }

    /// Removes all files, those that can be; folders are not the store's and stay.
    ///
    /// - Throws: `.inputOutput` when a file of the store's is still there, after everything else was removed.
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
