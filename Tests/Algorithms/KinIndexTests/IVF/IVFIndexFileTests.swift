import Foundation
import KinTestSupport
import SystemPackage
import Testing

@testable import KinIndex

@Suite("Saving and opening an inverted-file index")
struct IVFIndexFileTests {
    private let folder = TemporaryFolder()

    private func path(_ name: String) -> String { folder.path(name) }

    @Test("ids of every kind are found, and the bytes do not depend on history")
    func ids() throws {
        var random = TestSeed().generator
        let n = 6_000
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: n, columns: 4)
        let kinds: [(Int) -> UInt64] = [{ UInt64($0) }, { UInt64($0) + 1 << 40 }, { UInt64($0) << 33 }]
        for (number, kind) in kinds.enumerated() {
            var index = VectorIndex(smallListsOf: 4)
            try index.upsert(vectors, ids: (0..<n).map { VectorID(kind($0)) })
            try index.save(to: path("a.kin"))
            let file = try SectionFile(mapping: path("a.kin"))
            #expect((file.section(IDTableSections.dense) != nil) == (number < 2))
            #expect((file.section(IDTableSections.sorted.ids) != nil) == (number == 2))

            // An id is added and removed, which leaves an outdated table but the same index.
            try index.upsert([9, 9, 9, 9], id: VectorID(kind(n)))
            index.remove(VectorID(kind(n)))
            index.remove(VectorID(kind(n - 1)))
            try index.save(to: path("b.kin"))
            let opened = try VectorIndex(opening: path("b.kin"))
            #expect(opened.brokenInvariant() == nil)
            #expect(opened.contains(VectorID(kind(n - 2))) && !opened.contains(VectorID(kind(n - 1))))
            try opened.save(to: path("c.kin"))
            #expect(try folder.bytes("b.kin") == folder.bytes("c.kin"))
        }
    }

    @Test("the measured recall and the changes since are saved")
    func recall() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 4)
        try index.append(DataShape.clustered.matrix(rows: 10_100, dimension: 4, random: &random))
        index.remove((0..<50).map { VectorID($0) })
        try index.save(to: path("a.kin"))
        let opened = try VectorIndex(opening: path("a.kin"))
        #expect(opened.lists.calibration == index.lists.calibration && opened.lists.calibration.changes == 50)
        let query: [Float] = [0, 1, 0, -1]
        #expect(
            try opened.search(query, k: 10, options: .init(mode: .recall(0.9)))
                == index.search(query, k: 10, options: .init(mode: .recall(0.9))))
    }

    @Test("a mapped index can be changed and then replace its unchanged file", arguments: 0..<2)
    func changeMapped(partition: Int) throws {
        var churn = try IndexChurn(
            index: VectorIndex(smallListsOf: 4, partition: partition == 0 ? .lists : .centroids(6), shift: 8),
            random: TestSeed().generator, largest: 2_000)
        for _ in 0..<12 { try churn.change() }
        for round in 0..<4 {
            try churn.index.save(to: path("a.kin"))
            let saved = try folder.bytes("a.kin")
            let snapshot = try VectorIndex(opening: path("a.kin"))
            let ids = snapshot.ids
            churn.index = snapshot
            for _ in 0..<6 { try churn.change() }
            try churn.check("round \(round)")
            #expect(try folder.bytes("a.kin") == saved, "the file is not written to")
            #expect(snapshot.ids == ids && snapshot.brokenInvariant() == nil)
            try churn.index.save(to: path("a.kin"))
            #expect(snapshot.ids == ids, "who has the old file open keeps it")
            let report = try VectorIndex.verify(path("a.kin"))
            #expect(report.isIntact, "\(String(describing: report.damage))")
        }
    }

    @Test("processes share one mapped file and change it independently")
    func processes() async throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 3_000, columns: 4)
        var index = VectorIndex(smallListsOf: 4)
        try index.append(vectors)
        try index.save(to: path("a.kin"))
        let before = try folder.bytes("a.kin")
        let file = path("a.kin")
        let nearest = try index.search(Array(vectors.row(0)), k: 20).map(\.id.rawValue)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [file = file as String, nearest = nearest as [UInt64]] in
                        var index = try VectorIndex(opening: file)
                        let query = try #require(try index.vector(for: 0))
                        for removed in 0..<15 {
                            let found = try index.search(query, k: 20 - removed).map(\.id.rawValue)
                            guard found == Array(nearest[removed...]) else { exit(1) }
                            index.remove(VectorID(nearest[removed]))
                        }
                    }
                }
            }
        }
        #expect(try folder.bytes("a.kin") == before)
    }
}
