import Foundation
import KinIndex
import KinTestSupport
import Synchronization
import Testing

/// Readers search snapshots while a writer publishes new ones, for both kinds of index.
///
/// `.ci/run` runs these tests under the thread sanitizer. They are a separate target because such a build takes long.
@Suite("Indexes searched by several threads")
struct SharedIndexTests {
    @Test("readers search snapshots of a flat index while a writer writes")
    func flatSnapshots() throws { try readBesideAWriter(VectorIndex(dimension: 16, layout: .flat)) }

    @Test("readers search snapshots of an inverted file while a writer writes")
    func invertedFileSnapshots() throws { try readBesideAWriter(VectorIndex(dimension: 16, layout: .centroids(20))) }

    private func readBesideAWriter(_ empty: VectorIndex) throws {
        var random = TestSeed().generator
        var index = empty
        let start: Matrix<Float> = random.uniformMatrix(rows: 3_000, columns: 16)
        try index.upsert(start, ids: (0..<3_000).map { VectorID($0) })
        let published = Published(index)
        let isDone = Atomic<Bool>(false)
        let failures = Atomic<Int>(0)
        let searches = Atomic<Int>(0)

        let group = DispatchGroup()
        for reader in 0..<2 {
            DispatchQueue.global().async(group: group) {
                var random = SeededGenerator.stream(UInt64(reader), of: 1)
                while !isDone.load(ordering: .acquiring) || searches.load(ordering: .relaxed) < 10 {
                    let snapshot = published.value
                    let query = (0..<16).map { _ in Float(random.uniform()) }
                    let found = try? snapshot.search(query, k: 5)
                    let again = try? snapshot.search(query, k: 5)
                    if found == nil || found != again || found?.count != 5 { failures.add(1, ordering: .relaxed) }
                    searches.add(1, ordering: .relaxed)
                }
            }
        }
        for step in 0..<60 {
            var next = published.value
            let rows: Matrix<Float> = random.uniformMatrix(rows: 40, columns: 16)
            try next.upsert(rows, ids: (0..<40).map { VectorID(UInt64(step * 37 + $0)) })
            _ = next.remove((0..<20).map { VectorID(UInt64(step * 50 + $0)) })
            published.value = next
        }
        isDone.store(true, ordering: .releasing)
        group.wait()
        #expect(failures.load(ordering: .relaxed) == 0)
        #expect(searches.load(ordering: .relaxed) >= 10)
    }
}

/// A value behind a lock that the thread sanitizer knows. The sanitizer does not know the library of `Mutex`: whenever
/// two threads had to wait for each other, it treats a value from the lock as shared without protection.
private final class Published<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var current: Value

    init(_ value: Value) { current = value }

    var value: Value {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }
}
