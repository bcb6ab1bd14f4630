import KinTestSupport
import Testing

@testable import KinIndex

@Suite("An index with thousands of lists and boxes around every 64 of them")
struct ManyListsTests {
    private let rows = 110_000

    /// An index with lists and a flat one of the same rows, after a build and after changes that move, empty and add
    /// lists.
    private func indexes(
        _ shape: DataShape, _ metric: Metric, random: inout SeededGenerator
    ) throws -> (VectorIndex, VectorIndex) {
        let vectors = shape.matrix(rows: rows, dimension: 5, random: &random)
        let ids = (0..<rows).map { VectorID(UInt64($0)) }
        var index = VectorIndex(smallListsOf: 5, metric: metric, shift: 6)
        var flat = VectorIndex(dimension: 5, metric: metric, layout: .flat)
        try index.upsert(vectors, ids: ids)
        try flat.upsert(vectors, ids: ids)
        return (index, flat)
    }

    private func change(_ index: inout VectorIndex, _ flat: inout VectorIndex, random: inout SeededGenerator) throws {
        for i in 0..<600 {
            let id = VectorID(UInt64(random.below(rows + 300)))
            // A few of them far outside all boxes.
            let scale: Double = i % 97 == 0 ? 1e3 : 1
            let vector = (0..<5).map { _ in Float(scale * random.gaussian()) }
            try index.upsert(vector, id: id)
            try flat.upsert(vector, id: id)
        }
        // Removes all rows of some lists, so that these are dissolved and the last lists take their numbers.
        for c in stride(from: 10, to: index.listCount / 2, by: 200) {
            let chunk = index.lists.store.lists[c].chunk
            let ids = (0..<chunk.count).map { unsafe chunk.ids[$0] }
            index.remove(ids)
            flat.remove(ids)
        }
    }

    @Test(
        "search equals a flat search, after building and after changes",
        arguments: [DataShape.uniform, .clustered, .correlated], Metric.allCases)
    func matchesFlat(shape: DataShape, metric: Metric) throws {
        var random = TestSeed().generator
        var (index, flat) = try indexes(shape, metric, random: &random)
        let snapshot = index
        let before = index.lists.store.boxes?.outer
        try #require(before != nil, "there are \(index.listCount) lists")
        for round in 0..<2 {
            let note = "round \(round)"
            // Most lists are still as they were built.
            if round == 1 { #expect(index.brokenInvariant() == nil) }
            let near = try (0..<15).compactMap { try index.vector(for: VectorID(UInt64($0 * 7_001))) }
            let queries = try Matrix(rows: near + (0..<15).map { _ in (0..<5).map { _ in Float(random.gaussian()) } })
            for k in [1, 10] {
                let (found, expected) = (try index.search(queries, k: k), try flat.search(queries, k: k))
                for q in 0..<queries.rows {
                    expectSame(found[q], expected[q], "\(note) k \(k) query \(q)")
                    let alone = try index.search(Array(queries.row(q)), k: k)
                    expectSame(alone, expected[q], "\(note) k \(k) query \(q) alone")
                }
            }
            try change(&index, &flat, random: &random)
        }
        if metric == .squaredL2 { #expect(snapshot.brokenInvariant() == nil) }
    }

    @Test("a query near rows computes bounds for few blocks of boxes", arguments: [DataShape.uniform, .clustered])
    func boundsFew(shape: DataShape) throws {
        var random = TestSeed().generator
        let (index, _) = try indexes(shape, .squaredL2, random: &random)
        let memory = index.lists.store.withView { ListScanMemory(store: $0) }
        let blocks = try #require(index.lists.store.boxes).blocks
        var bounded = 0
        for id in stride(from: 0, to: rows, by: 1_009) {
            let query = try #require(try index.vector(for: VectorID(UInt64(id)))) + [0, 0, 0]
            _ = unsafe query.withUnsafeBufferPointer { query in
                unsafe withUnsafeTemporaryAllocation(of: Neighbor.self, capacity: 1) { result in
                    index.lists.store.withView {
                        unsafe ListScan(store: $0).nearest(to: query.baseAddress!, into: result, memory: memory)
                    }
                }
            }
            bounded += memory.boundedBlocks
        }
        let share = Double(bounded) / Double(blocks * ((rows + 1_008) / 1_009))
        #expect(share < 0.25, "\(share) of \(blocks) blocks")
    }

    @Test("a saved and mapped index gives the same results")
    func mapped() throws {
        var random = TestSeed().generator
        // The smallest lists that a file allows.
        var index = VectorIndex(smallListsOf: 3, shift: 8)
        try index.append(DataShape.clustered.matrix(rows: 400_000, dimension: 3, random: &random))
        let folder = TemporaryFolder()
        try index.save(to: folder.path("index.kin"))
        let opened = try VectorIndex(opening: folder.path("index.kin"))
        #expect(opened.lists.store.boxes?.outer != nil, "\(opened.listCount) lists")
        #expect(opened.brokenInvariant() == nil)
        let queries: Matrix<Float> = random.gaussianMatrix(rows: 50, columns: 3)
        #expect(try opened.search(queries, k: 10) == index.search(queries, k: 10))
    }

    @Test("each outer box encloses its block, after any change to the table")
    func enclosed() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 5)
        try index.append(DataShape.uniform.matrix(rows: 2_000, dimension: 5, random: &random))
        var table = BoxTable(
            dimension: 5, grid: try #require(index.lists.store.boxes).grid, minimumCapacity: BoxTable.fewestWithOuter)
        for round in 0..<4_000 {
            let low = (0..<8).map { _ in Float(0.4 * random.uniform()) }
            let high = low.map { $0 + Float(0.2 * random.uniform()) }
            switch random.below(8) {
            case 0 where table.count > 0: _ = unsafe table.widen(random.below(table.count), low: low, high: high)
            case 1 where table.count > 0: _ = unsafe table.put(random.below(table.count), low: low, high: high)
            case 2 where round % 16 == 0: table.putPlaceholder(table.count)
            case 3 where round % 16 == 0: table.removeLast(from: max(0, table.count - random.below(70)))
            case 4 where round % 16 == 0: table = table.copy(minimumCapacity: BoxTable.fewestWithOuter)
            case _ where table.count < table.capacity: _ = unsafe table.put(table.count, low: low, high: high)
            default: break
            }
            if round % 40 == 0 { #expect(table.firstBlockNotEnclosed() == nil, "round \(round)") }
        }
        #expect(table.blocks > 20 && table.outer?.count == table.blocks)
    }
}
