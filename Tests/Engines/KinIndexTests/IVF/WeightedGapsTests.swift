import Foundation
import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Searches that skip boxes by their weighted gaps")
struct WeightedGapsTests {
    private let folder = TemporaryFolder()

    /// An index of small lists, its vectors, and queries that are not among them.
    private struct Sample {
        var index: IVFIndex
        let queries: Matrix<Float>

        init(
            _ shape: DataShape, rows: Int = 10_500, dimension: Int = 16, metric: Metric = .squaredL2, shift: Int = 8,
            random: inout SeededGenerator
        ) throws {
            let both = shape.matrix(rows: rows + 500, dimension: dimension, random: &random)
            index = IVFIndex(smallListsOf: dimension, metric: metric, shift: shift)
            try index.append(Matrix(rows: (0..<rows).map { Array(both.row($0)) }, columns: dimension))
            queries = Matrix(rows: (rows..<rows + 500).map { Array(both.row($0)) }, columns: dimension)
        }

        /// Makes searches skip boxes by their weighted gaps, as much as recalls say that were not measured.
        mutating func pretend() {
            let (byDistance, byGaps) = (pretended(.distance), pretended(.weightedGaps))
            index.calibration = RecallCalibration(
                byDistance: byDistance, byGaps: byGaps, exactShare: 0.25, measuredCount: index.count, queries: 1_024,
                changes: 3)
        }

        private func pretended(_ rule: BoxRule) -> RuleRecall {
            let factors = rule.factors(dimension: index.dimension)
            let measures = RecallCalibration.widths.map { k in
                factors.map { RecallCalibration.Measure(recall: 1 - 0.5 * (1 - $0) / Double(k), error: 0.001) }
            }
            return RuleRecall(rule: rule, factors: factors, measures: measures)
        }

        /// The share of true neighbours that batches find.
        func recall(_ wanted: Double, k: Int, filter: SearchFilter = .all) throws -> Double {
            let truth = try index.search(queries, k: k, where: filter, threads: 2)
            let found = try index.search(queries, k: k, mode: .recall(wanted), where: filter, threads: 2)
            let shared = zip(found, truth).reduce(0) { sum, pair in
                sum + Set(pair.0.map(\.id)).intersection(pair.1.map(\.id)).count
            }
            return Double(shared) / Double(truth.reduce(0) { $0 + $1.count })
        }
    }

    @Test(
        "are chosen where neighbours lie in many boxes, and keep what is promised",
        arguments: [Metric.squaredL2, .cosine])
    func uniform(metric: Metric) throws {
        let seed = TestSeed()
        var random = seed.generator
        let sample = try Sample(.uniform, metric: metric, random: &random)
        #expect(sample.index.calibration.byGaps != nil, "\(seed): \(sample.index.calibration.exactShare)")
        for k in [1, 10, 100] {
            for wanted in [0.8, 0.95, 0.99] {
                let chance = 2.5 * (wanted * (1 - wanted) * (k == 1 ? 3 / 1_000.0 : 2 / 1_000.0)).squareRoot()
                let found = try sample.recall(wanted, k: k)
                #expect(found >= wanted - 0.01 - chance, "\(seed) k \(k)")
            }
        }
        let report = try sample.index.explain(Array(sample.queries.row(0)), k: 10, mode: .recall(0.9))
        #expect(report.plan.contains("weighted gaps"), "\(report.plan)")
        #expect(try sample.recall(1, k: 10) == 1)
    }

    @Test("are not where a query meets few boxes, or there are no gaps")
    func others() throws {
        var random = TestSeed().generator
        for shape in [DataShape.clustered, .correlated] {
            let sample = try Sample(shape, rows: 40_000, dimension: 8, random: &random)
            #expect(sample.index.calibration.byGaps == nil, "\(shape): \(sample.index.calibration.exactShare)")
        }
        let products = try Sample(.uniform, metric: .innerProduct, random: &random)
        #expect(products.index.calibration.byGaps == nil && products.index.recallReport.isMeasured)
    }

    @Test("find much under filters too, and all of few vectors")
    func filters() throws {
        let seed = TestSeed()
        var random = seed.generator
        let sample = try Sample(.uniform, random: &random)
        for share in [0.5, 0.2, 0.02] {
            var allowed = IDBitmap()
            for id in 0..<UInt64(10_500) where random.uniform() < share { allowed.insert(VectorID(id)) }
            let found = try sample.recall(0.95, k: 10, filter: .bitmap(allowed))
            #expect(found >= (share < 1 / 16.0 ? 1 : 0.93), "\(seed) share \(share)")
        }
    }

    @Test("find in a batch what they find alone, whoever is with them", arguments: [Metric.squaredL2, .cosine])
    func batches(metric: Metric) throws {
        let seed = TestSeed()
        var random = seed.generator
        let sample = try Sample(.uniform, rows: 9_000, metric: metric, shift: 9, random: &random)
        let (index, queries) = (sample.index, sample.queries)
        let truth = try index.search(queries, k: 10)
        // Within some of these radii there are fewer than ten; nothing is given up in them.
        let radii = (0..<queries.rows).map { q in q % 3 == 0 ? Array(truth[q])[q % 10].distance : .infinity }
        func search(_ queries: Matrix<Float>, radii: [Double], order: [Int], threads: Int) -> NeighborTable {
            index.store.withView {
                ListScan(store: $0, parameters: SearchParameters(gapFactor: 0.2))
                    .batch(queries, k: 10, radii: radii, order: order, threads: threads)
            }
        }
        let order = Array(0..<queries.rows)
        let all = search(queries, radii: radii, order: order, threads: 1)
        let shuffled = search(queries, radii: radii, order: order.shuffled(using: &random), threads: 3)
        for q in order {
            expectSame(shuffled[q], all[q], "\(seed) query \(q)")
            let query = try Matrix(rows: [Array(queries.row(q))])
            let alone = search(query, radii: [radii[q]], order: [0], threads: 1)
            expectSame(alone[0], all[q], "\(seed) query \(q)")
            guard radii[q] < .infinity else { continue }
            #expect(all[q].count == 1 + q % 10, "\(seed) query \(q)")
        }
    }

    @Test("reach the recall through the boxes around blocks of lists")
    func manyLists() throws {
        let seed = TestSeed()
        var random = seed.generator
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 110_000, columns: 6)
        var index = IVFIndex(smallListsOf: 6, shift: 6)
        try index.append(vectors)
        try #require(index.store.boxes?.outer != nil)
        let queries: Matrix<Float> = random.uniformMatrix(rows: 200, columns: 6)
        let truth = try index.search(queries, k: 10)
        // With the largest factor a box within the radius is never skipped, but lists are by a smaller one.
        for (factor, least) in [(0.99, 0.999), (0.3, 0.9)] {
            let found = index.store.withView {
                ListScan(store: $0, parameters: SearchParameters(gapFactor: factor))
                    .batch(queries, k: 10, radii: nil, order: Array(0..<200), threads: 2)
            }
            let shared = zip(found, truth).reduce(0) { $0 + Set($1.0.map(\.id)).intersection($1.1.map(\.id)).count }
            #expect(Double(shared) / 2_000 >= least, "\(seed) factor \(factor)")
        }
    }

    @Test("are kept by a file, of version 1.1; without them it is of version 1.0")
    func files() throws {
        let seed = TestSeed()
        var random = seed.generator
        var sample = try Sample(.uniform, rows: 3_000, random: &random)
        sample.pretend()
        let path = folder.path("a.kin")
        try sample.index.save(to: path)
        #expect(try SectionFile(mapping: path).header.kindVersion == FormatVersion(major: 1, minor: 1))
        #expect(try IVFIndex.verify(path).isIntact)
        let opened = try IVFIndex(mapping: path)
        #expect(opened.calibration == sample.index.calibration && opened.calibration.byGaps != nil)
        #expect(opened.recallReport == sample.index.recallReport)
        let found = try opened.search(sample.queries, k: 10, mode: .recall(0.9))
        #expect(try sample.index.search(sample.queries, k: 10, mode: .recall(0.9)) == found, "\(seed)")

        let products = try Sample(.uniform, rows: 300, metric: .innerProduct, random: &random)
        try products.index.save(to: folder.path("b.kin"))
        #expect(
            try SectionFile(mapping: folder.path("b.kin")).header.kindVersion == FormatVersion(major: 1, minor: 0))
    }

    @Test("are measured of a file built out of core as of an index in memory")
    func builder() throws {
        let seed = TestSeed()
        var random = seed.generator
        let vectors = DataShape.uniform.matrix(rows: 10_500, dimension: 16, random: &random)
        var whole = IVFIndex(smallListsOf: 16, shift: 8)
        try whole.append(vectors)
        #expect(whole.calibration.byGaps != nil, "\(seed)")
        try whole.save(to: folder.path("whole.kin"))
        var builder = try IVFBuilder(
            path: folder.path("built.kin"), layout: RowLayout(dimension: 16, metric: .squaredL2, chunkShift: 8),
            partition: .automatic, memory: 1 << 16, files: SystemFiles())
        try builder.append(vectors)
        _ = try builder.finish(threads: 2)
        #expect(try contents(of: folder.path("built.kin")) == contents(of: folder.path("whole.kin")), "\(seed)")
    }

    @Test("what a file says of them is refused where it cannot be, and passed over where others measured it")
    func hostile() throws {
        var random = TestSeed().generator
        var sample = try Sample(.uniform, rows: 3_000, random: &random)
        sample.pretend()
        let path = folder.path("a.kin")
        try sample.index.save(to: path)
        let good = try contents(of: path)
        let file = try unsafe SectionFile(copying: good.span.bytes)
        let section = try #require(file.section("RGAP")).section
        func opened(_ number: UInt64, at byte: Int) throws -> IVFIndex {
            var bytes = good
            bytes.replaceSubrange(section.offset + byte..<section.offset + byte + 8, with: littleEndian(number))
            return try unsafe IVFIndex(file: SectionFile(copying: bytes.span.bytes))
        }
        for value in [Double.nan, -0.1, 1.1, .infinity] {
            for byte in [16, 24] {
                expectError(.corruptFile, mentions: "RGAP") { () throws(KinError) in
                    do { _ = try opened(value.bitPattern, at: byte) } catch let error as KinError { throw error } catch
                    {}
                }
            }
        }
        for (byte, number) in [(0, UInt64(2)), (8, (0.021).bitPattern), (8, Double.nan.bitPattern)] {
            let index = try opened(number, at: byte)
            #expect(index.calibration.byGaps == nil && index.recallReport.isMeasured, "byte \(byte)")
        }
        // The metric of inner products has no gaps.
        let settings = try #require(file.section("META")).section
        var bytes = good
        bytes.replaceSubrange(settings.offset + 8..<settings.offset + 16, with: littleEndian(UInt64(1)))
        let products = bytes
        expectError(.corruptFile, mentions: "RGAP") { () throws(KinError) in
            _ = try unsafe IVFIndex(file: SectionFile(copying: products.span.bytes))
        }
    }
}
