import KinTestSupport
import Testing

@testable import KinIndex

/// Exact batches on vectors whose boxes exclude little, so all lists are read as a flat index reads its chunks.
@Suite("Batches that scan all lists")
struct EverythingScanTests {
    /// An index with lists and a flat one of unstructured vectors in many dimensions, some of them moved or removed.
    private func indexes(_ metric: Metric, _ random: inout SeededGenerator) throws -> (VectorIndex, VectorIndex) {
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 6_000, columns: 40)
        var (lists, flat) = (
            VectorIndex(smallListsOf: 40, metric: metric), VectorIndex(dimension: 40, metric: metric, layout: .flat)
        )
        try lists.append(vectors)
        try flat.append(vectors)
        let moved: Matrix<Float> = random.gaussianMatrix(rows: 300, columns: 40)
        let ids = (0..<300).map { VectorID(UInt64($0 * 17)) }
        try lists.upsert(moved, ids: ids)
        try flat.upsert(moved, ids: ids)
        for id in stride(from: 3, to: 6_000, by: 11) {
            lists.remove(VectorID(UInt64(id)))
            flat.remove(VectorID(UInt64(id)))
        }
        try lists.change(
            flat: { (_) throws(KinError) in },
            lists: { (file) throws(KinError) in
                file.calibration = try RecallCalibration(measuring: file, threads: 1)
            })
        return (lists, flat)
    }

    @Test("batches find the same as a flat search", arguments: Metric.allCases)
    func exact(metric: Metric) throws {
        var random = TestSeed().generator
        let (lists, flat) = try indexes(metric, &random)
        try #require(
            lists.lists.scansEverything(.exact, queries: 70),
            "a share of \(lists.lists.calibration.exactShare)")
        #expect(!lists.lists.scansEverything(.exact, queries: Kernels.tileQueries - 1))
        #expect(lists.listCount > 5)
        let queries: Matrix<Float> = random.gaussianMatrix(rows: 70, columns: 40)
        let plain = try flat.search(queries, k: 10)
        let limited = (0..<queries.rows).map { q in Array(plain[q])[q % 10].distance }
        let allowed = Set((0..<6_000).filter { _ in random.uniform() < 0.4 }.map { VectorID(UInt64($0)) })
        for filter in [SearchFilter.all, .ids(allowed), .predicate { $0.rawValue % 3 == 0 }] {
            for radii in [nil, limited] {
                let expected = try flat.search(queries, k: 10, options: .init(where: filter, radii: radii))
                for threads in [1, 2] {
                    let found = try lists.search(
                        queries, k: 10, options: .init(where: filter, threads: threads, radii: radii))
                    for q in 0..<queries.rows { expectSame(found[q], expected[q], "query \(q) \(threads)") }
                }
            }
        }
    }
}
