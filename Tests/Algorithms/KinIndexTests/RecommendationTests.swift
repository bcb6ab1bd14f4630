import KinTestSupport
import Testing

@testable import KinIndex

/// A naive recommendation: chooses items one by one among all vectors and recomputes everything each time.
private struct NaiveRecommendation {
    let oracle: LaneOracle
    let vectors: [VectorID: [Float]]
    let category: (VectorID) -> String?

    init(_ matrix: Matrix<Float>, ids: [VectorID], metric: Metric, category: @escaping (VectorID) -> String?) {
        oracle = LaneOracle(matrix, ids: ids, metric: metric)
        vectors = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, Array(matrix.row($0))) })
        self.category = category
    }

    private func distances(_ query: [Float]) -> [VectorID: Double] {
        Dictionary(uniqueKeysWithValues: oracle.ranking(of: query).map { ($0.id, $0.distance) })
    }

    private func distances(_ example: Recommendation.Example) -> [VectorID: Double] {
        switch example {
        case .id(let id): distances(vectors[id] ?? [])
        case .vector(let vector): distances(vector)
        }
    }

    func list(_ wanted: Recommendation, k: Int, where allowed: (VectorID) -> Bool) -> [Neighbor] {
        let sides = [(wanted.positive, 1), (wanted.negative, -wanted.negativeWeight)]
        var scores = vectors.mapValues { _ in 0.0 }
        for (examples, weight) in sides {
            for example in examples {
                for (id, distance) in distances(example) { scores[id]! += weight / Double(examples.count) * distance }
            }
        }
        let examples = Set(sides.flatMap(\.0).compactMap { if case .id(let id) = $0 { id } else { nil } })
        var left = vectors.keys.filter { allowed($0) && !examples.contains($0) && !wanted.excluded.contains($0) }
        var nearest: [VectorID: Double] = [:]
        var taken: [Neighbor] = []
        var counts: [String: Int] = [:]
        while taken.count < k {
            left.removeAll { id in
                category(id).map { counts[$0, default: 0] >= wanted.perCategory?.count ?? .max } ?? false
            }
            func cost(_ id: VectorID) -> Double {
                guard let near = nearest[id], wanted.diversity > 0 else { return scores[id]! }
                return scores[id]! - wanted.diversity / (1 - wanted.diversity) * near
            }
            guard let best = left.min(by: { (cost($0), $0) < (cost($1), $1) }) else { break }
            taken.append(Neighbor(id: best, distance: scores[best]!))
            left.removeAll { $0 == best }
            if let category = category(best) { counts[category, default: 0] += 1 }
            guard wanted.diversity > 0 else { continue }
            for (id, distance) in distances(vectors[best]!) { nearest[id] = min(nearest[id] ?? .infinity, distance) }
        }
        return taken
    }
}

@Suite("Recommendations equal a greedy choice among all vectors")
struct RecommendationTests {
    private static func category(_ id: VectorID) -> String? { id.rawValue % 5 == 4 ? nil : "c\(id.rawValue % 5 % 3)" }

    /// A request of any kind.
    private static func request(
        _ query: [Float], ids: [VectorID], metric: Metric, random: inout SeededGenerator
    ) -> Recommendation {
        func some(_ n: Int) -> [Recommendation.Example] {
            (0..<n).map { _ in random.below(3) == 0 ? .vector(query) : .id(ids[random.below(ids.count)]) }
        }
        let negative = some(random.below(3))
        let most = metric.growsInEveryDirection ? 0.45 : 0.9
        let diversity = (negative.isEmpty ? [0, 0.1, 0.3, most] : [0, 0.05, 0.15, 0.3])[random.below(4)]
        var wanted = Recommendation(positive: some(1 + random.below(3)), negative: negative, diversity: diversity)
        if random.below(3) == 0 { wanted.negativeWeight = diversity == 0 ? 0.9 : 0.2 }
        if random.below(3) == 0 {
            wanted.perCategory = CategoryLimit(attribute: "kind", count: 2)
            wanted.excluded = Set(ids.shuffled(using: &random).prefix(ids.count / 3))
        }
        return wanted
    }

    @Test(
        "recommendations are exact for any data and metric, flat and in lists, after removals", .timeLimit(.minutes(5)),
        arguments: DataShape.allCases, Metric.allCases)
    func matchesScan(shape: DataShape, metric: Metric) throws {
        var random = TestSeed(test: "\(shape) \(metric)").generator
        let isLarge = [.uniform, .clustered, .correlated].contains(shape)
        for (n, dimension) in [(240, 16), (400, 1 + random.below(8))] + (isLarge ? [(3_000, 8)] : []) {
            let vectors = shape.matrix(rows: n, dimension: dimension, random: &random)
            let all = (0..<n).map { VectorID(UInt64($0) * 3 + 1) }.shuffled(using: &random)
            let ids = Array(all.dropLast(n / 4))
            let naive = NaiveRecommendation(
                Matrix(rows: ids.indices.map { Array(vectors.row($0)) }, columns: dimension), ids: ids, metric: metric,
                category: Self.category)
            let indexes = try [IndexLayout.flat, .lists].map { layout in
                var index = VectorIndex(smallListsOf: dimension, metric: metric, partition: layout)
                try index.declareAttributes(AttributeSchema(["kind": .category]))
                try index.upsert(vectors, ids: all, attributes: ["kind": .categories(all.map(Self.category))])
                index.remove(all.suffix(n / 4))
                return index
            }
            let points = DataShape.queries(for: vectors, random: &random)
            let few = Set(ids.prefix(60))
            let filters: [(SearchFilter, (VectorID) -> Bool)] = [
                (.all, { _ in true }), (.ids(few), { few.contains($0) }),
                (.predicate { $0.rawValue % 2 == 0 }, { $0.rawValue % 2 == 0 }),
                (.matching(try FilterExpression(parsing: "kind = c1")), { Self.category($0) == "c1" }),
            ]
            for round in 0..<12 {
                let query = Array(points.row(random.below(points.rows)))
                let wanted = Self.request(query, ids: ids, metric: metric, random: &random)
                let (filter, allowed) = filters[round % 3 == 0 ? 0 : random.below(4)]
                let k = round == 11 && n < 300 ? n + 1 : [1, 5, 12][round % 3]
                let expected = naive.list(wanted, k: min(k, 90), where: allowed)
                let note = "dimension \(dimension) k \(k) \(wanted)"
                let scanned = try indexes[0].recommend(wanted, k: k, where: filter, threads: 2)
                expectSame(scanned.prefix(90), expected, note)
                expectSame(try indexes[1].recommend(wanted, k: k, where: filter), scanned, "\(note) in lists")
                #expect(Set(scanned.map(\.id)).count == scanned.count, "\(note)")
            }
        }
    }

    @Test("a target far outside the data is compared with few vectors", arguments: [Metric.squaredL2, .cosine])
    func fewCompared(metric: Metric) throws {
        var random = TestSeed().generator
        var lists = VectorIndex(dimension: 16, metric: metric)
        try lists.append(DataShape.uniform.matrix(rows: 60_000, dimension: 16, random: &random))
        for _ in 0..<10 {
            let (near, far) = (VectorID(UInt64(random.below(60_000))), VectorID(UInt64(random.below(60_000))))
            let (p, n) = (try #require(try lists.vector(for: near)), try #require(try lists.vector(for: far)))
            let report = try lists.explain(zip(p, n).map { 3 * $0 - 2 * $1 }, k: 10)
            #expect(report.survivors < 3_000, "\(report.plan)")
        }
    }

    @Test("a category limit is met despite any number of neighbours of one category")
    func limits() throws {
        var index = VectorIndex(dimension: 1, layout: .flat, attributes: try AttributeSchema(["kind": .category]))
        let kinds = (0..<5_000).map { $0 < 4_000 ? "near" : $0 < 4_999 ? "far" : nil }
        try index.upsert(
            Matrix(rows: 5_000, columns: 1, elements: (0..<5_000).map { Float($0) }),
            ids: (0..<5_000).map { VectorID($0) }, attributes: ["kind": .categories(kinds)])
        var wanted = Recommendation(
            positive: [.vector([0])], perCategory: CategoryLimit(attribute: "kind", count: 2), excluded: [1, 4_001])
        #expect(try index.recommend(wanted, k: 9).map(\.id) == [0, 2, 4_000, 4_002, 4_999])
        wanted.perCategory = CategoryLimit(attribute: "kind", count: 5_001)
        #expect(try index.recommend(wanted, k: 3).map(\.id) == [0, 2, 3])
    }

    @Test("unanswerable requests are refused with the accepted values")
    func refusals() throws {
        var index = VectorIndex(dimension: 2, layout: .flat, attributes: try AttributeSchema(["kind": .category]))
        try index.upsert([1, 2], id: 7)
        func refused(_ code: KinError.Code, _ words: String, _ wanted: Recommendation, _ metric: Metric = .squaredL2) {
            do throws(KinError) {
                var other = VectorIndex(
                    dimension: 2, metric: metric, layout: .flat, attributes: index.attributes.schema)
                try other.upsert([1, 2], id: 7)
                _ = try other.recommend(wanted, k: 1)
                Issue.record("accepted: \(words)")
            } catch {
                #expect(error.code == code && "\(error)".contains(words), "\(error)")
            }
        }
        let one = Recommendation.Example.vector([1, 1])
        refused(.invalidArgument, "at least one positive example", Recommendation(positive: []))
        refused(.unknownID, "negative example 0", Recommendation(positive: [one], negative: [.id(8)]))
        refused(.dimensionMismatch, "positive example 1", Recommendation(positive: [one, .vector([1])]))
        refused(.zeroVector, "positive example 0", Recommendation(positive: [.vector([0, 0])]), .cosine)
        refused(.invalidArgument, "less than 1", Recommendation(positive: [one], negative: [one], negativeWeight: 1))
        refused(
            .invalidArgument, "0 to 1", Recommendation(positive: [one], negative: [one], negativeWeight: 1.1), .cosine)
        refused(.invalidArgument, "0.5", Recommendation(positive: [one], diversity: 0.5))
        refused(
            .invalidArgument, "0.25",
            Recommendation(positive: [one], negative: [one], negativeWeight: 2.0 / 3, diversity: 0.3))
        refused(.invalidArgument, "less than 1", Recommendation(positive: [one], diversity: 1), .innerProduct)
        refused(.invalidArgument, "less than", Recommendation(positive: [one], diversity: .nan), .cosine)
        refused(
            .invalidArgument, "kind",
            Recommendation(positive: [one], perCategory: CategoryLimit(attribute: "kinds", count: 1)))
        refused(
            .invalidArgument, "1 or more",
            Recommendation(positive: [one], perCategory: CategoryLimit(attribute: "kind", count: 0)))
        #expect(try index.recommend(Recommendation(positive: [.id(7)]), k: 3).isEmpty)
        #expect(try index.recommend(Recommendation(positive: [one]), k: 0).isEmpty)
    }
}
