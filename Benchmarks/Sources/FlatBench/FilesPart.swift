import Ceilings
import Foundation
import Kin
import Measuring

/// Builds an index, writes it, opens it mapped, and runs its first query.
struct FilesPart {
    private let setting: Setting

    init(_ setting: Setting) { self.setting = setting }

    func run() throws {
        let options = setting.options
        let data = try options.profiles(options.vectors, queries: 1)
        let query = Array(data.queries.row(0))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flat-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("index.kin").path

        var index = VectorIndex(dimension: 16, layout: .flat)
        let build = try Timing.measure(seconds: options.seconds) {
            index = VectorIndex(dimension: 16, layout: .flat)
            _ = try index.append(data.vectors)
        }
        let save = try Timing.measure(seconds: options.seconds) { try index.save(to: path) }
        let open = try Timing.measure(seconds: options.seconds) { _ = try VectorIndex(opening: path) }
        var found: [Neighbor] = []
        let first = try Timing.measure(seconds: options.seconds) {
            found = try VectorIndex(opening: path).search(query, k: options.k)
        }
        let truth = DoublePrecisionScan(vectors: data.vectors, metric: .squaredL2)
        try truth.check(found, of: query[...], k: options.k)

        print("\n### Building and opening, \(options.vectors) vectors of 16 dimensions\n")
        var table = Table(["step", "ms", "median"])
        for (name, timing) in [
            ("build from a matrix", build), ("save", save), ("open mapped", open),
            ("open mapped and first query", first),
        ] {
            table.add([name, (1e3 * timing.best).shown, (1e3 * timing.median).shown])
        }
        print(table)
    }
}
