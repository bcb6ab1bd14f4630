import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Reports on an inverted-file index")
struct IVFReportTests {
    @Test(
        "reported list sizes, blocks and radii match the vectors", arguments: [IndexLayout.medianSplits, .centroids(9)])
    func lists(partition: IndexLayout) throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.uniformMatrix(rows: 1_500, columns: 3, in: -2...2)
        var index = VectorIndex(smallListsOf: 3, partition: partition)
        try index.append(vectors)
        let report = try #require(index.listReport)
        #expect(report.partition == (partition == .medianSplits ? "median splits" : "k-means lists"))
        #expect(report.sizes.count == index.listCount && report.sizes.reduce(0, +) == 1_500)
        #expect(report.blocks == report.sizes.reduce(0) { $0 + ($1 + 63) / 64 })
        #expect(report.radii.count == report.sizes.count { $0 > 0 })
        // Half the diagonal of the box around all vectors, computed from the vectors. In a rotated frame the box is
        // different.
        if !report.isRotated {
            let widths = (0..<3).map { j in
                let column = (0..<1_500).map { Double(vectors[$0, j]) }
                return column.max()! - column.min()!
            }
            let expected = widths.reduce(0) { $0 + $1 * $1 }.squareRoot() / 2
            #expect(abs(try #require(report.radius) - expected) < 1e-9)
        }
        let radius = try #require(report.radius)
        #expect(report.radii.allSatisfy { $0 > 0 && $0 < radius })
    }

    @Test("an empty index has one empty list and no radius")
    func empty() throws {
        #expect(VectorIndex(dimension: 4, layout: .flat).listReport == nil)
        let report = try #require(VectorIndex(dimension: 4).listReport)
        #expect(report.sizes == [0] && report.radii.isEmpty && report.radius == nil)
        let recall = VectorIndex(dimension: 4).recallReport
        #expect(!recall.isMeasured && recall.queries == 0)
        #expect(VectorIndex(dimension: 4).measuredRecall(asking: 0.9, k: 10) == nil)
    }

    @Test("reported recall is between neighbouring measurements and at most 1 % below the request")
    func recall() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 4)
        try index.append(random.gaussianMatrix(rows: 10_100, columns: 4))
        let report = index.recallReport
        #expect(report.isMeasured && report.vectors == 10_100)
        #expect(report.queries == RecallCalibration.queriesPerWidth[0] && report.changes == 0)
        #expect(report.rows.map(\.k) == [1, 1, 1, 1, 10, 10, 10, 10, 100, 100, 100, 100])
        let recall = try #require(index.lists.calibration.recall)
        for row in report.rows {
            #expect(row.measured >= row.asked - 0.01 && row.measured <= 1, "\(row)")
            let measures =
                recall.measures[RecallCalibration.widths.firstIndex(of: row.k)!] + [
                    .init(recall: 1, error: 0)
                ]
            let settings = MeasuredRecall.factors + [1]
            let next = try #require(settings.firstIndex { $0 >= row.pruningFactor })
            let sides = [measures[max(0, next - 1)].recall, measures[next].recall].sorted()
            #expect(sides[0] - 1e-12 <= row.measured && row.measured <= sides[1] + 1e-12, "\(row)")
            #expect(index.measuredRecall(asking: row.asked, k: row.k) == row)
        }
        // Between two measured widths the report gives the lower recall of both, at the setting that the search uses.
        let between = try #require(index.measuredRecall(asking: 0.9, k: 30))
        #expect(between.pruningFactor == recall.pruningFactor(for: 0.9, k: 30))
        #expect(between.measured >= 0.89)
        #expect(index.measuredRecall(asking: 1, k: 10)?.measured == 1)
        index.remove(VectorID(5))
        #expect(index.recallReport.changes == 1)
    }
}
