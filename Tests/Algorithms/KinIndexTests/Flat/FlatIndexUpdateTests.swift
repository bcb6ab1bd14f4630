import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Updates of a flat index")
struct FlatIndexUpdateTests {
    @Test("threads that code chunks again after a change of scale do not add their rows again", arguments: [5, 8, 11])
    func scales(wideChunk: Int) throws {
        let (dimension, chunks) = (1_025, 16)
        var random = TestSeed().generator
        let rows = 256
        var vectors: Matrix<Float> = random.uniformMatrix(rows: chunks * rows, columns: dimension, in: -1...1)
        for r in wideChunk * rows..<(wideChunk + 1) * rows { vectors[r, 0] *= 50 }
        var (one, two) = (
            VectorIndex(dimension: dimension, layout: .flat), VectorIndex(dimension: dimension, layout: .flat)
        )
        #expect(one.flat.store.layout.chunkRows == rows)
        try one.append(vectors)
        try two.append(vectors, threads: 2)
        #expect(two.flat.store.chunks.allSatisfy { $0.count == rows })
        #expect(two.flat.store.chunks.map(\.coding?.grid.scale) == one.flat.store.chunks.map(\.coding?.grid.scale))
        let query = Array(vectors.row(rows * wideChunk))
        #expect(try two.search(query, k: 10) == one.search(query, k: 10))
    }

    @Test("removal frees memory and wipes the vector")
    func space() throws {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: 16, layout: .flat)
        try index.append(random.uniformMatrix(rows: 40_000, columns: 16))
        let full = index.byteCount
        index.remove((0..<39_000).map { VectorID(UInt64($0)) })
        #expect(index.count == 1_000)
        #expect(index.byteCount <= full / 4)
        index.compact()
        #expect(index.byteCount <= 1_024 * 88)
        index.remove(index.ids)
        #expect(index.isEmpty && index.byteCount == 0)
        #expect(try index.search([Float](repeating: 0, count: 16), k: 3).isEmpty)
    }

    @Test("reserving capacity is only a hint")
    func reserve() throws {
        var index = VectorIndex(dimension: 4, layout: .flat)
        index.reserveCapacity(100)
        index.reserveCapacity(-1)
        try index.append(Matrix(rows: 300, columns: 4, repeating: 1))
        index.reserveCapacity(10)
        #expect(index.count == 300)
        #expect(try index.search([1, 1, 1, 1], k: 2).map(\.id) == [0, 1])
    }
}
