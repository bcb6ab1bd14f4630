import Ceilings
import Kin
import Measuring

/// Replaces every vector: in one call, in calls of 10,000 and row by row.
struct ReplacementPart {
    let data: ClusteredData

    func run() throws {
        print("### Every vector replaced\n")
        var table = Table(["partition", "build s", "one call", "calls of 10,000", "row by row"])
        let n = data.vectors.rows
        // Shuffled ids, so that none equals the number of its slot.
        let ids = (0..<n).map { VectorID(UInt64($0) &* 0x9E37_79B9_7F4A_7C15 >> 1) }
        for partition in [IndexLayout.medianSplits, .centroids(n / 2_000)] {
            var index = VectorIndex(dimension: ClusteredData.dimension, layout: partition)
            let build = try Timing.seconds { try index.upsert(data.vectors, ids: ids) }
            var random = SeededGenerator(seed: 9)
            let other = try Matrix<Float>(
                rows: n, columns: ClusteredData.dimension, elements: (0..<n).flatMap { _ in data.fresh(&random) })
            let rows = other.arrays()
            let pieces = try stride(from: 0, to: n, by: 10_000).map { first in
                try Matrix(rows: Array(rows[first..<min(n, first + 10_000)]))
            }
            let one = try Timing.seconds { try index.upsert(other, ids: ids) }
            let some = try Timing.seconds {
                for (p, piece) in pieces.enumerated() {
                    try index.upsert(piece, ids: Array(ids[p * 10_000..<p * 10_000 + piece.rows]))
                }
            }
            let each = try Timing.seconds { for i in 0..<n { try index.upsert(rows[(i + 1) % n], id: ids[i]) } }
            table.add([
                partition == .medianSplits ? "splits" : "centroids", build.shown, one.shown, some.shown, each.shown,
            ])
        }
        print(table)
    }
}
