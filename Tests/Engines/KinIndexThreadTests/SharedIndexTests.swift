import Foundation
import KinCore
import KinIndex
import KinLinearAlgebra
import KinTestSupport
import Synchronization
import Testing

/// What threads share: a snapshot that is published, and the codes that searches make when they first need them.
///
/// `.ci/run` runs these under the thread sanitizer; they are a target of their own because a build with it takes long.
@Suite("Indexes that several threads search")
struct SharedIndexTests {
    @Test("readers search snapshots of a flat index while a writer writes")
    func flatSnapshots() throws { try readBesideAWriter(FlatIndex(dimension: 16)) }

    @Test("readers search snapshots of an inverted file while a writer writes")
    func invertedFileSnapshots() throws { try readBesideAWriter(IVFIndex(dimension: 16, partition: .lists(20))) }

    private func readBesideAWriter(_ empty: some VectorIndex) throws {
        var random = TestSeed().generator
        var index = empty
        let start: Matrix<Float> = random.uniformMatrix(rows: 3_000, columns: 16)
        try index.load(start, ids: (0..<3_000).map { VectorID($0) }, attributes: [:], threads: 1)
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
                    let found = try? snapshot.search(query, k: 5, mode: .exact, where: .all, threads: 1)
                    let again = try? snapshot.search(query, k: 5, mode: .exact, where: .all, threads: 1)
                    if found == nil || found != again || found?.count != 5 { failures.add(1, ordering: .relaxed) }
                    searches.add(1, ordering: .relaxed)
                }
            }
        }
        for step in 0..<60 {
            var next = published.value
            for row in 0..<40 {
                let vector = (0..<16).map { _ in Float(random.uniform()) }
                try next.upsert(vector, id: VectorID(UInt64(step * 37 + row)))
            }
            _ = next.remove((0..<20).map { VectorID(UInt64(step * 50 + $0)) })
            published.value = next
        }
        isDone.store(true, ordering: .releasing)
        group.wait()
        #expect(failures.load(ordering: .relaxed) == 0)
        #expect(searches.load(ordering: .relaxed) >= 10)
    }

    @Test("searches that make a flat index's codes at the same time find what a scan finds", arguments: [16, 128])
    func codesMadeTogether(dimension: Int) async throws {
        let seed = TestSeed()
        var random = seed.generator
        // Deviations shrink as those of embeddings do, so few axes tell much.
        let deviates: Matrix<Float> = random.gaussianMatrix(rows: 4_700, columns: dimension)
        let vectors = try Matrix(
            rows: deviates.rows, columns: dimension,
            elements: (0..<deviates.rows).flatMap { i in
                (0..<dimension).map { deviates[i, $0] / Float($0 + 1).squareRoot() }
            })
        var index = FlatIndex(dimension: dimension)
        try index.append(vectors)
        let queries = (0..<12).map { Array(vectors.row(100 * $0)) }
        let oracle = NearestNeighborOracle(vectors, metric: .squaredL2)
        let wanted = queries.map { oracle.nearest(to: $0, k: 5).map(\.id) }
        try await withThrowingTaskGroup(of: Void.self) { [index] group in
            for _ in 0..<3 {
                group.addTask {
                    for round in 0..<12 {
                        for (q, query) in queries.enumerated() {
                            let found = try index.search(query, k: 5).map(\.id)
                            #expect(found == wanted[q], "\(seed) round \(round), query \(q)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// A value behind a lock that the thread sanitizer knows. It does not know the library of `Mutex`, and takes what one hands over
/// for shared whenever two threads had to wait for each other.
private final class Published<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var current: Value

    init(_ value: Value) { current = value }

    var value: Value {
        get { lock.withLock { current } }
        set { lock.withLock { current = newValue } }
    }
}
