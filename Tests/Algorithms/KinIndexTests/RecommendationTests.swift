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

    /// Requests of every kind, for a query and some vectors of the index.
    private static func requests(
        _ query: [Float], ids: [VectorID], metric: Metric, random: inout SeededGenerator
    ) -> [Recommendation] {
        func some(_ n: Int) -> [Recommendation.Example] { (0..<n).map { _ in .id(ids[random.below(ids.count)]) } }
        let most = metric == .squaredL2 ? 0.45 : 0.9
        var requests = [0, 0.1, 0.3, most].map { Recommendation(positive: [.vector(query)], diversity: $0) }
        requests.append(Recommendation(positive: some(1) + [.vector(query)], negative: some(2)))
        requests.append(Recommendation(positive: some(3), negative: some(1), negativeWeight: 0.9))
        requests.append(Recommendation(positive: some(3), negative: some(1), negativeWeight: 0.2, diversity: 0.25))
        requests.append(Recommendation(positive: [.vector(query)], negative: [.vector(query)], diversity: 0.1))
        requests += [0, 0.2].map { diversity in
            Recommendation(
                positive: some(2), diversity: diversity, perCategory: CategoryLimit(attribute: "kind", count: 2),
                excluded: Set(ids.shuffled(using: &random).prefix(ids.count / 3)))
        }
        return requests
    }

    @Test(
        "recommendations are exact for any data and metric, flat and in lists", arguments: DataShape.allCases,
        Metric.allCases)
    func matchesScan(shape: DataShape, metric: Metric) throws {
        var random = TestSeed().generator
        let n = 240
        for dimension in [3, 16] {
            let vectors = shape.matrix(rows: n, dimension: dimension, random: &random)
            let ids = (0..<n).map { VectorID(UInt64($0) * 3 + 1) }.shuffled(using: &random)
            let naive = NaiveRecommendation(vectors, ids: ids, metric: metric, category: Self.category)
            let columns = ["kind": AttributeColumn.categories(ids.map(Self.category))]
            let schema = try AttributeSchema(["kind": .category])
            var flat = VectorIndex(dimension: dimension, metric: metric, layout: .flat, attributes: schema)
            try flat.upsert(vectors, ids: ids, attributes: columns)
            var lists = VectorIndex(smallListsOf: dimension, metric: metric)
            try lists.declareAttributes(schema)
            try lists.upsert(vectors, ids: ids, attributes: columns)
            let points = DataShape.queries(for: vectors, random: &random)
            let query = Array(points.row(random.below(points.rows)))
            let few = Set(ids.prefix(60))
            let filters: [(SearchFilter, (VectorID) -> Bool)] = [
                (.all, { _ in true }), (.ids(few), { few.contains($0) }),
                (.matching(try FilterExpression(parsing: "kind = c1")), { Self.category($0) == "c1" }),
            ]
            for (number, wanted) in Self.requests(query, ids: ids, metric: metric, random: &random).enumerated() {
                let (filter, allowed) = filters[number % 3 == 0 ? 0 : random.below(3)]
                for k in [1, 12] + (number == 3 ? [n + 1] : []) {
                    let expected = naive.list(wanted, k: min(k, 90), where: allowed)
                    let note = "dimension \(dimension) k \(k) \(wanted)"
                    let scanned = try flat.recommend(wanted, k: k, where: filter, threads: 2)
                    expectSame(scanned.prefix(90), expected, note)
                    expectSame(try lists.recommend(wanted, k: k, where: filter), scanned, "\(note) in lists")
                    #expect(Set(scanned.map(\.id)).count == scanned.count, "\(note)")
                }
            }
        }
    }

    @Test(
        "recommendations among repeated vectors end, and equal costs are in the order of ids", .timeLimit(.minutes(5)),
        arguments: Metric.allCases)
    func repeatedVectors(metric: Metric) throws {
        var random = TestSeed().generator
        for dimension in [1, 3, 8] {
            let signs = (0..<6).map { _ in (0..<dimension).map { _ in random.below(2) == 0 ? Float(-1) : 1 } }
            let normal = (0..<6).map { _ in (0..<dimension).map { _ in Float(random.uniform() - 0.5) } }
            let units = (0..<dimension).map { one in (0..<dimension).map { Float($0 == one ? 1 : 0) } }
            for kinds in [signs, normal, units] {
                let n = 700
                let vectors = try Matrix(
                    rows: n, columns: dimension, elements: (0..<n).flatMap { kinds[$0 % kinds.count] })
                let ids = (0..<n).map { VectorID(UInt64($0)) }.shuffled(using: &random)
                let naive = NaiveRecommendation(vectors, ids: ids, metric: metric) { _ in nil }
                var flat = VectorIndex(dimension: dimension, metric: metric, layout: .flat)
                try flat.upsert(vectors, ids: ids)
                var lists = VectorIndex(dimension: dimension, metric: metric)
                try lists.upsert(vectors, ids: ids)
                for (negatives, diversity) in [(0, 0.1), (0, 0.3), (1, 0.2), (2, 0.3)] {
                    let wanted = Recommendation(
                        positive: [.id(ids[0])], negative: ids[1...].prefix(negatives).map { .id($0) },
                        diversity: diversity)
                    let found = try flat.recommend(wanted, k: 5)
                    expectSame(found, naive.list(wanted, k: 5) { _ in true }, "\(dimension) \(wanted)")
                    expectSame(try lists.recommend(wanted, k: 5), found, "\(dimension) \(wanted) in lists")
                }
            }
        }
    }

    @Test("recommendations are exact among thousands of vectors with a small pool", arguments: Metric.allCases)
    func largeIndex(metric: Metric) throws {
        var random = TestSeed().generator
        let vectors = DataShape.clustered.matrix(rows: 6_000, dimension: 8, random: &random)
        let ids = (0..<6_000).map { VectorID(UInt64($0)) }
        let naive = NaiveRecommendation(vectors, ids: ids, metric: metric) { _ in nil }
        var lists = VectorIndex(dimension: 8, metric: metric)
        try lists.upsert(vectors, ids: ids)
        for diversity in [0.05, 0.3, 0.4] {
            let wanted = Recommendation(
                positive: [.id(ids[random.below(6_000)]), .id(ids[random.below(6_000)])],
                negative: [.id(ids[random.below(6_000)])], negativeWeight: 0.3, diversity: diversity)
            let expected = naive.list(wanted, k: 8) { _ in true }
            expectSame(try lists.recommend(wanted, k: 8), expected, "\(wanted)")
        }
    }

    @Test(
        "recommendations are exact after removals, for examples far apart, with filters",
        arguments: [DataShape.uniform, .clustered, .correlated], Metric.allCases)
    func farTargets(shape: DataShape, metric: Metric) throws {
        var random = TestSeed().generator
        let vectors = shape.matrix(rows: 3_000, dimension: 16, random: &random)
        var ids = (0..<3_000).map { VectorID(UInt64($0)) }
        var lists = VectorIndex(smallListsOf: 16, metric: metric)
        try lists.declareAttributes(AttributeSchema(["kind": .category]))
        try lists.upsert(vectors, ids: ids, attributes: ["kind": .categories(ids.map(Self.category))])
        let removed = Set(ids.shuffled(using: &random).prefix(1_000))
        #expect(lists.remove(removed) == 1_000)
        ids.removeAll(where: removed.contains)
        let left = try Matrix(rows: ids.map { Array(vectors.row(Int($0.rawValue))) })
        let naive = NaiveRecommendation(left, ids: ids, metric: metric, category: Self.category)
        func some(_ n: Int) -> [Recommendation.Example] { (0..<n).map { _ in .id(ids[random.below(ids.count)]) } }
        let even = SearchFilter.predicate { $0.rawValue % 2 == 0 }
        for round in 0..<6 {
            let filter = round % 2 == 0 ? SearchFilter.all : even
            for (positive, negative, diversity) in [(1, 1, 0.0), (3, 2, 0.0), (1, 0, 0.3), (2, 1, 0.15), (1, 1, 0.3)] {
                let wanted = Recommendation(
                    positive: some(positive), negative: some(negative), diversity: diversity,
                    perCategory: round < 4 ? nil : CategoryLimit(attribute: "kind", count: 3))
                let expected = naive.list(wanted, k: 10) { round % 2 == 0 || $0.rawValue % 2 == 0 }
                expectSame(try lists.recommend(wanted, k: 10, where: filter), expected, "\(wanted)")
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
