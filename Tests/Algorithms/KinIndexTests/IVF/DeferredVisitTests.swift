import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Queries that visit lists together")
struct DeferredVisitTests {
    /// An inverted-file index and a flat one whose queries visit many lists; some rows moved after the lists were
    /// coded.
    private func index(
        _ vectors: Matrix<Float>, metric: Metric, random: inout SeededGenerator
    ) throws -> (VectorIndex, VectorIndex) {
        let dimension = vectors.columns
        var index = VectorIndex(smallListsOf: dimension, metric: metric, shift: 9)
        var flat = try VectorIndex(flat: vectors, metric: metric)
        try index.append(vectors)
        for row in stride(from: 0, to: vectors.rows, by: 301) {
            var moved = Array(vectors.row(row))
            moved[row % dimension] += 1 + Float(random.uniform())
            try index.upsert(moved, id: VectorID(UInt64(row)))
            try flat.upsert(moved, id: VectorID(UInt64(row)))
        }
        return (index, flat)
    }

    @Test("batches find the same as a flat search", arguments: [6, 16, 37], Metric.allCases)
    func exact(dimension: Int, metric: Metric) throws {
        var random = TestSeed().generator
        var rows = (0..<9_001).map { _ in (0..<dimension).map { _ in Float(random.uniform()) } }
        // Some rows in each list are not outliers of the index but exceed the range of the list's codes.
        for row in stride(from: 0, to: rows.count, by: 211) { rows[row][row % dimension] *= 8 }
        let vectors = try Matrix(rows: rows)
        let queries = DataShape.uniform.matrix(rows: 150, dimension: dimension, random: &random)
        let (index, flat) = try index(vectors, metric: metric, random: &random)
        #expect(index.listCount > 20)
        var allowed = IDBitmap()
        for id in 0..<UInt64(9_001) where random.uniform() < 0.4 { allowed.insert(VectorID(id)) }
        let radii = (0..<queries.rows).map { (q: Int) -> Double in q % 3 == 0 ? 0.9 * Double(q % 7) : .infinity }
        for filter in [SearchFilter.all, .bitmap(allowed)] {
            let expected = try flat.search(queries, k: 10, options: .init(where: filter, radii: radii))
            for threads in [1, 2] {
                // The same as the index, without its choice between lists and a full scan.
                let found = index.lists.store.withView {
                    ListScan(store: $0, filter: filter)
                        .batch(queries, k: 10, radii: radii, order: Array(0..<queries.rows), threads: threads)
                }
                for q in 0..<queries.rows { expectSame(found[q], expected[q], "threads \(threads) query \(q)") }
            }
        }
    }

    @Test(
        "approximate results do not depend on the other queries of a batch", arguments: Metric.allCases,
        [0.1, 0.5, 0.8])
    func approximate(metric: Metric, pruningFactor: Double) throws {
        var random = TestSeed().generator
        let vectors = DataShape.uniform.matrix(rows: 9_001, dimension: 16, random: &random)
        let queries = DataShape.uniform.matrix(rows: 150, dimension: 16, random: &random)
        let (index, _) = try index(vectors, metric: metric, random: &random)
        func search(_ search: (ListScan) -> NeighborTable) -> NeighborTable {
            index.lists.store.withView {
                search(ListScan(store: $0, parameters: SearchParameters(pruningFactor: pruningFactor)))
            }
        }
        let order = Array(0..<queries.rows)
        let all = search { $0.batch(queries, k: 10, radii: nil, order: order, threads: 1) }
        let shuffled = search {
            $0.batch(queries, k: 10, radii: nil, order: order.shuffled(using: &random), threads: 3)
        }
        for q in 0..<queries.rows {
            expectSame(shuffled[q], all[q], "query \(q)")
            let rows = try Matrix(rows: [Array(queries.row(q))])
            expectSame(search { $0.batch(rows, k: 10, radii: nil, order: [0], threads: 1) }[0], all[q], "query \(q)")
            guard metric.comparesProducts else { continue }
            let alone = index.lists.search(
                Array(queries.row(q)), k: 10, within: .infinity, by: SearchParameters(pruningFactor: pruningFactor),
                .traversal(.all))
            expectSame(alone[...], all[q], "query \(q)")
        }
    }

    @Test("batches find rows outside the grid of a list", arguments: Metric.allCases)
    func outliers(metric: Metric) throws {
        var random = TestSeed().generator
        var rows = (0..<500).map { _ in (0..<16).map { _ in Float(0.1 + random.uniform()) } }
        for row in [70, 310] { for j in 0..<16 { rows[row][j] *= j % 2 == 0 ? 200 : -200 } }
        var index = VectorIndex(smallListsOf: 16, metric: metric, shift: 9)
        try index.append(Matrix(rows: rows))
        let list = try #require(index.lists.store.views.firstIndex { $0.hasOutliers })
        let queries = (0..<12).map { _ in rows.randomElement(using: &random)! }
        let radius = 1e9
        let tile = ListTile<NearestCollector>(layout: index.lists.store.layout)
        let slots = UnsafeMutableBufferPointer<Neighbor>.allocate(capacity: queries.count * rows.count)
        let padded = UnsafeMutablePointer<Float>.allocate(capacity: queries.count * 16)
        let bytes = QueryMemory.bytes(index.lists.store.layout)
        let own = UnsafeMutableRawPointer.allocate(byteCount: queries.count * bytes, alignment: 64)
        let traversals = UnsafeMutablePointer<ListTraversal<NearestCollector>>.allocate(capacity: queries.count)
        defer {
            unsafe slots.deallocate()
            unsafe padded.deallocate()
            unsafe own.deallocate()
            unsafe traversals.deinitialize(count: queries.count)
            unsafe traversals.deallocate()
        }
        index.lists.store.withView { store in
            let (scan, memory) = (ListScan(store: store), ListScanMemory(store: store))
            for (q, query) in queries.enumerated() {
                for j in 0..<16 { unsafe padded[q * 16 + j] = query[j] }
                let results = unsafe UnsafeMutableBufferPointer(rebasing: slots[q * rows.count..<(q + 1) * rows.count])
                unsafe (traversals + q).initialize(
                    to: ListTraversal(
                        scan: scan, query: padded + q * 16, memory: memory,
                        collector: NearestCollector(into: results, within: radius),
                        own: QueryMemory(own + q * bytes, layout: store.layout)))
                unsafe tile.add(traversals + q, blocks: .max >> UInt64(64 - store.views[list].blocks))
            }
            tile.screen(list, of: store)
        }
        // The radius is so large that every row of the list is found, once.
        for q in queries.indices {
            let count = unsafe traversals[q].collector.finish()
            #expect(count == index.lists.store.views[list].count, "query \(q)")
        }
    }
}
