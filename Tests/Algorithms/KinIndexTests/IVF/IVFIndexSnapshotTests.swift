import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Snapshots of an index")
struct IVFIndexSnapshotTests {
    /// Every byte of an index, as a file stores it.
    private func bytes(_ index: VectorIndex, _ folder: TemporaryFolder) throws -> [UInt8] {
        try index.save(to: folder.path("index.kin"))
        return try folder.bytes("index.kin")
    }

    @Test(
        "a snapshot keeps every byte while a copy changes at random",
        arguments: [IndexLayout.flat, .medianSplits, .centroids(80)])
    func bytesStay(layout: IndexLayout) throws {
        var random = TestSeed().generator
        let n = 16_000
        let vectors = DataShape.clustered.matrix(rows: n, dimension: 3, random: &random)
        var index = VectorIndex(smallListsOf: 3, partition: layout, shift: 8)
        try index.declareAttributes(AttributeSchema(["price": .integer]))
        try index.upsert(
            vectors, ids: (0..<n).map { VectorID(UInt64($0) * 3) },
            attributes: ["price": .integers((0..<n).map { Int64($0) })])
        #expect(layout.isFlat || index.listCount > PagedArray<InvertedList>.pageCount)
        let folder = TemporaryFolder()
        let queries = DataShape.queries(for: vectors, random: &random)
        var snapshots: [(index: VectorIndex, bytes: [UInt8], found: NeighborTable)] = []
        for _ in 0..<4 {
            snapshots.append((index, try bytes(index, folder), try index.search(queries, k: 20)))
            for _ in 0..<150 { try change(&index, among: n, &random) }
        }
        for (snapshot, before, found) in snapshots {
            let after = try bytes(snapshot, folder)
            #expect(after == before)
            #expect(try snapshot.search(queries, k: 20) == found)
        }
        try expectFlatScan(index, queries)
    }

    /// Inserts, moves, replaces or removes one or a few rows, or sets an attribute.
    private func change(_ index: inout VectorIndex, among n: Int, _ random: inout SeededGenerator) throws {
        let id = VectorID(UInt64(random.below(n)) * 3 + (random.below(3) == 0 ? 1 : 0))
        switch random.below(8) {
        case 0: index.remove(id)
        case 1: index.remove((0..<100).map { VectorID(id.rawValue + 3 * $0) })
        case 2 where index.contains(id): try index.setAttribute("price", to: .integer(-1), for: id)
        case 3, 4:
            guard var vector = try index.vector(for: id) else { return }
            vector[random.below(3)] += 1e-3
            try index.upsert(vector, id: id)
        case 5:
            let rows: Matrix<Float> = random.gaussianMatrix(rows: 40, columns: 3)
            try index.upsert(rows, ids: (0..<40).map { VectorID(id.rawValue + $0) })
        default:
            let scale: Double = random.below(50) == 0 ? 1e3 : 1
            try index.upsert((0..<3).map { _ in Float(scale * random.gaussian()) }, id: id)
        }
    }

    /// Checks an index against a flat scan of the same rows.
    private func expectFlatScan(_ index: VectorIndex, _ queries: Matrix<Float>) throws {
        #expect(index.layout.isFlat || index.brokenInvariant() == nil)
        var flat = VectorIndex(dimension: index.dimension, metric: index.metric, layout: .flat)
        for id in index.ids { try flat.upsert(try #require(try index.vector(for: id)), id: id) }
        let (found, expected) = (try index.search(queries, k: 20), try flat.search(queries, k: 20))
        for q in 0..<queries.rows { expectSame(found[q], expected[q], "query \(q)") }
        #expect(index.attributes.count == index.count)
    }
}
