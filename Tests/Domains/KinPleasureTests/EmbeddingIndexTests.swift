import KinJSON
import KinTestSupport
import Testing

@testable import KinPleasure

/// Searches by embedding and point together, compared with all sessions in double precision.
@Suite("Embeddings combined with points") struct EmbeddingIndexTests {
    /// Sessions with points, most of them also with embeddings. Some points and embeddings are copies, so that ties
    /// occur.
    private struct Sample {
        var sessions: [VectorID: SessionPoint] = [:]
        var vectors: [VectorID: [Float]] = [:]
        var points = SessionIndex()
        var index = EmbeddingIndex()

        init(_ count: Int, dimension: Int, _ random: inout SeededGenerator) throws {
            var centres: [[Float]] = []
            for _ in 0..<12 { centres.append((0..<dimension).map { _ in Float(random.normalDeviate()) }) }
            let states = SessionState.allCases
            var (all, made): ([SessionPoint], [[Float]]) = ([], [])
            for number in 0..<count {
                let centre = centres[random.below(12)]
                let isCopy = number > 8 && random.below(6) == 0
                let vector =
                    isCopy ? made[random.below(number)] : centre.map { $0 + 0.5 * Float(random.normalDeviate()) }
                let point =
                    isCopy
                    ? all[random.below(number)].point
                    : try Pleasure((0..<16).map { _ in random.below(3) == 0 ? Float(random.uniform()) : 0 })
                made.append(vector)
                all.append(
                    SessionPoint(
                        userID: "u\(random.below(5))", state: states[random.below(states.count)],
                        start: try Timestamp(seconds: 1.7e9 + 3600 * Double(random.below(900))), point: point))
            }
            let ids = all.indices.map { VectorID(UInt64(7 * $0 + 1)) }
            try points.upsert(all, as: ids)
            let kept = all.indices.filter { $0 == 0 || random.below(9) > 0 }
            try index.upsert(kept.map { made[$0] }, as: kept.map { ids[$0] }, model: "m")
            for i in all.indices { sessions[ids[i]] = all[i] }
            for i in kept { vectors[ids[i]] = made[i] }
        }

        /// All distances in double precision, nearest first, ties by id.
        func expected(_ query: EmbeddingQuery, k: Int, where isAllowed: (SessionPoint) -> Bool) -> [Neighbor] {
            let all = vectors.compactMap { id, vector -> Neighbor? in
                guard let session = sessions[id], isAllowed(session) else { return nil }
                let unit = SessionEmbedding.unit(vector)
                let e = zip(unit, query.embedding).reduce(0.0) { $0 + (Double($1.0) - Double($1.1)).squared }
                let dimensions = query.dimensions.map { Array($0) } ?? Pleasure.Dimension.allCases
                let p = dimensions.sorted().reduce(0.0) { sum, dimension in
                    sum + (Double(session.point[dimension]) - Double(query.point?[dimension] ?? 0)).squared
                }
                return Neighbor(id: id, distance: (1 - query.weight) * (query.point == nil ? 0 : p) + query.weight * e)
            }
            return Array(all.sorted().prefix(k))
        }
    }

    @Test("search equals a scan for any weight, filter and dimensions")
    func findWhatAScanFinds() throws {
        var random = TestSeed().generator
        let filters: [(FilterExpression?, (SessionPoint) -> Bool)] = [
            (nil, { _ in true }),
            (try FilterExpression(parsing: "user = u1"), { $0.userID == "u1" }),
            (try FilterExpression(parsing: "not (user = u1)"), { $0.userID != "u1" }),
            (
                try FilterExpression(parsing: "state in (drift, mastery, idle)"),
                { [.drift, .mastery, .idle].contains($0.state) }
            ),
            (try FilterExpression(parsing: "user = nobody"), { _ in false }),
        ]
        for (count, dimension) in [(1, 3), (40, 1), (3000, 5), (6000, 24)] {
            var sample = try Sample(count, dimension: dimension, &random)
            for round in 0..<(count > 3000 ? 24 : 60) {
                let weight = [0, 1, 0.5, 0.1, 0.02, 0.9, 1e-12, random.uniform()][round % 8]
                let known = sample.vectors.keys.sorted()
                let vector =
                    round % 3 == 0 && !known.isEmpty
                    ? sample.vectors[known[random.below(known.count)]]!
                    : (0..<dimension).map { _ in Float(random.normalDeviate()) + 0.001 }
                let names = Set(Pleasure.Dimension.allCases.shuffled(using: &random).prefix(1 + random.below(16)))
                let hasPoint = weight < 1 || round % 2 == 0
                let query = try EmbeddingQuery(
                    embedding: vector, weight: weight,
                    point: hasPoint ? Pleasure((0..<16).map { _ in Float(random.uniform()) }) : nil,
                    comparing: round % 4 == 1 ? names : nil)
                // Half of these rounds use an index of the compared dimensions.
                if round % 8 == 1 { try sample.points.prepare(comparing: names) }
                let (filter, isAllowed) = filters[round % filters.count]
                let k = [1, 10, 100, 20_000][round % 4]
                let found = try sample.index.nearest(to: query, among: sample.points, k: k, where: filter)
                let expected = sample.expected(query, k: k, where: isAllowed)
                let comment = "\(count) x \(dimension), round \(round), w \(weight), k \(k)"
                #expect(found.count == expected.count, "\(comment)")
                // Sums in a different order differ in the last bits, so neighbours at almost equal distances may come
                // in any order.
                for (a, b) in zip(found, expected) {
                    #expect(abs(a.distance - b.distance) < 1e-9, "\(comment)")
                    let p = a.pleasureDistance ?? 0
                    #expect(abs((1 - weight) * p + weight * a.embeddingDistance - a.distance) < 1e-12, "\(comment)")
                }
                for (a, b) in zip(found, found.dropFirst()) {
                    #expect((a.distance, a.id) < (b.distance, b.id), "\(comment)")
                }
                let last = expected.last?.distance ?? 0
                let nearer = Set(expected.filter { $0.distance < last - 1e-9 }.map(\.id))
                #expect(nearer.isSubset(of: found.map(\.id)), "\(comment)")
            }
            // A search finds changes at once.
            let gone = sample.vectors.keys.sorted().prefix(count / 3)
            sample.index.remove(Array(gone))
            for id in gone { sample.vectors[id] = nil }
            if !sample.vectors.isEmpty {
                let query = try EmbeddingQuery(
                    embedding: [Float](repeating: 1, count: dimension), weight: 0.5, point: Pleasure())
                #expect(
                    try sample.index.nearest(to: query, among: sample.points, k: 50).map(\.id)
                        == sample.expected(query, k: 50) { _ in true }.map(\.id))
            }
        }
    }

    @Test("ties are ordered by ascending number")
    func ties() throws {
        var (points, index) = (SessionIndex(), EmbeddingIndex())
        let start = try Timestamp(seconds: 1.7e9)
        let ids = (0..<600).map { VectorID(UInt64($0 * 13 % 600)) }
        try points.upsert(
            ids.map { _ in SessionPoint(userID: "u", state: .drift, start: start, point: [.food: 0.5]) }, as: ids)
        try index.upsert(ids.map { _ in [0.3, 0.1, 0.7] }, as: ids, model: "m")
        for weight in [0, 0.3, 1] {
            let query = try EmbeddingQuery(embedding: [1, 1, 0], weight: weight, point: [.food: 0.1])
            let found = try index.nearest(to: query, among: points, k: 40)
            #expect(found.map(\.id.rawValue) == Array(0..<40))
        }
    }

    @Test("vectors are normalised at any magnitude")
    func lengths() throws {
        for scale: Float in [1e-38, 1e-20, 1, 1e20, 1e38] {
            let unit = SessionEmbedding.unit([0, 2 * scale, scale])
            #expect(abs(unit[1] - 0.894427) < 1e-6 && abs(unit[2] - 0.4472136) < 1e-6)
        }
    }

    @Test("invalid embeddings and queries are refused by field name")
    func refusals() throws {
        func embedding(_ vector: [Float], model: String = "m") -> KinError? {
            kinError { try SessionEmbedding(userID: "u", sessionID: "s", model: model, vector: vector) }
        }
        #expect(embedding([1]) == nil)
        #expect(embedding([Float](repeating: 1, count: 4096)) == nil)
        #expect(embedding([])?.code == .invalidArgument)
        #expect(embedding([Float](repeating: 1, count: 4097))?.code == .invalidArgument)
        #expect(embedding([1, .nan])?.code == .notFinite)
        #expect(embedding([0, 0])?.code == .zeroVector)
        #expect(embedding([1, .infinity])?.fact("field") == "vector")
        #expect(embedding([1], model: "")?.fact("field") == "model")
        #expect(embedding([1], model: String(repeating: "m", count: 65))?.fact("field") == "model")
        #expect(
            kinError { try EmbeddingQuery(embedding: [1], weight: 1.5, point: Pleasure()) }?.fact("field") == "weight")
        #expect(kinError { try EmbeddingQuery(embedding: [1], weight: 0.5) }?.fact("field") == "weight")
        #expect(try EmbeddingQuery(embedding: [1]).weight == 1)
        #expect(try EmbeddingQuery(embedding: [1], point: Pleasure()).weight == EmbeddingQuery.standardWeight)
        var index = EmbeddingIndex()
        #expect(kinError { try EmbeddingIndex.model(nil, of: index.models) }?.code == .unknownID)
        try index.upsert([[1, 2]], as: [1], model: "a")
        #expect(try EmbeddingIndex.model(nil, of: index.models) == "a")
        #expect(kinError { try EmbeddingIndex.model("b", of: index.models) }?.code == .unknownID)
        let mismatch = kinError { try index.upsert([[1, 2, 3]], as: [2], model: "a") }
        #expect(mismatch?.code == .dimensionMismatch && mismatch?.message.contains("3") == true)
        #expect(mismatch?.message.contains("have 2") == true)
        try index.upsert([[1]], as: [1], model: "b")
        #expect(kinError { try EmbeddingIndex.model(nil, of: index.models) }?.code == .invalidArgument)
    }

    @Test("numbers and Base64 give the same vector, which survives a round trip")
    func json() throws {
        let record = try SessionEmbedding(userID: "u", sessionID: "s", model: "m", vector: [1, -0.1, 3.5e-30])
        #expect(try SessionEmbedding(parsing: record.jsonText) == record)
        let listed = #"{"user_id":"u","session_id":"s","model":"m","vector":[1,-0.1,3.5e-30]}"#
        #expect(try SessionEmbedding(parsing: listed) == record)
        for wrong in ["\"AAA=\"", "\"x\"", "\"\"", "[1e300]", "{}", "[\"1\"]"] {
            let json = "{\"user_id\":\"u\",\"session_id\":\"s\",\"model\":\"m\",\"vector\":\(wrong)}"
            #expect(throws: KinError.self) { try SessionEmbedding(parsing: json) }
        }
    }
}

extension Double {
    fileprivate var squared: Double { self * self }
}
