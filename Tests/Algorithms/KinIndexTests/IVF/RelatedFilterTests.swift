import KinTestSupport
import Testing

@testable import KinIndex

/// Searches for a target recall whose answers are farther than those of the searches that measured it.
@Suite("Recall far from the query")
struct RelatedFilterTests {
    private static let dimension = 24
    private static let topics = 40
    private static let targets = [0.8, 0.9, 0.95, 0.99]

    /// Vectors around topics, and the topic of each.
    private struct Documents {
        let centres: Matrix<Float>
        var topics: [Int] = []
        var rows: [[Float]] = []

        init(_ random: inout SeededGenerator) {
            centres = random.gaussianMatrix(rows: RelatedFilterTests.topics + 1, columns: dimension)
        }

        /// Draws vectors of a topic, or of all but the last.
        mutating func draw(
            _ count: Int, topic: Int? = nil, spread: Float = 0.7, unit: Bool = false, _ random: inout SeededGenerator
        ) {
            for _ in 0..<count {
                let topic = topic ?? random.below(RelatedFilterTests.topics)
                let row = (0..<dimension).map { centres[topic, $0] + 1 + spread * Float(random.gaussian()) }
                let length = unit ? row.reduce(0) { $0 + $1 * $1 }.squareRoot() : 1
                rows.append(row.map { $0 / length })
                topics.append(topic)
            }
        }
    }

    private func matrix(_ rows: some Collection<[Float]>) -> Matrix<Float> {
        Matrix(rows: Array(rows), columns: Self.dimension)
    }

    /// The mean recall of searches at each target that it is below by more than 0.02.
    private func shortfalls(
        _ queries: Matrix<Float>, k: Int, _ options: SearchOptions, _ index: VectorIndex
    ) throws -> [Double: Double] {
        let truth = try index.search(queries, k: k, options: options)
        var short: [Double: Double] = [:]
        for target in Self.targets {
            var options = options
            options.mode = .recall(target)
            let found = try index.search(queries, k: k, options: options)
            let shares = zip(found, truth).map { found, truth in
                Double(Set(found.map(\.id)).intersection(truth.map(\.id)).count) / Double(max(1, truth.count))
            }
            let mean = shares.reduce(0, +) / Double(shares.count)
            if mean < target - 0.02 { short[target] = mean }
        }
        return short
    }

    @Test("filters, groups and large k reach the target", arguments: Metric.allCases)
    func filters(metric: Metric) throws {
        var random = TestSeed().generator
        var documents = Documents(&random)
        documents.draw(12_300, &random)
        let (rows, topics) = (documents.rows.prefix(12_000), documents.topics)
        var index = VectorIndex(
            dimension: Self.dimension, metric: metric,
            attributes: try AttributeSchema(["topic": .integer, "any": .integer]))
        let any = (0..<12_000).map { _ in Int64(random.below(100)) }
        try index.upsert(
            matrix(rows), ids: (0..<12_000).map { VectorID(UInt64($0)) },
            attributes: ["topic": .integers(topics.prefix(12_000).map { Int64($0) }), "any": .integers(any)])
        try index.calibrate(threads: 2)
        let queries = Array(zip(documents.rows, topics).dropFirst(12_000))
        let all = matrix(queries.map(\.0))
        for text in ["any < 50", "any < 10", "topic < \(Self.topics / 2)", "topic < \(Self.topics / 6)"] {
            let filter = SearchFilter.matching(try FilterExpression(parsing: text))
            for k in [1, 10, 100] {
                #expect(try shortfalls(all, k: k, .init(where: filter, threads: 2), index) == [:], "\(text), k \(k)")
            }
            let (predicate, prepared) = (try index.resolved(filter, for: .manyRows), try index.prepare(filter))
            let tested = SearchFilter.predicate { predicate.allows($0) }
            for (way, filter) in [("tested", tested), ("prepared", prepared)] {
                #expect(try shortfalls(all, k: 10, .init(where: filter, threads: 2), index) == [:], "\(text), \(way)")
            }
        }
        let others = try queries.map {
            SearchFilter.matching(try FilterExpression(parsing: "topic != \($0.1)"))
        }
        #expect(try shortfalls(all, k: 10, .init(threads: 2, filters: others), index) == [:], "others")
        for name in ["topic", "any"] {
            #expect(try shortfalls(all, k: 5, .init(threads: 2, groupBy: name), index) == [:], "by \(name)")
        }
        for k in [50, 100, 200, 1_000] {
            #expect(try shortfalls(all, k: k, .init(threads: 2), index) == [:], "k \(k)")
        }
    }

    @Test(
        "additions of a new topic keep the target", arguments: Metric.allCases,
        [(0.7, false), (0.7, true), (0.1, true)])
    func additions(metric: Metric, kind: (spread: Float, unit: Bool)) throws {
        var random = TestSeed().generator
        var documents = Documents(&random)
        documents.draw(12_000, unit: kind.unit, &random)
        var index = VectorIndex(dimension: Self.dimension, metric: metric)
        try index.append(matrix(documents.rows))
        for share in [1, 4, 9] {
            let added = 120 * share - (documents.rows.count - 12_000)
            documents.draw(added, topic: Self.topics, spread: kind.spread, unit: kind.unit, &random)
            try index.append(matrix(documents.rows.suffix(added)))
            let queries = matrix((0..<400).map { _ in documents.rows[random.below(documents.rows.count)] })
            #expect(try shortfalls(queries, k: 10, .init(threads: 2), index) == [:], "\(share) %")
        }
    }
}
