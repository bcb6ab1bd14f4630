import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Saving and opening a flat index")
struct FlatIndexFileTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { folder.path(name) }

    @Test("reserved memory without vectors is not in the file")
    func reserved() throws {
        var index = VectorIndex(dimension: 5, layout: .flat)
        try index.save(to: path("none.kin"))
        index.reserveCapacity(1_000)
        try index.save(to: path("a.kin"))
        #expect(try folder.bytes("a.kin") == folder.bytes("none.kin"))
        #expect(try VectorIndex.verify(path("a.kin")).isIntact)
        var opened = try VectorIndex(opening: path("a.kin"))
        try opened.upsert([1, 2, 3, 4, 5], id: 7)
        #expect(opened.ids == [7])
    }

    /// Row codes may differ between releases, because the choice of their grid may. The format and the search results
    /// may not.
    @Test("a version 1.0 file opens and is rewritten byte for byte")
    func golden() throws {
        var random = SeededGenerator(seed: 42)
        var index = VectorIndex(dimension: 6, metric: .squaredL2, layout: .flat)
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 300, columns: 6)
        try index.upsert(vectors, ids: (0..<300).map { VectorID(UInt64($0) * 7 % 1_000) })
        try index.save(to: path("golden.kin"))
        let golden = try goldenFile("flat-v1")
        let (expected, written) = (try contents(of: golden), try folder.bytes("golden.kin"))
        #expect(
            written.count == expected.count && written.prefix(32) == expected.prefix(32),
            "FORMAT.md says when a format may change, and how its version is raised")
        let opened = try VectorIndex(opening: golden)
        try opened.save(to: path("again.kin"))
        #expect(try folder.bytes("again.kin") == expected)
        #expect(opened.ids == index.ids)
        #expect(try opened.search(vectors, k: 5) == index.search(vectors, k: 5))
        #expect(try VectorIndex.verify(golden).isIntact)
    }
}
