import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Removed vectors and what an index derived from them")
struct RemovedRowTests {
    private let folder = TemporaryFolder()

    /// The coordinates of a vector that the saved file has, as they are or at a side of a box.
    private func traces(of vector: [Float], in index: VectorIndex) throws -> [Float] {
        try index.save(to: folder.path("index.kin"))
        let bytes = try folder.bytes("index.kin")
        let stored = Set(
            stride(from: 0, to: bytes.count, by: 4).map { place in
                bytes[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            })
        return vector.filter { x in [x, -x].contains { stored.contains($0.bitPattern) } }
    }

    /// Few vectors, so that each is at a side of the boxes of its list and of the grids.
    @Test(
        "no coordinate of a removed vector stays after changed lists are rebuilt",
        arguments: [IndexLayout.flat, .lists, .centroids(2)], [Metric.squaredL2, .innerProduct])
    func removing(layout: IndexLayout, metric: Metric) throws {
        var random = TestSeed().generator
        for n in [1, 2, 3, 10, 70, 300] {
            let vectors: Matrix<Float> = random.gaussianMatrix(rows: n, columns: 16)
            var index = VectorIndex(dimension: 16, metric: metric, layout: layout)
            try index.append(vectors)
            for row in 0..<min(n, 8) {
                index.remove(VectorID(UInt64(row)))
                index.rebuildChangedLists()
                #expect(try traces(of: Array(vectors.row(row)), in: index) == [], "row \(row) of \(n)")
            }
            // A later vector does not bring the box of the earlier ones back.
            try index.append(random.gaussianMatrix(rows: 1, columns: 16))
            for row in 0..<min(n, 8) {
                #expect(try traces(of: Array(vectors.row(row)), in: index) == [], "row \(row) of \(n), then one more")
            }
            if !layout.isFlat { #expect(index.brokenInvariant() == nil) }
        }
    }

    @Test("in many lists, each side of each box is at a vector then", arguments: Metric.allCases)
    func manyLists(metric: Metric) throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 4, metric: metric, shift: 8)
        try index.append(random.gaussianMatrix(rows: 2_000, columns: 4))
        for share in [200, 20, 3, 2] {
            index.remove(index.ids.filter { _ in random.below(share) == 0 })
            index.rebuildChangedLists()
            #expect(index.brokenInvariant() == nil)
            let store = index.lists.store
            for list in store.lists {
                var (low, high) = InvertedList.emptyBox(store.layout)
                for row in 0..<list.count {
                    unsafe store.frame.withBox(of: list.chunk.row(row)) { lowest, highest in
                        for j in low.indices {
                            unsafe (low[j], high[j]) = (min(low[j], lowest[j]), max(high[j], highest[j]))
                        }
                    }
                }
                #expect(list.low == low && list.high == high)
            }
            var fitted = store
            fitted.computeBoxes()
            #expect(store.boxes?.grid.offsets == fitted.boxes?.grid.offsets)
        }
    }
}
