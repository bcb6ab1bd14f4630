import Ceilings
import Kin

/// Searches with narrow filters: the first searches, later searches, and the recall of probes.
struct FilterPart {
    let data: ClusteredData
    let rounds: Int

    func run() throws {
        let index = try data.index()
        print("### Narrow filters\n")
        var table = Table(["allowed", "first µs", "searches 2 to 100", "after 1,000", "found of 10 by 1 probe"])
        for share in [0.1, 0.01, 0.001, 0.0001] {
            var random = SeededGenerator(seed: 3)
            let ids = (0..<data.vectors.rows).lazy.filter { _ in random.uniform() < share }.map { VectorID(UInt64($0)) }
            let filter = SearchFilter.bitmap(IDBitmap(Array(ids)))
            let first = try index.seconds(data.queries.prefix(1), where: filter)
            let next = try index.seconds(data.queries.dropFirst().prefix(99), where: filter)
            _ = try index.seconds(data.queries.prefix(1_000), where: filter)
            let later =
                try (0..<rounds).map { _ in try index.seconds(data.queries.prefix(500), where: filter) }.min() ?? 0
            let fresh = SearchFilter.predicate { filter in
                filter.rawValue % UInt64(1 / share) == 0
            }
            let found = try data.queries.prefix(20).reduce(0) {
                try $0 + index.search($1, k: 10, options: .init(mode: .probes(1), where: fresh)).count
            }
            table.add([
                "\(100 * share) %", (1e6 * first).shown, (1e6 * next).shown, (1e6 * later).shown,
                (Double(found) / 20).shown,
            ])
        }
        print(table)
    }
}
