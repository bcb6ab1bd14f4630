import KinIndex
import KinTestSupport
import Testing

@Suite("Snapshots of a flat index")
struct FlatIndexSnapshotTests {
    @Test("a copy and its original change independently")
    func independence() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 20_000, columns: 16)
        var index = VectorIndex(dimension: 16, layout: .flat)
        try index.append(vectors)
        let query = Array(vectors.row(11_111))
        let before = try index.search(query, k: 50)

        let snapshot = index
        for neighbor in before.prefix(25) { index.remove(neighbor.id) }
        try index.upsert(query, id: before[30].id)
        expectSame(try snapshot.search(query, k: 50), before, "the snapshot")
        #expect(try index.search(query, k: 1).first?.id == before[30].id)

        var other = snapshot
        try other.upsert([Float](repeating: 9, count: 16), id: 5)
        #expect(try snapshot.vector(for: 5) == Array(vectors.row(5)))
        #expect(try index.vector(for: 5) == Array(vectors.row(5)))
    }
}
