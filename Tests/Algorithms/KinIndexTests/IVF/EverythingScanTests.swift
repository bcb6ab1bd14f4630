import KinTestSupport
import Testing

@testable import KinIndex

/// Exact batches on vectors whose boxes exclude little, so all lists are read as a flat index reads its chunks.
@Suite("Batches that scan all lists")
struct EverythingScanTests {
    /// An index with lists and a flat one of unstructured vectors in many dimensions, some of them moved or removed.
    private func indexes(_ metric: Metric, _ random: inout SeededGenerator) throws -> (VectorIndex, VectorIndex) {
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 6_000, columns: 40)
        var flat = try VectorIndex(flat: vectors, metric: metric)
        var lists = VectorIndex(smallListsOf: 40, metric: metric)
        try lists.append(vectors)
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
            scansEverything(lists, .exact, queries: 70), "a share of \(lists.lists.calibration.exactShare)")
        let isStructureless = lists.lists.calibration.exactShare > 0.6
        #expect(scansEverything(lists, .exact, queries: Kernels.tileQueries - 1) == isStructureless)
        #expect(lists.listCount > 5)
        let queries: Matrix<Float> = random.gaussianMatrix(rows: 70, columns: 40)
        let plain = try flat.search(queries, k: 10)
        let limited = (0..<queries.rows).map { q in Array(plain[q])[q % 10].distance }
        let allowed = Set((0..<6_000).filter { _ in random.uniform() < 0.4 }.map { VectorID(UInt64($0)) })
        for filter in [SearchFilter.all, .ids(allowed), .predicate { $0.rawValue % 3 == 0 }] {
            for radii in [nil, limited] {
                let expected = try flat.search(queries, k: 10, options: .init(where: filter, radii: radii))
                for (threads, mode) in [(1, SearchMode.exact), (2, .exact), (1, .recall(0.95))] {
                    let found = try lists.search(
                        queries, k: 10, options: .init(mode: mode, where: filter, threads: threads, radii: radii))
                    for q in 0..<queries.rows { expectSame(found[q], expected[q], "query \(q) \(threads) \(mode)") }
                }
            }
        }
        #expect(!lists.lists.calibration.parameters(for: 0.95, k: 10).isExact)
    }

    @Test("a batch for a recall is scanned only if its searches screen many blocks", arguments: Metric.allCases)
    func recall(metric: Metric) throws {
        var random = TestSeed().generator
        var (index, _) = try indexes(metric, &random)
        #expect(scansEverything(index, SearchParameters(pruningFactor: 0.9), queries: 500))
        #expect(!scansEverything(index, SearchParameters(pruningFactor: 0.9), queries: Kernels.tileQueries - 1))
        #expect(!scansEverything(index, SearchParameters(probes: 1), queries: 500))
        // The same measurement, for vectors whose boxes exclude much.
        let calibration = index.lists.calibration
        index = VectorIndex(smallListsOf: 40, metric: metric)
        try index.append(DataShape.clustered.matrix(rows: 6_000, dimension: 40, random: &random))
        try index.change(
            flat: { (_) throws(KinError) in },
            lists: { (file) throws(KinError) in file.calibration = calibration })
        #expect(scansEverything(index, .exact, queries: 500))
        #expect(!scansEverything(index, SearchParameters(pruningFactor: 0.3), queries: 500))
    }

    /// Whether a batch for 10 neighbours of the index's first vectors is searched by a scan of all rows.
    private func scansEverything(_ index: VectorIndex, _ parameters: SearchParameters, queries: Int) -> Bool {
        let rows = index.ids.prefix(queries).map { index.storedVector(for: $0)! }
        return index.lists.store.withView {
            index.lists.scansEverything(
                ListScan(store: $0, parameters: parameters), Matrix(rows: rows, columns: index.dimension), k: 10,
                radii: nil)
        }
    }
}
