import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Filters in every layout")
struct LayoutFilterTests {
    @Test(
        "filtered search returns the exact nearest rows at every selectivity", arguments: Metric.allCases,
        [1.0, 0.5, 0.1, 0.01, 0.001, 0])
    func everyShare(metric: Metric, share: Double) throws {
        var random = TestSeed().generator
        let n = 30_000
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: n, columns: 16)
        let ids = (0..<n).map { VectorID(UInt64($0) * 3) }
        var indexes = [
            VectorIndex(dimension: 16, metric: metric, layout: .flat), VectorIndex(smallListsOf: 16, metric: metric),
        ]
        for i in indexes.indices { try indexes[i].upsert(vectors, ids: ids, threads: 2) }
        let allowed = Set(ids.filter { _ in random.uniform() < share })
        let filters: [(String, SearchFilter)] = [
            ("ids", .ids(allowed)),
            ("ids and strangers", .ids(Array(allowed) + [1, 2, VectorID(1 << 50)])),
            ("bitmap", .bitmap(IDBitmap(allowed))),
            ("predicate", .predicate { allowed.contains($0) }),
        ]
        let queries: Matrix<Float> = random.gaussianMatrix(rows: 3, columns: 16)
        let oracle = LaneOracle(vectors, ids: ids, metric: metric)
        let rankings = (0..<3).map { oracle.ranking(of: Array(queries.row($0))) { allowed.contains($0) } }
        let radius = rankings[0].isEmpty ? 1 : rankings[0][rankings[0].count / 3].distance
        let within = rankings[0].filter { $0.distance <= radius }
        for index in indexes {
            for (name, filter) in filters {
                for k in [1, 10, 400] {
                    let batch = try index.search(queries, k: k, options: .init(where: filter, threads: 2))
                    for q in 0..<3 {
                        let expected = rankings[q].prefix(k)
                        let note = "\(index.layout) \(name) k \(k)"
                        expectSame(batch[q], expected, note)
                        let single = try index.search(Array(queries.row(q)), k: k, options: .init(where: filter))
                        expectSame(single, expected, note)
                    }
                }
                let found = try index.rangeSearch(Array(queries.row(0)), radius: radius, where: filter)
                expectSame(found, within, "\(index.layout) \(name)")
            }
        }
    }

    @Test("a bitmap behaves like a set of ids")
    func bitmap() {
        var random = TestSeed().generator
        let ids = Set((0..<500).map { _ in VectorID(UInt64(random.below(5_000))) })
        var bitmap = IDBitmap(ids)
        #expect(bitmap.count == ids.count)
        #expect(Array(bitmap) == ids.sorted())
        #expect((0..<5_100).allSatisfy { bitmap.contains(VectorID($0)) == ids.contains(VectorID($0)) })
        #expect(!bitmap.contains(.none))
        let first = ids.min()!
        bitmap.remove(first)
        bitmap.remove(first)
        #expect(bitmap.count == ids.count - 1 && !bitmap.contains(first))
        #expect(bitmap == IDBitmap(ids.subtracting([first])) && bitmap != IDBitmap(ids))
        let last = ids.max()!
        bitmap.remove(last)
        let rest = IDBitmap(ids.subtracting([first, last]))
        #expect(bitmap == rest && bitmap.hashValue == rest.hashValue, "equal sets, of bitmaps that are not as large")
        #expect(Array(IDBitmap(words: [0b101, 0, 1 << 63])) == [0, 2, 191])
        #expect(IDBitmap(words: [1, 2, 0]) == IDBitmap(words: [1, 2]) && IDBitmap(words: [1]) != IDBitmap(words: [2]))
        #expect(Array(IDBitmap()).isEmpty)
    }
}
