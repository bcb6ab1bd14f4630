import KinCore
import KinTestSupport
import Testing

@testable import KinLinearAlgebra

/// The bound by four-bit codes, apart from kernels and indexes.
@Suite("The four-bit screen never loses a row")
struct NibbleQueryTests {
    static let scenes = QueryBoundTests.scenes

    @Test("for each metric, with cells of other rows too", arguments: scenes, Metric.allCases)
    func certified(scene: QueryBoundTests.Scene, metric: Metric) throws {
        let seed = TestSeed()
        var random = seed.generator
        for dimension in [8, 9, 16, 32] {
            for trial in 0..<6 {
                // Every other time some dimensions have few values, so that cells are empty or hold a single code.
                let rows: Matrix<Float> = random.matrix(rows: 64, columns: dimension) {
                    let x = $0.gaussian()
                    return scene.offset + scene.spread * (trial % 2 == 0 ? x : x.rounded())
                }
                let coded = try CodedRows(rows: rows, metric: metric)
                let fitted = trial < 3 ? 0..<64 : 0..<4
                let query = (0..<dimension).map { _ in
                    Float(scene.offset + scene.spread * random.gaussian() + scene.push * random.gaussian())
                }
                check(query, coded, cells: fitted, note: "\(seed) dimension \(dimension) trial \(trial)")
            }
        }
    }

    /// A row beyond the grid has the code of the grid's edge, from which a query beside the row may be far.
    @Test("rows beyond the grid, on either side, with queries beside them", arguments: Metric.allCases)
    func beyondTheGrid(metric: Metric) throws {
        let seed = TestSeed()
        var random = seed.generator
        for dimension in [8, 9, 16, 32] {
            let rows: Matrix<Float> = random.matrix(rows: 64, columns: dimension) { $0.gaussian() }
            let coded = try CodedRows(rows: rows, metric: metric, margin: 0.3)
            #expect(coded.codes.contains { $0[..<dimension].contains(1) && $0[..<dimension].contains(255) }, "\(seed)")
            for r in 0..<8 {
                let query = rows.row(r).map { $0 + 1e-3 * Float(random.gaussian()) }
                check(query, coded, cells: 0..<64, note: "\(seed) dimension \(dimension) beside row \(r)")
            }
        }
    }

    /// For every row: asks for the limit at its very distance, in descending and in ascending order of distances, and holds the sum of its
    /// terms against it.
    private func check(_ query: [Float], _ coded: CodedRows, cells fitted: Range<Int>, note: String) {
        let (metric, dimension) = (coded.metric, query.count)
        let groups = (dimension + 3) / 4
        var bytes = [UInt8](repeating: 0, count: 64 * 4 * groups)
        for (r, row) in coded.codes.enumerated() {
            for (j, u) in row.enumerated() {
                bytes[codeOffset(row: r, group: j / 4, groups: groups) + j % 4] = UInt8(u)
            }
        }
        var histogram = CodeHistogram(dimension: dimension)
        unsafe histogram.add(rows: fitted, codes: bytes, groups: groups)
        let cells = NibbleCells(fitting: histogram, grid: coded.grid)
        var nibbles = [UInt8](repeating: 0, count: 64 * cells.pairs)
        unsafe cells.encode(rows: 0..<64, codes: bytes, groups: groups, into: &nibbles)

        let distances = (0..<64).map {
            NearestNeighborOracle.distance(metric, coded.rows.row($0).map(Double.init), query.map(Double.init))
        }
        let descending = (0..<64).sorted { distances[$0] > distances[$1] }
        unsafe query.withUnsafeBufferPointer { query in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: NibbleQuery.terms(dimension: dimension)) {
                let table = $0.baseAddress!
                var bound = unsafe NibbleQuery(query.baseAddress!, dimension: dimension, metric: metric, table: table)
                for r in descending + descending.reversed() {
                    let limit = bound.limit(distance: distances[r], cells: cells, errors: coded.errors)
                    let sum = (0..<2 * cells.pairs).reduce(0) { sum, j in
                        let byte = nibbles[j / 2 * 64 + r]
                        return unsafe sum + Int(table[16 * j + Int(j % 2 == 0 ? byte & 15 : byte >> 4)])
                    }
                    #expect(limit != nil && sum <= Int(limit ?? 0), "\(metric) \(note) row \(r)")
                }
            }
        }
    }

    @Test("cells hold equal shares of the rows, and a crowded code is alone in its cell")
    func cellsFit() {
        // Codes of two groups: spread evenly, crowded at 100, all one value, at both ends.
        let rows = 6_400
        var bytes = [UInt8](repeating: 1, count: rows * 8)
        var random = TestSeed().generator
        for r in 0..<rows {
            let codes = [
                1 + random.below(255), random.below(10) == 0 ? 1 + random.below(255) : 100, 7, r % 2 == 0 ? 1 : 255,
            ]
            for (j, u) in codes.enumerated() { bytes[codeOffset(row: r, group: 0, groups: 2) + j] = UInt8(u) }
        }
        var histogram = CodeHistogram(dimension: 8)
        unsafe histogram.add(rows: 0..<rows, codes: bytes, groups: 2)
        let grid = CodeGrid(offsets: [Double](repeating: 0, count: 8), scale: 1)
        let cells = NibbleCells(fitting: histogram, grid: grid)
        for c in 0..<16 { #expect(abs(Int(cells.starts[c]) - 16 * c) <= 4, "cell \(c)") }
        let crowded = cells.starts[16..<32].firstIndex(of: 100)
        #expect(crowded.map { cells.starts[$0 + 1] } == 101)
        for j in 0..<8 {
            let starts = cells.starts[16 * j..<16 * (j + 1)]
            #expect(starts.first == 0 && starts.dropFirst().allSatisfy { (2...255).contains($0) })
            #expect(zip(starts, starts.dropFirst()).allSatisfy(<=))
        }
        #expect(cells.meanSquaredWidth(of: histogram) > 1)
    }
}
