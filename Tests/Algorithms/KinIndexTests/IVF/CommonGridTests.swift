import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Grids shared by lists")
struct CommonGridTests {
    private func index(
        _ shape: DataShape, metric: Metric = .squaredL2, rows: Int = 12_000, random: inout SeededGenerator
    ) throws -> VectorIndex {
        var index = VectorIndex(smallListsOf: 16, metric: metric, shift: 9)
        try index.append(shape.matrix(rows: rows, dimension: 16, random: &random))
        return index
    }

    /// Counts the lists whose rows and whose boxes use the common grids.
    private func sharing(_ index: VectorIndex) -> (rows: Int, boxes: Int) {
        let grids = index.lists.store.grids
        return (
            index.lists.store.lists.count { $0.chunk.coding != nil && $0.chunk.coding?.grid === grids?.rows },
            index.lists.store.lists.count { $0.boxes != nil && $0.boxes?.grid === grids?.boxes }
        )
    }

    @Test("lists of uniform vectors share grids, before and after saving", arguments: Metric.allCases)
    func uniform(metric: Metric) throws {
        var random = TestSeed().generator
        let index = try index(.uniform, metric: metric, random: &random)
        let folder = TemporaryFolder()
        try index.save(to: folder.path("index"))
        let opened = try VectorIndex(opening: folder.path("index"))
        for index in [index, opened] {
            let sharing = sharing(index)
            #expect(sharing.rows > index.listCount * 3 / 4, "\(sharing) of \(index.listCount)")
            #expect(sharing.boxes > index.listCount * 3 / 4, "\(sharing) of \(index.listCount)")
            #expect(index.brokenInvariant() == nil)
        }
    }

    @Test("lists of clustered vectors have their own narrower grids")
    func clustered() throws {
        var random = TestSeed().generator
        let index = try index(.clustered, random: &random)
        #expect(sharing(index) == (0, 0))
    }

    @Test("lists rebuilt after additions still share grids, also after opening")
    func rebuilt() throws {
        var random = TestSeed().generator
        let built = try index(.uniform, random: &random)
        let folder = TemporaryFolder()
        try built.save(to: folder.path("index"))
        for var index in [built, try VectorIndex(opening: folder.path("index"))] {
            // One by one, because a batch of this size would rebuild the index.
            for id in 0..<UInt64(4_000) {
                try index.upsert((0..<16).map { _ in Float(random.uniform()) }, id: VectorID(50_000 + id))
            }
            let sharing = sharing(index)
            #expect(index.listCount > built.listCount)
            #expect(sharing.rows > index.listCount * 3 / 4, "\(sharing) of \(index.listCount)")
            #expect(sharing.boxes > index.listCount * 3 / 4, "\(sharing) of \(index.listCount)")
            #expect(index.brokenInvariant() == nil)
        }
    }

    @Test("search is exact if only some lists share grids", arguments: Metric.allCases)
    func mixed(metric: Metric) throws {
        var random = TestSeed().generator
        // Half of the rows are spread evenly and half are in clusters among them, so searches alternate between both
        // kinds of list.
        let even = DataShape.uniform.matrix(rows: 9_000, dimension: 16, random: &random)
        let narrow = DataShape.clustered.matrix(rows: 9_000, dimension: 16, random: &random)
        let vectors = Matrix(
            rows: (0..<18_000).map { Array($0 % 2 == 0 ? even.row($0 / 2) : narrow.row($0 / 2)) }, columns: 16)
        var index = VectorIndex(smallListsOf: 16, metric: metric, shift: 9)
        try index.append(vectors)
        let flat = try VectorIndex(flat: vectors, metric: metric)
        let kinds = Set(index.lists.store.lists.map { $0.boxes?.grid === index.lists.store.grids?.boxes })
        #expect(metric != .squaredL2 || kinds.count == 2)
        let queries = Matrix(
            rows: (0..<120).map { q in
                Array(q % 3 == 0 ? narrow.row(q) : even.row(q)).map { $0 + Float(random.uniform()) / 50 }
            }, columns: 16)
        let expected = try flat.search(queries, k: 10)
        let batch = index.lists.store.withView {
            ListScan(store: $0).batch(queries, k: 10, radii: nil, order: Array(0..<queries.rows), threads: 2)
        }
        for q in 0..<queries.rows {
            expectSame(batch[q], expected[q], "query \(q)")
            expectSame(try index.search(Array(queries.row(q)), k: 10)[...], expected[q], "query \(q) alone")
        }
    }
}
