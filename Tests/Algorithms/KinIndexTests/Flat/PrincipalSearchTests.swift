import KinTestSupport
import Testing

@testable import KinIndex

/// Searches of a flat index whose rows have codes along principal axes, compared with a scan in double precision.
@Suite("Search along principal axes")
struct PrincipalSearchTests {
    private static let rows = 4_700

    /// Rows like embeddings: their deviations shrink like 1 ∕ √j along axes that are not coordinate axes.
    private static func embeddings(dimension d: Int, offset: Double = 0, using random: inout SeededGenerator) -> Matrix<
        Float
    > {
        let deviates: Matrix<Float> = random.gaussianMatrix(rows: rows, columns: d)
        let centres: Matrix<Float> = random.gaussianMatrix(rows: 40, columns: d)
        // A reflection is orthonormal.
        var normal = (0..<d).map { _ in random.gaussian() }
        let length = normal.reduce(0) { $0 + $1 * $1 }.squareRoot()
        for j in 0..<d { normal[j] /= length }
        var made = Matrix<Float>(rows: rows, columns: d)
        for i in 0..<rows {
            let c = i % 40
            let x = (0..<d).map { Double(deviates[i, $0] + centres[c, $0]) / Double($0 + 1).squareRoot() }
            let along = zip(x, normal).reduce(0) { $0 + $1.0 * $1.1 }
            for j in 0..<d { made[i, j] = Float(x[j] - 2 * along * normal[j] + offset) }
        }
        return made
    }

    /// Searches until all chunks have codes.
    private func warm(_ index: VectorIndex, _ query: [Float]) throws {
        for _ in 0..<64 + 80 { _ = try index.search(query, k: 1) }
    }

    private func isAlongAxes(_ index: VectorIndex, _ query: [Float]) throws -> Bool {
        try index.explain(query, k: 3).plan.contains("along principal axes")
    }

    private func batch(_ query: [Float], copies: Int = 70) throws -> Matrix<Float> {
        try Matrix(rows: copies, columns: query.count, elements: (0..<copies).flatMap { _ in query })
    }

    @Test("search along principal axes equals a scan", arguments: Metric.allCases, [128, 150])
    func equalAScan(metric: Metric, dimension: Int) throws {
        var random = TestSeed().generator
        let vectors = Self.embeddings(dimension: dimension, using: &random)
        var index = VectorIndex(dimension: dimension, metric: metric, layout: .flat)
        try index.append(vectors)
        try warm(index, Array(vectors.row(0)))
        #expect(try isAlongAxes(index, Array(vectors.row(0))) == (Kernels.active.precision == .eightBits))
        let oracle = LaneOracle(vectors, metric: metric)
        for trial in 0..<4 {
            let near = vectors.row(500 + trial)
            // A row itself, a point next to it, a point near no row, and a point far from all.
            let query = near.map { $0 + Float(random.gaussian()) * [0, 0.02, 0.3, 40][trial] }
            try expectSearches(of: index, for: query, areThoseOf: oracle, "trial \(trial)")
            let wanted = oracle.ranking(of: query).prefix(12)
            let found = try index.search(batch(query), k: 12, options: .init(threads: 2))
            for q in [0, 63, 64, 69] { expectSame(Array(found[q]), wanted, "batch, trial \(trial)") }
        }
    }

    @Test("axes follow every change, and snapshots are unaffected")
    func changes() throws {
        var random = TestSeed().generator
        let d = 128
        let vectors = Self.embeddings(dimension: d, using: &random)
        var index = VectorIndex(dimension: d, layout: .flat)
        try index.append(vectors)
        try warm(index, Array(vectors.row(0)))
        let query = vectors.row(9).map { $0 + Float(random.gaussian()) * 0.05 }
        for round in 0..<4 {
            // Without a snapshot, chunks and their codes are changed in place; with one, they are copied.
            let snapshot = round % 2 == 0 ? index : nil
            let before = try index.search(query, k: 20)
            for neighbor in before.prefix(4) {
                try index.upsert((0..<d).map { _ in Float(random.gaussian()) * 3 }, id: neighbor.id)
            }
            for neighbor in before.suffix(4) { index.remove(neighbor.id) }
            // Changes a few rows, or enough to recode a chunk.
            for i in 0..<(round < 2 ? 3 : 200) {
                let moved = query.map { $0 + Float(random.gaussian()) * (0.02 + 0.01 * Float(i)) }
                try index.upsert(moved, id: VectorID(UInt64(20 * i + round)))
            }
            try index.upsert(query, id: VectorID(UInt64(1_000_000 + round)))
            let plain = try VectorIndex(loading: index)
            let wanted = try plain.search(query, k: 20)
            expectSame(try index.search(query, k: 20), wanted, "round \(round)")
            expectSame(Array(try index.search(batch(query), k: 20)[69]), wanted, "batch of round \(round)")
            if let snapshot {
                expectSame(try snapshot.search(query, k: 20), before, "snapshot of round \(round)")
            }
            try warm(index, query)
        }
    }

    @Test(
        "search stays exact for outlying, offset and equal rows and any query",
        arguments: Metric.allCases)
    func adversarial(metric: Metric) throws {
        var random = TestSeed().generator
        let d = 128
        var vectors = Self.embeddings(dimension: d, offset: 300, using: &random)
        for j in 0..<d {
            for i in 0..<12 {
                vectors[391 * i, j] *= i % 2 == 0 ? 1e6 : 1e-6
                vectors[391 * i + 1, j] = vectors[391 * i + 2, j]
            }
        }
        var index = VectorIndex(dimension: d, metric: metric, layout: .flat)
        try index.append(vectors)
        try warm(index, Array(vectors.row(7)))
        let oracle = LaneOracle(vectors, metric: metric)
        for row in [7, 391, 392, 782] {
            for factor: Float in [1, -1, 1e-12, 1e9] {
                let query = vectors.row(row).map { $0 * factor }
                expectSame(
                    try index.search(query, k: 9), oracle.ranking(of: query).prefix(9),
                    "row \(row) times \(factor)")
            }
        }
        #expect(try index.search([Float](repeating: 1, count: d), k: 300).count == 300)
    }

    @Test("isotropic rows get no axes")
    func isotropic() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: Self.rows, columns: 128)
        var index = VectorIndex(dimension: 128, layout: .flat)
        try index.append(vectors)
        try warm(index, Array(vectors.row(0)))
        #expect(try !isAlongAxes(index, Array(vectors.row(0))))
    }

    @Test(
        "removed rows are wiped from the principal codes", .enabled(if: Kernels.active.precision == .eightBits))
    func erased() throws {
        var random = TestSeed().generator
        let vectors = Self.embeddings(dimension: 128, using: &random)
        var index = VectorIndex(dimension: 128, layout: .flat)
        try index.append(vectors)
        try warm(index, Array(vectors.row(0)))
        let last = index.flat.store.chunks.count - 1
        let codes = try #require(index.flat.store.chunks[last].principalCodes)
        func bytes(_ row: Int) -> [UInt8] {
            (0..<codes.axes.count).map { j in
                unsafe codes.codes[codeOffset(row: row, group: j / 4, groups: codes.axes.count / 4) + j % 4]
            }
        }
        let row = index.flat.store.chunks[last].count - 1
        #expect(bytes(row).contains { $0 != 0 } && bytes(0).contains { $0 != 0 })
        index.remove(VectorID(UInt64(Self.rows - 1)))
        #expect(bytes(row).allSatisfy { $0 == 0 })
        try index.upsert(
            [Float](repeating: 1, count: 128), id: index.flat.store.id(at: last << index.flat.store.layout.chunkShift))
        #expect(bytes(0).allSatisfy { $0 == 0 })
        #expect(index.flat.store.chunks[last].principalCodes === codes)
    }

    @Test("concurrent searches that create axes and codes equal a scan")
    func concurrent() async throws {
        var random = TestSeed().generator
        let vectors = Self.embeddings(dimension: 128, using: &random)
        try await expectSearchesAtOnce(among: vectors, near: (0..<12).map { 100 * $0 }, rounds: 8)
    }
}

extension VectorIndex {
    /// The same vectors in an index that was never searched.
    fileprivate init(loading other: VectorIndex) throws {
        self.init(dimension: other.dimension, metric: other.metric)
        for id in other.ids { try upsert(#require(try other.vector(for: id)), id: id) }
    }
}
