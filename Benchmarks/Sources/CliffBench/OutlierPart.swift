import Ceilings
import Kin

/// Searches, compared with the same searches in an index that also has some outliers.
struct OutlierPart {
    let data: ClusteredData
    let rounds: Int

    func run() throws {
        let clean = try data.index()
        let direction = { (i: Int) in
            (0..<ClusteredData.dimension).map { j in Float((i * 31 + j * 17) % 19 - 9) * 111 }
        }
        let cases: [(name: String, index: VectorIndex)] = try [
            ("1 outlier, in the build", data.index(with: [Array(repeating: -999, count: ClusteredData.dimension)])),
            ("1 outlier, added later", added(to: clean, [Array(repeating: -999, count: ClusteredData.dimension)])),
            ("1 outlier of 1e30", data.index(with: [Array(repeating: 1e30, count: ClusteredData.dimension)])),
            ("10 outliers", data.index(with: (1...10).map(direction))),
            ("100 outliers, added later", added(to: clean, (1...100).map(direction))),
        ]
        print("### Outliers\n")
        var table = Table([
            "index", "exact µs", "× clean", "lists", "blocks", "8 probes µs", "× clean", "recall of 8 probes",
            "recall 0.95 µs", "× clean",
        ])
        var best = [[Double]](repeating: [.infinity, .infinity, .infinity], count: cases.count + 1)
        let modes: [SearchMode] = [.exact, .probes(8), .recall(0.95)]
        for _ in 0..<rounds {
            for (i, index) in ([clean] + cases.map(\.index)).enumerated() {
                for (m, mode) in modes.enumerated() {
                    best[i][m] = min(best[i][m], try index.seconds(data.queries, mode: mode))
                }
            }
        }
        for (i, (name, index)) in ([("clean", clean)] + cases).enumerated() {
            let (lists, blocks, recall) = try counts(index)
            func ratio(_ m: Int) -> String { (best[i][m] / best[0][m]).fixed(3) }
            table.add([
                name, (1e6 * best[i][0]).shown, ratio(0), lists.shown, blocks.shown, (1e6 * best[i][1]).shown, ratio(1),
                recall.fixed(4), (1e6 * best[i][2]).shown, ratio(2),
            ])
        }
        print(table)
    }

    private func added(to index: VectorIndex, _ rows: [[Float]]) throws -> VectorIndex {
        var index = index
        for row in rows { try index.append(Matrix(rows: 1, columns: row.count, elements: row)) }
        return index
    }

    /// Means over some queries.
    private func counts(_ index: VectorIndex) throws -> (lists: Double, blocks: Double, recall: Double) {
        var (lists, blocks, found) = (0, 0, 0)
        let some = data.queries.prefix(500)
        for query in some {
            let report = try index.explain(query, k: 10)
            lists += report.lists?.visited ?? 0
            blocks += report.blocksScreened
            let nearest = Set(report.neighbors.map(\.id))
            found += try index.search(query, k: 10, options: .init(mode: .probes(8))).count {
                nearest.contains($0.id)
            }
        }
        let n = Double(some.count)
        return (Double(lists) / n, Double(blocks) / n, Double(found) / (10 * n))
    }
}
