import Foundation
import Kin

/// The sample that comes with the source: 2,000 synthetic profiles in `datasets/sample-16d.csv`.
enum SampleProfiles {
    static let fileName = "datasets/sample-16d.csv"
    static let count = 2000
    static let seed: UInt64 = 16

    /// The generator that the file was made with, and that makes the same profiles where there is no file.
    static func generator() throws(Failure) -> ProfileGenerator {
        let clusters = ProfileShape.defaultClusters(for: count)
        return try ProfileGenerator(
            .clustered(clusters: clusters), count: count, dimension: Pleasure.Dimension.names.count, seed: seed
        )
    }

    /// Looks for the file from the working directory and from the program upwards.
    static func file(workingDirectory: String, program: String?) -> String? {
        var folders = [workingDirectory]
        if let program {
            var folder = (program as NSString).deletingLastPathComponent
            while folder.count > 1 {
                folders.append(folder)
                folder = (folder as NSString).deletingLastPathComponent
            }
        }
        return folders.map { $0 + "/" + fileName }.first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The sample, from its file or made anew: the same vectors either way.
    static func load(from path: String?, console: Console) throws(Failure) -> VectorTable {
        if let path { return try VectorFileReader().read(path, console: console) }
        var table = VectorTable(dimension: Pleasure.Dimension.names.count)
        table.elements = try generator().elements(threads: 1)
        table.columns = Pleasure.Dimension.names
        return table
    }
}
