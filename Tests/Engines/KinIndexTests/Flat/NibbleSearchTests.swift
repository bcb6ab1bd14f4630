import KinCore
import KinLinearAlgebra
import KinTestSupport
import Testing

@testable import KinIndex

/// Single queries of a flat index that has four-bit codes, beside a scan in double precision.
@Suite("Searches by four-bit codes")
struct NibbleSearchTests {
    private static let rows = 66_000

    /// Scans after which all chunks have four-bit codes.
    private static let warmUp = 90

    private func warmed(_ index: FlatIndex, _ query: [Float]) throws {
        for _ in 0..<Self.warmUp { _ = try index.search(query, k: 1) }
        #expect(try index.explain(query, k: 3).plan.contains("by four bits"))
    }

    private static func crowds(dimension: Int, using random: inout SeededGenerator) -> Matrix<Float> {
        let centres: Matrix<Float> = random.uniformMatrix(rows: 40, columns: dimension)
        var row = 0
        var column = 0
        return random.matrix(rows: rows, columns: dimension) { random in
            if column == dimension { (row, column) = (random.below(40), 0) }
            defer { column += 1 }
            return Double(centres[row, column]) + 0.02 * random.gaussian()
        }
    }

    @Test("find what a scan finds", arguments: Metric.allCases, [8, 16, 19])
    func equalAScan(metric: Metric, dimension: Int) throws {
        let seed = TestSeed()
        var random = seed.generator
        let vectors =
            dimension == 16
            ? Self.crowds(dimension: 16, using: &random)
            : random.uniformMatrix(rows: Self.rows, columns: dimension)
        var index = FlatIndex(dimension: dimension, metric: metric)
        try index.append(vectors)
        try warmed(index, Array(vectors.row(0)))
        let oracle = LaneOracle(vectors, metric: metric)
        for trial in 0..<3 {
            let near = Array(vectors.row(500))
            // Among the vectors, between them, and far from all.
            let query = (0..<dimension).map { j in
                trial == 0 ? near[j] : Float(random.uniform()) * (trial == 2 ? 50 : 1) + 0.01
            }
            try expectSearches(of: index, for: query, areThoseOf: oracle, "\(seed) trial \(trial)")
        }
    }

    @Test("follow every change, also to another grid, and leave snapshots alone")
    func changes() throws {
        let seed = TestSeed()
        var random = seed.generator
        let vectors: Matrix<Float> = random.uniformMatrix(rows: Self.rows, columns: 16)
        var index = FlatIndex(dimension: 16)
        try index.append(vectors)
        try warmed(index, Array(vectors.row(0)))
        let query = (0..<16).map { _ in Float(random.uniform()) }
        for round in 0..<4 {
            // Without a snapshot chunks and their codes are changed in place, beside one they are copied.
            let snapshot = round % 2 == 0 ? index : nil
            let before = try index.search(query, k: 20)
            // Over the nearest rows, near the query, and, in the last rounds, by the hundred far outside the grid.
            for neighbor in before.prefix(5) {
                try index.upsert((0..<16).map { _ in Float(random.uniform()) }, id: neighbor.id)
            }
            for neighbor in before.suffix(5) { index.remove(neighbor.id) }
            // They lie in the second chunk, the first that is screened by four bits, were far from the query, and the near ones come once the
            // grid has changed.
            for i in (0..<(round < 2 ? 3 : 300)).reversed() {
                let moved = query.map { $0 + Float(random.gaussian()) * 0.01 * (round < 2 ? 1 : Float(1 + i)) }
                try index.upsert(moved, id: VectorID(UInt64(9_000 + 400 * round + i)))
            }
            try index.upsert(query, id: VectorID(UInt64(1_000_000 + round)))
            for threads in [1, 2] {
                let found = try index.search(query, k: 20, threads: threads)
                let wanted = try index.search(Matrix(rows: 2, columns: 16, elements: query + query), k: 20)
                expectSame(found, Array(wanted[0]), "\(seed) round \(round)")
                guard let snapshot else { continue }
                expectSame(try snapshot.search(query, k: 20), before, "\(seed) snapshot of round \(round)")
            }
            try warmed(index, query)
        }
    }

    @Test("searches on several threads that make four-bit codes at the same time find what a scan finds")
    func concurrent() async throws {
        let seed = TestSeed()
        var random = seed.generator
        let vectors = Self.crowds(dimension: 16, using: &random)
        // Together they scan each chunk as often as four-bit codes take.
        let rows = (0..<10).map { 6_500 * $0 }
        let index = try await expectSearchesAtOnce(among: vectors, near: rows, rounds: 4, "\(seed)")
        #expect(try index.explain(Array(vectors.row(0)), k: 3).plan.contains("by four bits"))
    }

    @Test("rows that all pass are screened by eight bits again")
    func giveWay() throws {
        var random = TestSeed().generator
        // Two far rows stretch the grid over all others, which then lie in a few cells.
        var elements = (0..<Self.rows * 16).map { _ in Float(random.gaussian()) }
        for i in 0..<Self.rows / 8_192 + 1 { elements[i * 8_192 * 16] = i % 2 == 0 ? 4e2 : -4e2 }
        let vectors = try Matrix<Float>(rows: Self.rows, columns: 16, elements: elements)
        var index = FlatIndex(dimension: 16)
        try index.append(vectors)
        let query = Array(vectors.row(77))
        for _ in 0..<Self.warmUp { _ = try index.search(query, k: 3) }
        expectSame(
            try index.search(query, k: 12),
            LaneOracle(vectors, metric: .squaredL2).ranking(of: query).prefix(12), "far rows")
    }
}
