import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Filters in every layout")
struct LayoutFilterTests {
    @Test(
        "filtered search returns the exact nearest rows at every selectivity", arguments: Metric.allCases,
        [UInt64(1), 37, 1 << 34])
    func everyShare(metric: Metric, spacing: UInt64) throws {
        var random = TestSeed().generator
        let n = 8_000
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: n, columns: 16)
        let ids = (0..<n).map { VectorID(UInt64($0) * spacing) }
        // The numbers are shuffled, so that the allowed rows are spread over the index.
        let order = Array(0..<n).shuffled(using: &random)
        var indexes = [
            VectorIndex(dimension: 16, metric: metric, layout: .flat), VectorIndex(smallListsOf: 16, metric: metric),
        ]
        for i in indexes.indices {
            try indexes[i].upsert(vectors, ids: ids, threads: 2)
            try indexes[i].declareAttributes(AttributeSchema(["n": .integer]))
            try indexes[i].setAttributes(["n": .integers(order.map { Int64($0) })], ids: ids)
        }
        let queries: Matrix<Float> = random.gaussianMatrix(rows: 2, columns: 16)
        let oracle = LaneOracle(vectors, ids: ids, metric: metric)
        for count in [n, n / 2, n / 10, n / 100, n / 1_000, 3, 0] {
            let allowed = Set(zip(ids, order).filter { $1 < count }.map(\.0))
            let condition = SearchFilter.matching(.compare("n", .less, .integer(Int128(count))))
            var filters: [(String, SearchFilter)] = [
                ("ids", .ids(allowed)), ("ids and strangers", .ids(allowed + [VectorID(1 << 63), VectorID(1 << 62)])),
                ("predicate", .predicate { allowed.contains($0) }), ("condition", condition),
            ]
            if spacing < 1 << 30 { filters.append(("bitmap", .bitmap(IDBitmap(allowed)))) }
            // A prepared filter serves any index of the same rows.
            for index in indexes {
                filters.append(("prepared in \(index.layout)", try index.prepare(condition, threads: 2)))
            }
            let rankings = (0..<2).map { oracle.ranking(of: Array(queries.row($0))) { allowed.contains($0) } }
            let radius = rankings[0].isEmpty ? 1 : rankings[0][rankings[0].count / 3].distance
            let within = rankings[0].filter { $0.distance <= radius }
            for index in indexes {
                for (name, filter) in filters {
                    for k in [1, 10, 400] {
                        let options = SearchOptions(where: filter, threads: 2)
                        let batch = try index.search(queries, k: k, options: options)
                        for q in 0..<2 {
                            let note = "\(index.layout) \(name) \(count) allowed, k \(k)"
                            let query = Array(queries.row(q))
                            expectSame(batch[q], rankings[q].prefix(k), note)
                            expectSame(try index.search(query, k: k, options: options), rankings[q].prefix(k), note)
                            expectSame(
                                try index.explain(query, k: k, options: options).neighbors, rankings[q].prefix(k), note)
                        }
                    }
                    let query = Array(queries.row(0))
                    let found = try index.rangeSearch(query, radius: radius, where: filter)
                    expectSame(found, within, "\(index.layout) \(name)")
                    let few = try index.search(query, k: 10, options: .init(where: filter, radius: radius))
                    expectSame(few, within.prefix(10), "\(index.layout) \(name)")
                }
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
