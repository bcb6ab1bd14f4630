import Foundation
import KinCore

/// The folder of a store's index files.
struct IndexFolder {
    let path: String

    /// Makes the folder unless it is there.
    func make() throws(KinError) {
        guard unsafe mkdir(path, 0o755) != 0, errno != EEXIST else { return }
        throw .system("make the folder of index files", at: path)
    }

    /// Removes what processes left behind that ended while they saved an index.
    ///
    /// Nothing is lost when that fails: such files are only in the way.
    func removeUnfinished() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasPrefix(".kin-") && name.hasSuffix(".tmp") {
            _ = unsafe unlink("\(path)/\(name)")
        }
    }

    /// Removes all files.
    func empty() throws(KinError) {
        let names: [String]
        do {
            guard FileManager.default.fileExists(atPath: path) else { return }
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw KinError(.inputOutput, "cannot list the index files: \(error)").within("file", path)
        }
        for name in names {
            let file = "\(path)/\(name)"
            guard unsafe unlink(file) == 0 else { throw .system("remove an index file", at: file) }
        }
    }
}
