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
