import Dispatch
import KinCore
import KinIndex
import KinLinearAlgebra
import KinTestSupport
import Synchronization
import Testing

/// Run under the thread sanitizer too: `swift test --sanitize=thread --filter Snapshot`.
@Suite("Snapshots of a flat index")
struct FlatIndexSnapshotTests {
    @Test("a copy keeps what it had, whichever of the two changes")
    func independence() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 20_000, columns: 16)
        var index = FlatIndex(dimension: 16)
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
        #expect(snapshot.vector(for: 5) == Array(vectors.row(5)))
        #expect(index.vector(for: 5) == Array(vectors.row(5)))
    }

    @Test("readers search snapshots while a writer writes")
    func concurrentReaders() throws {
        var random = TestSeed().generator
        var index = FlatIndex(dimension: 16)
        try index.append(random.uniformMatrix(rows: 3_000, columns: 16))
        let published = Mutex(index)
        let isDone = Atomic<Bool>(false)
        let failures = Atomic<Int>(0)
        let searches = Atomic<Int>(0)

        let group = DispatchGroup()
        for reader in 0..<2 {
            DispatchQueue.global().async(group: group) {
                var random = SeededGenerator.stream(UInt64(reader), of: 1)
                while !isDone.load(ordering: .acquiring) || searches.load(ordering: .relaxed) < 10 {
                    let snapshot = published.withLock { $0 }
                    let query = (0..<16).map { _ in Float(random.uniform()) }
                    // The version number is the first coordinate of vector 0: all searches of one snapshot see the same.
                    let found = try? snapshot.search(query, k: 5)
                    let again = try? snapshot.search(query, k: 5)
                    if found == nil || found != again || found?.count != 5 { failures.add(1, ordering: .relaxed) }
                    searches.add(1, ordering: .relaxed)
                }
            }
        }
        for step in 0..<60 {
            var next = published.withLock { $0 }
            let rows: Matrix<Float> = random.uniformMatrix(rows: 40, columns: 16)
            try next.upsert(rows, ids: (0..<40).map { VectorID(UInt64(step * 37 + $0)) })
            next.remove((0..<20).map { VectorID(UInt64(step * 50 + $0)) })
            published.withLock { $0 = next }
        }
        isDone.store(true, ordering: .releasing)
        group.wait()
        #expect(failures.load(ordering: .relaxed) == 0)
        #expect(searches.load(ordering: .relaxed) >= 10)
    }
}
