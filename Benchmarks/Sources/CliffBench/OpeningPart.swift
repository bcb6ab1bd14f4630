import Ceilings
import Foundation
import Kin
import Measuring

/// The first searches of a newly opened index, and searches after the first change.
struct OpeningPart {
    let data: ClusteredData

    func run() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cliff-bench-\(data.vectors.rows).kin").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        print("### After opening\n")
        var table = Table([
            "index", "opening ms", "first search µs", "searches 2 to 100", "after 1,000", "first change µs",
        ])
        let far = [Float](repeating: -999, count: ClusteredData.dimension)
        for (name, others) in [("clean", []), ("with an outlier", [far])] {
            try data.index(with: others).save(to: path)
            var index: VectorIndex?
            let opening = try Timing.seconds { index = try VectorIndex(opening: path) }
            guard var opened = index else { continue }
            let first = try opened.seconds(data.queries.prefix(1))
            let next = try opened.seconds(data.queries.dropFirst().prefix(99))
            _ = try opened.seconds(data.queries.prefix(1_000))
            let later = try opened.seconds(data.queries.prefix(1_000))
            let change = try Timing.seconds { try opened.upsert(data.queries[0], id: VectorID(1 << 40)) }
            table.add([
                name, (1e3 * opening).shown, (1e6 * first).shown, (1e6 * next).shown, (1e6 * later).shown,
                (1e6 * change).shown,
            ])
        }
        print(table)
    }
}
