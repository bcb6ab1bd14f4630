import KinIndex
import KinTestSupport
import Testing

/// Data designed to break a screen by codes: each case must give the result of a scan, bit for bit.
@Suite("Flat search on adversarial data")
struct FlatIndexAdversarialTests {
    private static let n = 2_000

    /// A rule for each number of each row.
    struct Recipe: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let value: @Sendable (inout SeededGenerator, _ row: Int, _ column: Int) -> Float

        init(_ name: String, _ value: @escaping @Sendable (inout SeededGenerator, Int, Int) -> Float) {
            testDescription = name
            self.value = value
        }
    }

    static let recipes: [Recipe] = [
        Recipe("constant") { _, _, _ in 0.25 },
        Recipe("all zero but one row") { _, row, _ in row == 1_234 ? 1 : 0 },
        Recipe("huge range") { random, _, _ in Float(random.gaussian()) * (Float.greatestFiniteMagnitude / 64) },
        Recipe("the whole range of floats") { random, _, _ in
            Float(sign: random.below(2) == 0 ? .plus : .minus, exponent: random.below(250) - 125, significand: 1)
        },
        Recipe("largest floats of both signs") { random, _, _ in
            random.below(2) == 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude
        },
        Recipe("denormals") { random, _, _ in Float.leastNonzeroMagnitude * Float(random.below(100)) },
        Recipe("one outlier") { random, row, _ in row == 77 ? 1e30 : Float(random.uniform()) },
        Recipe("outliers in 1 of 300 rows") { random, row, _ in row % 300 == 7 ? -1e12 : Float(random.uniform()) },
        Recipe("outliers in 1 of 20 rows") { random, row, _ in row % 20 == 7 ? 1e12 : Float(random.uniform()) },
        Recipe("heavy tails") { random, _, _ in Float(1 / (random.uniform() - 0.5)) },
        Recipe("a large offset") { random, _, _ in 1e8 + Float(random.below(64)) * 8 },
        Recipe("two far balls") { random, row, _ in
            (row % 2 == 0 ? 0 : 1_000) + Float(random.gaussian()) * 1e-3
        },
        Recipe("duplicates") { _, row, column in Float((row % 5) * (column + 1)) },
        Recipe("one dimension swamps the others") { random, _, column in
            Float(random.uniform()) * (column == 3 ? 1e7 : 1)
        },
        Recipe("in order of distance, far ones first") { _, row, _ in Float(2_000 - row) },
        Recipe("half steps of the grid") { random, _, _ in Float(random.below(509)) / 2 },
    ]

    /// In more than 16 dimensions, the rows of a batch that pass the screen are compared later.
    @Test("flat search equals a scan for every metric, query and batch", arguments: recipes, Metric.allCases)
    func matchesScan(recipe: Recipe, metric: Metric) throws {
        for dimension in [16, 23] { try matchesScan(recipe: recipe, metric: metric, dimension: dimension) }
    }

    private func matchesScan(recipe: Recipe, metric: Metric, dimension: Int) throws {
        var random = TestSeed().generator
        var vectors = Matrix<Float>(rows: Self.n, columns: dimension)
        for i in 0..<Self.n {
            for j in 0..<dimension { vectors[i, j] = recipe.value(&random, i, j) }
            // Cosine takes no zero vectors; one more number preserves every recipe's shape.
            if metric == .cosine, vectors.row(i).allSatisfy({ $0 == 0 }) { vectors[i, 0] = .leastNonzeroMagnitude }
        }
        var index = VectorIndex(dimension: dimension, metric: metric, layout: .flat)
        try index.append(vectors)
        let oracle = LaneOracle(vectors, metric: metric)
        let queries = queries(for: vectors, metric: metric, random: &random)
        let rankings = queries.map { oracle.ranking(of: $0) }
        for (query, expected) in zip(queries, rankings) {
            for k in [1, 10, 200] {
                expectSame(try index.search(query, k: k), expected.prefix(k), "k \(k)")
            }
            let radius = expected[20].distance
            let within = expected.filter { $0.distance <= radius }
            expectSame(try index.rangeSearch(query, radius: radius), within)
        }
        let batch = try Matrix(rows: queries), radii = rankings.map { $0[20].distance }
        for k in [1, 10, 256, 300] {
            let note = "dimension \(dimension), batch, k \(k)"
            let found = try index.search(batch, k: k, options: .init(threads: 2))
            let within = try index.search(batch, k: k, options: .init(radii: radii))
            let odd = try index.search(batch, k: k, options: .init(where: .predicate { $0.rawValue % 2 == 1 }))
            for (q, expected) in rankings.enumerated() {
                expectSame(found[q], expected.prefix(k), note)
                expectSame(within[q], expected.filter { $0.distance <= radii[q] }.prefix(k), note)
                expectSame(odd[q], expected.filter { $0.id.rawValue % 2 == 1 }.prefix(k), note)
            }
        }
    }

    /// Rows themselves, points between rows, and points outside the data at small, large and very large distances.
    private func queries(
        for vectors: Matrix<Float>, metric: Metric, random: inout SeededGenerator
    ) -> [[Float]] {
        var queries: [[Float]] = [0, 77, Self.n - 1].map { Array(vectors.row($0)) }
        queries.append(zip(vectors.row(1), vectors.row(2)).map { $0 / 2 + $1 / 2 })
        let base = Array(vectors.row(random.below(Self.n)))
        for radius: Float in [1e-6, 1, 1e4, 1e20] {
            queries.append(base.map { min(max($0 + radius * Float(random.gaussian()), -3e38), 3e38) })
        }
        queries.append(Array(repeating: .leastNonzeroMagnitude, count: vectors.columns))
        return queries.filter { metric != .cosine || $0.contains { $0 != 0 } }
    }

    @Test("flat search equals a scan for rows added one by one, ever farther out", arguments: Metric.allCases)
    func growing(metric: Metric) throws {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: 4, metric: metric, layout: .flat)
        var rows: [[Float]] = []
        for i in 0..<2_000 {
            let radius = Float(i + 1) * Float(i + 1)
            rows.append((0..<4).map { _ in radius * Float(random.gaussian()) })
            try index.upsert(rows[i], id: VectorID(UInt64(i)))
        }
        let oracle = try LaneOracle(Matrix(rows: rows), metric: metric)
        for q in stride(from: 0, to: 2_000, by: 100) {
            expectSame(try index.search(rows[q], k: 15), oracle.ranking(of: rows[q]).prefix(15))
        }
    }
}
