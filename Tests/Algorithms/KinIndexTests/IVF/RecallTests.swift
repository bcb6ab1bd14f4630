import Foundation
import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Recall calibration")
struct RecallTests {
    @Test(
        "the requested recall is reached on unseen queries",
        arguments: [
            DataShape.uniform, .correlated, .clustered, .sparse, .bits, .heavyTails, .manyDuplicates,
        ], Metric.allCases)
    func promise(shape: DataShape, metric: Metric) throws {
        var random = TestSeed().generator
        let both = shape.matrix(rows: 10_600, dimension: 16, random: &random)
        let vectors = Matrix(rows: (0..<10_200).map { Array(both.row($0)) }, columns: 16)
        let queries = Matrix(rows: (10_200..<10_600).map { Array(both.row($0)) }, columns: 16)
        let partition: IndexLayout = shape == .clustered ? .centroids(25) : .lists
        var index = VectorIndex(smallListsOf: 16, metric: metric, partition: partition)
        try index.append(vectors)
        for k in [1, 2, 5, 10, 30, 100] {
            let truth = try index.search(queries, k: k)
            var before = 0.0
            for wanted in [0.8, 0.95, 0.99] {
                let found = try index.search(queries, k: k, options: .init(mode: .recall(wanted)))
                let recall = RecallTrial.recall(of: found.map { $0.map(\.id) }, against: truth.map { $0.map(\.id) })
                // The mean over these queries varies by chance, and so does the mean over the calibration's.
                let measured = Double(RecallCalibration.queriesPerWidth[k == 1 ? 0 : k <= 10 ? 1 : 2])
                let chance = recall.error * (1 + Double(queries.rows) / measured).squareRoot()
                #expect(recall.mean >= wanted - 3.5 * chance, "k \(k)")
                #expect(recall.mean >= before, "k \(k)")
                before = recall.mean
            }
            #expect(try index.search(queries, k: k, options: .init(mode: .recall(1))) == truth)
        }
    }

    @Test("recall is measured by searches for k vectors other than the query", arguments: Metric.allCases)
    func others(metric: Metric) throws {
        var random = TestSeed().generator
        let vectors = DataShape.sparse.matrix(rows: 2_000, dimension: 32, random: &random)
        var index = VectorIndex(smallListsOf: 32, metric: metric, shift: 8)
        try index.append(vectors)
        let probe = RecallProbe(
            index: index.lists, image: nil, queries: vectors.rows, work: LongWork(of: vectors.rows))
        for k in [1, 10] {
            let measured = try probe.measure(k: k, threads: 1)
            let factor = 0.5
            let shares = (0..<vectors.rows).map { row in
                func search(_ parameters: SearchParameters) -> Set<VectorID> {
                    let others = SearchFilter.predicate { $0 != VectorID(UInt64(row)) }
                    return Set(
                        index.lists.search(
                            Array(vectors.row(row)), k: k, within: .infinity, by: parameters, .traversal(others)
                        ).map(\.id))
                }
                let found = search(SearchParameters(pruningFactor: factor))
                return Double(found.intersection(search(.exact)).count) / Double(k)
            }
            let expected = RecallCalibration.Measure(shares).recall
            let i = try #require(MeasuredRecall.factors.firstIndex(of: factor))
            // The measurement searches no more once a smaller factor has found everything.
            #expect(abs(measured[i].recall - expected) < 0.005, "k \(k): \(measured[i].recall), \(expected)")
        }
    }

    private func recall(_ found: NeighborTable, of truth: NeighborTable) -> Double {
        var shared = 0
        var all = 0
        for (a, b) in zip(found, truth) {
            shared += Set(a.map(\.id)).intersection(b.map(\.id)).count
            all += b.count
        }
        return Double(shared) / Double(all)
    }

    @Test("few probes find most neighbours by inner product", arguments: [16, 64, 200], [false, true])
    func probesByProduct(dimension: Int, hasSpreadNorms: Bool) throws {
        var random = TestSeed().generator
        let centres: Matrix<Float> = random.gaussianMatrix(rows: 60, columns: dimension)
        var rows = (0..<6_200).map { i in
            let stretch = hasSpreadNorms ? Float(exp(0.5 * random.gaussian())) : 1
            return (0..<dimension).map { stretch * (centres[i % 60, $0] + 0.3 * Float(random.gaussian())) }
        }
        let queries = Matrix(rows: Array(rows.suffix(200)), columns: dimension)
        rows.removeLast(200)
        var index = VectorIndex(smallListsOf: dimension, metric: .innerProduct, shift: 7)
        try index.append(Matrix(rows: rows, columns: dimension))
        let truth = try index.search(queries, k: 10)
        let found = try index.search(queries, k: 10, options: .init(mode: .probes(index.listCount / 10)))
        #expect(recall(found, of: truth) > 0.8, "\(recall(found, of: truth))")
        let most = SearchOptions(mode: .probes(index.listCount))
        #expect(try index.search(queries, k: 10, options: most) == truth)
    }

    @Test("a higher requested recall never visits fewer lists")
    func monotone() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 6)
        try index.append(random.gaussianMatrix(rows: 11_000, columns: 6))
        let recall = try #require(index.lists.calibration.recall)
        #expect(
            recall.measures.count == RecallCalibration.widths.count
                && index.lists.calibration.queries == RecallCalibration.queriesPerWidth[0])
        for k in [1, 3, 10, 50, 100, 1_000] {
            let pruningFactors = stride(from: 0.05, through: 1, by: 0.05).map {
                recall.pruningFactor(for: min($0, 1), k: k)
            }
            #expect(
                zip(pruningFactors, pruningFactors.dropFirst()).allSatisfy { $0 <= $1 },
                "k \(k): \(pruningFactors)")
            #expect(pruningFactors.allSatisfy { $0 > 0 && $0 <= 1 } && pruningFactors.last == 1)
        }
        let query = [Float](repeating: 0.1, count: 6)
        let visited = try [0.5, 0.8, 0.95, 1].map {
            try index.explain(query, k: 10, options: .init(mode: .recall($0))).lists!.visited
        }
        #expect(zip(visited, visited.dropFirst()).allSatisfy { $0 <= $1 }, "\(visited)")
    }

    @Test("a small index is searched exactly in every mode except probes")
    func small() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 4)
        try index.append(random.gaussianMatrix(rows: 5_000, columns: 4))
        let query: [Float] = [0, 0.1, 0.2, 0]
        #expect(
            try index.search(query, k: 10, options: .init(mode: .recall(0.1))) == index.search(query, k: 10))
    }

    @Test("more probes find more, and probing every list is exact")
    func probes() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 6_000, columns: 6)
        var index = VectorIndex(smallListsOf: 6)
        try index.append(vectors)
        let queries: Matrix<Float> = random.gaussianMatrix(rows: 60, columns: 6)
        let truth = try index.search(queries, k: 10)
        let recalls = try [1, 3, index.listCount].map {
            recall(try index.search(queries, k: 10, options: .init(mode: .probes($0))), of: truth)
        }
        #expect(recalls[0] < recalls[1] && recalls[1] <= recalls[2] && recalls[2] == 1, "\(recalls)")
    }

    @Test("under the inner product, an outdated measurement is not used", arguments: Metric.allCases)
    func outdated(metric: Metric) throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 16, metric: metric)
        try index.append(random.gaussianMatrix(rows: 10_500, columns: 16))
        let isPruned = { try !index.lists.parameters(for: .recall(0.8), k: 10).isExact }
        #expect(try isPruned())
        let shifted: Matrix<Float> = random.gaussianMatrix(rows: 1_051, columns: 16)
        try index.append(Matrix(rows: 1_051, columns: 16, elements: shifted.elements.map { $0 / 2 + 6 }))
        #expect(try isPruned() == (metric != .innerProduct))
        try index.calibrate(threads: 2)
        #expect(try isPruned())
    }

    @Test("only a rebuilding load or an explicit request measures recall")
    func drift() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 4)
        try index.append(DataShape.clustered.matrix(rows: 10_500, dimension: 4, random: &random))
        let first = index.lists.calibration
        try index.append(random.uniformMatrix(rows: 1_000, columns: 4))
        #expect(index.lists.calibration.recall == first.recall, "a tenth of new data does not count yet")
        try index.append(random.uniformMatrix(rows: 2_500, columns: 4))
        for i in 0..<200 { try index.upsert((0..<4).map { _ in Float(random.uniform()) }, id: VectorID(UInt64(i))) }
        index.remove((200..<300).map { VectorID(UInt64($0)) })
        #expect(index.lists.calibration.recall == first.recall && index.recallReport.changes == 3_800)
        try index.calibrate(threads: 2)
        #expect(index.lists.calibration.measuredCount == 13_900 && index.lists.calibration.recall != first.recall)
        #expect(index.recallReport.changes == 0)
        try index.append(random.uniformMatrix(rows: 14_000, columns: 4))
        #expect(index.lists.calibration.measuredCount == 27_900)
        #expect(throws: KinError.self) { try index.calibrate(threads: 0) }
    }

    @Test("an index grown one by one is searched exactly until it is calibrated")
    func grown() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 2)
        for id in 0..<10_100 { try index.upsert([Float(random.uniform()), 0.5], id: VectorID(UInt64(id))) }
        #expect(!index.recallReport.isMeasured)
        #expect(
            try index.search([0.3, 0.2], k: 10, options: .init(mode: .recall(0.5)))
                == index.search([0.3, 0.2], k: 10))
        try index.calibrate()
        #expect(index.recallReport.isMeasured && index.recallReport.vectors == 10_100)
    }
}
